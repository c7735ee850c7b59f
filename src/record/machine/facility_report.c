/* One function per subject, in the order in which a recording needs them. */
#include "record/machine/facilities.h"

#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { LINE_BYTES = 2048 /* an error's message and its consequence */ };

__attribute__((format(printf, 4, 5))) static void say(struct strbuf *out, bool is_there, const char *name,
						      const char *format, ...)
{
	char detail[LINE_BYTES];
	va_list arguments;

	va_start(arguments, format);
	vsnprintf(detail, sizeof(detail), format, arguments);
	va_end(arguments);
	strbuf_addf(out, "%s%s%s%s\n", is_there ? "yes  " : "no   ", name, detail[0] ? ": " : "", detail);
}

static void say_refused(struct strbuf *out, const char *name, int open_errno, const char *cost)
{
	const bool is_missing = open_errno == ENOENT || open_errno == EOPNOTSUPP || open_errno == ENODEV;

	say(out, false, name, is_missing ? "%s" : "%s (%s)", cost, strerror(open_errno));
}

static void say_own_events(struct strbuf *out, const struct facilities *facilities)
{
	const char *const name = "events of own programs";

	if (facilities->own_errno == 0)
		say(out, true, name, "kernel.perf_event_paranoid is %d%s", facilities->paranoid_level,
		    facilities->has_perfmon ? ", which does not matter with CAP_PERFMON" : "");
	else if (facilities->own_errno == ENOSYS)
		say(out, false, name,
		    "nothing can be recorded: this kernel has no perf events (CONFIG_PERF_EVENTS), or a "
		    "container's seccomp filter hides them");
	else
		say_refused(out, name, facilities->own_errno,
			    "nothing can be recorded: the kernel or a container's seccomp filter forbids "
			    "perf_event_open; run as root, or allow it (docker run --cap-add PERFMON)");
}

static void say_scope(struct strbuf *out, const struct facilities *facilities)
{
	if (facilities->kernel_errno == 0)
		say(out, true, "the kernel's part of samples", "%s", "");
	else
		say_refused(out, "the kernel's part of samples", facilities->kernel_errno,
			    "user space alone is sampled, so time in system calls is missing; run as root, "
			    "'sysctl kernel.perf_event_paranoid=1', or 'setcap cap_perfmon+ep' on xprof");
	if (facilities->system_errno == 0)
		say(out, true, "the whole system (-a, -C, -G)", "%s", "");
	else
		say_refused(out, "the whole system (-a, -C, -G)", facilities->system_errno,
			    "only commands and processes of this user (-p) can be recorded; run as root, "
			    "'sysctl kernel.perf_event_paranoid=0', or 'setcap cap_perfmon+ep' on xprof");
}

static void say_hardware(struct strbuf *out, const struct facilities *facilities)
{
	if (facilities->cycles_errno == 0)
		say(out, true, "hardware counters", "%s", "");
	else
		say_refused(
			out, "hardware counters", facilities->cycles_errno,
			"cpu-clock is recorded instead of cycles; it samples time, cannot look into code that "
			"keeps interrupts off, and there are no events of caches and branches; virtual machines "
			"seldom have counters");
	if (facilities->branch_errno == 0)
		say(out, true, "branch records (-b, -j)", "%s", "");
	else if (facilities->has_brs)
		say(out, true, "branch records (-b)",
		    "AMD BRS has them with its own event alone: -b -e cpu/branch-brs/ -c 1000003");
	else
		say_refused(
			out, "branch records (-b, -j)", facilities->branch_errno,
			"-b and -j are refused; they need a CPU that records branches (Intel LBR, AMD BRS, "
			"Arm BRBE)");
}

static void say_stacks(struct strbuf *out, const struct facilities *facilities)
{
	if (!facilities->no_stack_copies.message[0])
		say(out, true, "copies of whole stacks (BPF)", "%s", "");
	else
		say(out, false, "copies of whole stacks (BPF)",
		    "%s; the kernel copies the innermost 16384 bytes of a stack with each sample, which takes more "
		    "room, and the rest is read from the process where that is permitted",
		    facilities->no_stack_copies.message);
	say(out, true, "call chains by frame pointers",
	    "up to %" PRIu64 " frames (kernel.perf_event_max_stack)", facilities->max_stack);
}

static void say_waits(struct strbuf *out, const struct facilities *facilities)
{
	const char *const name = "time off the CPU (--off-cpu)";

	if (facilities->no_waits.message[0])
		say(out, false, name,
		    "%s; every switch is sampled instead, which costs more and does not tell who wakes a thread",
		    facilities->no_waits.message);
	else
		say(out, true, name, "%s",
		    facilities->copies_at_exit ?
			    "user stacks are copied at the end of system calls, which costs more (Linux 6.18 "
			    "has task work for BPF programs)" :
			    "");
}

