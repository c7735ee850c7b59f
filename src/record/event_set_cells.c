/*
 * A cell is the perf event of one thread on one CPU. If the kernel refuses the first cell of a sampler, it is
 * retried with a simpler attr (event_fallback.h); later cells get the same attr. A cell that is opened after
 * the file's list of ids was written has an id that is not in the list; id_aliases.h replaces it in the
 * records.
 */
#include <errno.h>
#include <linux/perf_event.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/types.h>
#include <unistd.h>

#include "base/xalloc.h"
#include "format/perf_abi.h"
#include "record/event/event_refusal.h"
#include "record/event/event_spec.h"
#include "record/event/pmu.h"
#include "record/event_set_state.h"
#include "record/machine/perf_calls.h"
#include "record/machine/permission.h"
#include "record/machine/proc_file.h"

/* --- one event ---------------------------------------------------------------------------------------------- */

/* The place where an event counts: a thread, a cgroup or everything, on one CPU; and the group that it joins. */
struct event_place {
	pid_t pid; /* a thread, or the descriptor of a cgroup's directory; -1: any thread */
	bool is_cgroup;
	int cpu;
	int group_fd; /* the group leader's descriptor; -1: no group */
};

static int open_once(const struct event_place *place, const struct perf_event_attr *attr,
		     const struct perf_calls *calls)
{
	const unsigned long flags = PERF_FLAG_FD_CLOEXEC | (place->is_cgroup ? PERF_FLAG_PID_CGROUP : 0);

	return calls->open(attr, place->pid, place->cpu, place->group_fd, flags);
}

/*
 * A hardware event may have to name its PMU: the PMU's type is in the upper half of config (PERF_PMU_TYPE_SHIFT,
 * linux/perf_event.h). The cells of one event do not differ otherwise.
 */
static int open_on_kind_of_core(const struct event_place *place, const struct perf_event_attr *attr,
				const struct perf_calls *calls)
{
	static const char *const kinds[] = { "cpu_core", "cpu_atom", "cpu_lowpower" };

	if ((attr->type != PERF_TYPE_HARDWARE && attr->type != PERF_TYPE_HW_CACHE) || attr->config >> 32)
		return -1;
	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
		struct perf_event_attr of_kind = *attr;
		char path[128];
		long long type;
		int fd;

		snprintf(path, sizeof(path), "%s/%s/type", event_sources_system.pmu_directory, kinds[i]);
		if (proc_file_read_number(path, &type, NULL) < 0)
			continue;
		of_kind.config |= (uint64_t)type << 32;
		fd = open_once(place, &of_kind, calls);
		if (fd >= 0)
			return fd;
	}
	return -1;
}

/*
 * Opens the event. If the machine has several kinds of cores and the first kind lacks the hardware event, the
 * others are tried. Returns the descriptor, or -1 with errno.
 */
static int event_place_open(const struct event_place *place, const struct perf_event_attr *attr,
			    const struct perf_calls *calls)
{
	int fd = open_once(place, attr, calls);
	const int open_errno = errno;

	if (fd < 0 && open_errno == ENOENT)
		fd = open_on_kind_of_core(place, attr, calls);
	errno = open_errno;
	return fd;
}

/* --- cells -------------------------------------------------------------------------------------------------- */

static bool fall_back(const struct event_set *set, struct opened_event *event, int open_errno)
{
	const struct fallback_options options = { .idle = set->options->sampling.idle,
						  .paranoid_level = permission_paranoid_level };

	return event_fallback(&event->asked, open_errno, &options, set->notices);
}

static int explain(const struct event_set *set, const struct opened_event *event, int open_errno, pid_t pid,
		   int cpu, struct error *err)
{
	const struct opened_event *leader = &set->events[event->leader];
	const struct event_refusal refusal = { .attr = &event->asked.attr,
					       .name = event->asked.name,
					       .refused_branches = event->refused_branches,
					       .leader = leader == event ? NULL : leader->asked.name,
					       .cgroup = event->cgroup,
					       .pid = pid,
					       .cpu = cpu,
					       .open_count = set->open_count };

	return event_refusal_explain(&refusal, open_errno, err);
}

/* Do some events from `leader` up to `event` ask for branch counters, and others not? The kernel gives them to a whole group. */
static bool some_count_branches(const struct event_set *set, size_t leader, const struct opened_event *event)
{
	size_t counting = 0;

	for (const struct opened_event *open = &set->events[leader]; open < event; open++)
		counting += (open->asked.attr.branch_sample_type & BRANCH_COUNTERS) != 0;
	return counting > 0 && counting < (size_t)(event - &set->events[leader]);
}

/*
 * A weak group that cannot be opened whole is dissolved. In the kernel, members that are already open stay with their leader,
 * which affects only when they count. Returns false if the event is the leader, or if samples on this CPU would have branch
 * counters that those on the next CPUs lack.
 */
