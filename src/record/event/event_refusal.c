/*
 * A switch over the errno, with a message for each cause. The kernel says EINVAL for many causes, so
 * explain_combination() infers the likely one from the group and the attr.
 */
#include "record/event/event_refusal.h"

#include <errno.h>
#include <stdbool.h>
#include <string.h>

#include "record/event/event_spec.h"
#include "record/event/sample_clock.h"
#include "record/machine/permission.h"

/* EINVAL only tells that the parts do not go together. */
static int explain_combination(const struct event_refusal *refusal, struct error *err)
{
	if (refusal->leader)
		return error_set(
			err,
			"cannot open %s in a group with %s: they are of different PMUs or cgroups, or too many to "
			"count at the same time; leave out the braces",
			refusal->name, refusal->leader);
	if (refusal->cgroup)
		return error_set(err,
				 "cannot open %s in cgroup %s: this kernel counts no events in cgroups "
				 "(CONFIG_CGROUP_PERF), or not with these options; leave out -G",
				 refusal->name, refusal->cgroup);
	if (refusal->attr->use_clockid)
		return error_set(err,
				 "cannot open %s: the kernel refuses it with clock %s (hardware events take "
				 "monotonic and monotonic_raw only); try -k monotonic",
				 refusal->name, sample_clock_name(refusal->attr->clockid));
	return error_set(err,
			 "cannot open %s: the kernel refuses this combination of event, modifiers and "
			 "options (invalid argument)",
			 refusal->name);
}

/* perf_cgroup_connect(), linux/kernel/events/core.c. Returns false if the cgroup is not the reason. */
static bool explain_cgroup(const struct event_refusal *refusal, int open_errno, struct error *err)
{
	if (refusal->cgroup && open_errno == ENOENT && refusal->attr->type == PERF_TYPE_SOFTWARE)
		error_set(err, "cannot open %s in cgroup %s: the cgroup has been removed", refusal->name,
			  refusal->cgroup);
	else if (refusal->cgroup && open_errno == EBADF)
		error_set(
			err,
			"cannot open %s in cgroup %s: it is not in the cgroup hierarchy that perf events use",
			refusal->name, refusal->cgroup);
	else
		return false;
	return true;
}

/* Modifier p: the kernel's x86_pmu_hw_config() refuses a level that the CPU does not have. */
static int explain_precision(const struct event_refusal *refusal, struct error *err)
{
	const int plain_length = (int)strcspn(refusal->name, ":");
	const unsigned int precise = refusal->attr->precise_ip;

	return error_set(
		err,
		"cannot open %s: the CPU cannot locate the instruction that precisely (level %u); try -e "
		"%.*s%s%.*s",
		refusal->name, precise, plain_length, refusal->name, precise > 1 ? ":" : "", (int)precise - 1,
		"ppp");
}

int event_refusal_explain(const struct event_refusal *refusal, int open_errno, struct error *err)
{
	const char *name = refusal->name;

	const bool is_of_group = refusal->leader && open_errno == EINVAL && !refusal->refused_branches;

	if (refusal->attr->sample_type & PERF_SAMPLE_BRANCH_STACK && !is_of_group &&
	    (open_errno == EOPNOTSUPP || open_errno == ENOENT || open_errno == EINVAL))
		return branch_refusal_explain(refusal->attr, name, refusal->refused_branches,
					      event_sources_system.pmu_directory, err);
	if (explain_cgroup(refusal, open_errno, err))
		return -1;
	if (refusal->attr->namespaces && open_errno == EACCES)
		return error_set(
			err,
			"cannot open %s with --namespaces: the kernel shows the namespaces of processes to "
			"root and to programs with CAP_PERFMON only; leave it out",
			name);
	switch (open_errno) {
	case EACCES:
	case EPERM: return permission_explain(err, open_errno, name, refusal->pid);
	case EINVAL: return explain_combination(refusal, err);
	case ENOENT:
	case EOPNOTSUPP:
	case ENXIO:
		if (open_errno == EOPNOTSUPP && refusal->attr->precise_ip)
			return explain_precision(refusal, err);
		return error_set(
			err,
			"cannot open %s: this machine has no such event (or its PMU cannot sample it); "
			"try -e cpu-clock",
			name);
	case ENODEV:
		return error_set(err,
				 "cannot open %s on CPU %d: the CPU is offline or the PMU is not on it; "
				 "choose CPUs with -C",
				 name, refusal->cpu);
	case EMFILE:
	case ENFILE:
		return error_set(err,
				 "cannot open %s: %zu events are open already and the limit on open files is "
				 "reached; raise it ('ulimit -n'), or record fewer threads or with -a",
				 name, refusal->open_count);
	case EBUSY:
		return error_set(err,
				 "cannot open %s: another profiler (or the NMI watchdog) holds the counter",
				 name);
	case ENOMEM:
		return error_set(
			err,
			"cannot open %s: %zu events are open already and the kernel has no memory for "
			"another; record fewer threads, or with -a",
			name, refusal->open_count);
	case EOVERFLOW:
		return error_set(
			err,
			"cannot open %s: call chains of %u frames are more than the kernel follows; lower "
			"max-stack=, or raise 'sysctl kernel.perf_event_max_stack'",
			name, refusal->attr->sample_max_stack);
	case E2BIG:
		return error_set(
			err,
			"cannot open %s: this kernel is too old for one of its terms or options, such as "
			"max-stack= (Linux 4.8)",
			name);
	case ENOSPC:
		return error_set(
			err,
			"cannot open %s: all counters or breakpoint registers of the CPU are in use; "
			"record fewer events at once, or end the debugger that holds them",
			name);
	case ENOSYS:
		return error_set(err, "cannot open %s: this kernel has no perf events (CONFIG_PERF_EVENTS)",
				 name);
	default: return error_set_errno(err, open_errno, "cannot open %s", name);
	}
}
