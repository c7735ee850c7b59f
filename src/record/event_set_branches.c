/* Branch stacks of an event set: trial openings find out what the CPU and the kernel can do with them. */
#include <errno.h>
#include <glob.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "format/perf_abi.h"
#include "record/event/branch_probe.h"
#include "record/event_set_state.h"

struct cell {
	pid_t tid;
	int cpu;
};

static bool opens(const struct perf_event_attr *attr, void *context)
{
	const struct cell *cell = context;
	const int fd =
		(int)syscall(SYS_perf_event_open, attr, cell->tid, cell->cpu, -1, PERF_FLAG_FD_CLOEXEC);

	if (fd < 0)
		return false;
	close(fd);
	return true;
}

/* Intel's PMUs with branch counters have this file; readers need its contents to tell the counters apart. */
static bool are_counters_known(void)
{
	char pattern[256];
	glob_t found;
	bool known;

	snprintf(pattern, sizeof(pattern), "%s/*/caps/branch_counter_width",
		 event_sources_system.pmu_directory);
	known = glob(pattern, GLOB_NOSORT, NULL, &found) == 0;
	globfree(&found);
	return known;
}

void event_set_drop_counters(const struct event_set *set, struct opened_event *event)
{
	struct perf_event_attr *attr = &event->asked.attr;

	if (attr->sample_type & PERF_SAMPLE_BRANCH_STACK && attr->branch_sample_type & BRANCH_COUNTERS &&
	    !are_counters_known())
		branch_probe_leave_out(attr, BRANCH_COUNTERS, event->asked.name, set->notices);
}

bool event_set_reduce_branches(const struct event_set *set, struct opened_event *event, pid_t tid, int cpu,
			       int open_errno)
{
	struct cell cell = { tid, cpu };
	const struct branch_trial trial = { opens, &cell };
	struct perf_event_attr *attr = &event->asked.attr;

	if (!(attr->sample_type & PERF_SAMPLE_BRANCH_STACK) ||
	    (open_errno != EINVAL && open_errno != EOPNOTSUPP))
		return false;
	event->refused_branches = 0;
	if (opens(attr, &cell)) /* the group or the filter is refused, not the branch stack */
		return false;
	if (branch_probe_fields(attr, event->asked.name, &trial, set->notices))
		return true;
	event->refused_branches = branch_probe_refused_kinds(attr, &trial);
	return false;
}