static bool leave_group(struct event_set *set, struct opened_event *event)
{
	const size_t leader = event->leader;

	if (event == &set->events[leader] || some_count_branches(set, leader, event))
		return false;
	strbuf_addf(set->notices, "%s cannot be in a group with %s: the events count on their own\n",
		    event->asked.name, set->events[leader].asked.name);
	set->events[leader].group_size = 0;
	for (size_t i = (size_t)(event - set->events); i < set->event_count; i++)
		if (set->events[i].leader == leader) {
			set->events[i].leader = i;
			set->events[i].asked.attr.disabled = 1;
			set->events[i].asked.attr.enable_on_exec = set->options->enable_on_exec;
		}
	return true;
}

/*
 * Returns false if the kernel attaches no program of this type to the event (uprobe, kprobe and other tracing events of PMUs).
 * The caller then opens the event again, with stack dumps by the kernel.
 */
static bool attach_copier(struct event_set *set, struct opened_event *event, int fd)
{
	if (!event->copied || stack_copier_attach(set->options->copier, fd, NULL) == 0)
		return true;
	event->copied = false;
	event->asked.attr.sample_stack_user = set->options->sampling.call_graph.stack_dump_bytes;
	close(fd);
	return false;
}

int event_set_open_cell(struct event_set *set, struct opened_event *event, size_t thread, size_t slot,
			uint64_t *id, struct error *err)
{
	const bool is_wide = event == &set->events[SIDEBAND] ? set->sideband_is_wide : set->samplers_are_wide;
	pid_t tid = is_wide ? -1 : set->target->threads[thread].tid;
	const size_t cell = thread * set->slot_count + slot;
	struct opened_event *leader = &set->events[event->leader];
	int cpu_number = set->target->cpus[slot];
	struct event_place place = { .pid = event->cgroup ? event->cgroup_fd : tid,
				     .is_cgroup = event->cgroup != NULL,
				     .cpu = cpu_number,
				     .group_fd = leader == event ? -1 : leader->fds[cell] };
	int *fd = &event->fds[cell];

	if (!pmu_has_cpu(event->cpus, cpu_number) ||
	    (event != &set->events[SIDEBAND] && !target_samples_cpu(set->target, cpu_number)))
		return 0;
	if (is_wide && thread > 0)
		return 0; /* the first thread's event serves all */
	if (leader != event && place.group_fd < 0)
		return 0; /* the thread had ended by then */
	for (;;) {
		int open_errno;

		*fd = event_place_open(&place, &event->asked.attr, set->calls);
		open_errno = errno;
		if (*fd >= 0 && attach_copier(set, event, *fd))
			break;
		if (*fd >= 0)
			continue;
		if (open_errno == ESRCH && tid != -1)
			return 0;
		if (open_errno == EINVAL && event->weak_group && event->id_count == 0 &&
		    leave_group(set, event)) {
			place.group_fd = -1;
			continue;
		}
		if (event->id_count == 0 &&
		    event_set_reduce_branches(set, event, tid, cpu_number, open_errno))
			continue;
		/* The first cell fixes the attr: all ids of an event share one description in the file. */
		if (event->id_count > 0 || !fall_back(set, event, open_errno))
			return explain(set, event, open_errno,
				       is_wide ? -1 : set->target->threads[thread].pid, cpu_number, err);
	}
	set->open_count++;
	if (event->filter && ioctl(*fd, PERF_EVENT_IOC_SET_FILTER, event->filter) < 0)
		return error_set_errno(err, errno, "the kernel refuses the filter '%s' of %s", event->filter,
				       event->asked.name);
	if (ioctl(*fd, PERF_EVENT_IOC_ID, id) < 0)
		return error_set_errno(err, errno, "cannot read the id of event %s", event->asked.name);
	return 0;
}

bool event_set_read_counts(const struct event_set *set, size_t number, int fd, struct event_counts *counts)
{
	const struct opened_event *event = &set->events[number];
	const uint64_t format = event->asked.attr.read_format;
	const bool of_group = format & PERF_FORMAT_GROUP;
	/* A read from a group returns all its events, leader first: number and times, then { value, id, lost } of each. */
	const size_t times = (format & PERF_FORMAT_TOTAL_TIME_ENABLED ? 1 : 0) +
			     (format & PERF_FORMAT_TOTAL_TIME_RUNNING ? 1 : 0);
	const size_t each = format & PERF_FORMAT_LOST ? 3 : 2;
	/* Large enough for the members that a dissolved weak group still has in the kernel. */
	const size_t capacity = 1 + times + each * (of_group ? set->event_count : 1);
	uint64_t *words = xcalloc(capacity, sizeof(*words));
	const ssize_t size = read(fd, words, capacity * sizeof(*words));
	/* When a CPU goes offline the kernel splits its groups: a read then returns one event. */
	const size_t place = of_group && words[0] > 1 ? number - event->leader : 0;
	const size_t value_at = of_group ? 1 + times + each * place : 0;

	if (size > 0 && value_at < capacity)
		*counts = (struct event_counts){
			.value = words[value_at],
			.lost = each == 3 ? words[value_at + (of_group ? 2 : 2 + times)] : 0,
		};
	free(words);
	return size > 0 && value_at < capacity;
}

bool event_set_has_late_ids(const struct event_set *set, size_t ring)
{
	return set->slots[ring].is_renamed;
}

void event_set_rename_ids(const struct event_set *set, uint8_t *records, size_t size)
{
	id_aliases_apply(&set->aliases, &set->events[SIDEBAND].asked.attr, records, size);
}