/* Features of struct perf_event_attr, with the loss without each. */
static void say_features(struct strbuf *out, const struct facilities *facilities)
{
	static const struct {
		enum attr_feature feature;
		const char *name, *cost;
	} lines[] = {
		{ ATTR_FEATURE_DEFER_CALLCHAIN, "deferred call chains",
		  "--call-graph fp,defer takes user stacks with each sample, where pages that are not in memory end "
		  "them" },
		{ ATTR_FEATURE_LOST, "losses counted for each event",
		  "samples that are lost after the last record of a ring are not counted" },
		{ ATTR_FEATURE_BUILD_ID, "build-ids of files that are mapped meanwhile",
		  "they are read when the recording ends; a file that was deleted or replaced by then has none, and "
		  "its functions no names" },
		{ ATTR_FEATURE_CGROUP, "cgroups of samples (--all-cgroups)", "the option is refused" },
		{ ATTR_FEATURE_BPF_EVENT, "BPF programs that are loaded meanwhile",
		  "their functions have no names" },
		{ ATTR_FEATURE_NAMESPACES, "namespaces (--namespaces)", "the option is refused" },
		{ ATTR_FEATURE_CONTEXT_SWITCH, "switches (--switch-events)", "the option is refused" },
		{ ATTR_FEATURE_CLOCKID, "other clocks (-k)", "the option is refused" },
		{ ATTR_FEATURE_MMAP2, "inodes of mapped files",
		  "two files with one name cannot be told apart" },
	};

	for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++) {
		const int open_errno = facilities->feature_errno[lines[i].feature];

		if (open_errno == EACCES || open_errno == EPERM)
			say(out, false, lines[i].name, "they need root or CAP_PERFMON");
		else
			say(out, open_errno == 0, lines[i].name, open_errno ? "%s (Linux %s)" : "%s",
			    open_errno ? lines[i].cost : "", attr_feature_since(lines[i].feature));
	}
}

static void say_kernel(struct strbuf *out, const struct facilities *facilities)
{
	say(out, facilities->has_procmap_query, "mappings by ioctl (PROCMAP_QUERY)", "%s",
	    facilities->has_procmap_query ?
		    "" :
		    "/proc/PID/maps is read as text, and each file for its build-id, so a recording of many "
		    "processes begins later (Linux 6.11)");
	say(out, facilities->shows_kernel_addresses, "addresses of the kernel", "%s",
	    facilities->shows_kernel_addresses ? "" :
						 "kernel functions have no names; run as root, or 'sysctl "
						 "kernel.kptr_restrict=0'");
	if (!facilities->tracefs)
		say(out, false, "tracepoints",
		    "tracefs is not mounted, so -e sched:sched_switch and the like are unknown; 'mount -t tracefs "
		    "none /sys/kernel/tracing'");
	else if (!facilities->reads_tracefs)
		say(out, false, "tracepoints",
		    "%s may not be read by this user; run as root, or mount it with "
		    "gid= and mode=",
		    facilities->tracefs);
	else
		say(out, true, "tracepoints", "%s", facilities->tracefs);
	if (facilities->cgroups.version)
		say(out, true, "cgroups", "version %d at %s", facilities->cgroups.version,
		    facilities->cgroups.root);
	else
		say(out, false, "cgroups",
		    "no hierarchy that perf events use is mounted, so -G is refused; 'mount -t cgroup2 none "
		    "/sys/fs/cgroup'");
}

/* Rings use locked memory: perf_event_mlock_kb for each CPU, and beyond that up to RLIMIT_MEMLOCK. */
static void say_memory(struct strbuf *out, const struct facilities *facilities)
{
	const uint64_t cpu_kib = facilities->mlock_cpu_bytes / 1024;
	const char *const name = "rings of any size";

	if (facilities->may_lock_all || facilities->mlock_user_bytes == UINT64_MAX)
		say(out, true, name, "%s", "");
	else
		say(out, false, name,
		    "locked memory is limited to %" PRIu64 " KiB for each CPU and %" PRIu64
		    " KiB beyond that, so rings are made smaller and busy machines lose samples; 'sysctl "
		    "kernel.perf_event_mlock_kb=N', 'ulimit -l', or 'setcap cap_ipc_lock+ep' on xprof",
		    cpu_kib, facilities->mlock_user_bytes / 1024);
	say(out, true, "frequencies", "up to %" PRIu64 " Hz (kernel.perf_event_max_sample_rate)",
	    facilities->max_sample_rate);
}

void facility_report_add(struct strbuf *out, const struct facilities *facilities)
{
	say_own_events(out, facilities);
	if (facilities->own_errno)
		return;
	say_scope(out, facilities);
	say_hardware(out, facilities);
	say_stacks(out, facilities);
	say_waits(out, facilities);
	say_features(out, facilities);
	say_kernel(out, facilities);
	say_memory(out, facilities);
}
