/* facilities_ask() tries a facility if that has no side effects; otherwise it reads the kernel's settings. */
#include "record/machine/facilities.h"

#include <errno.h>
#include <stdio.h>
#include <sys/resource.h>
#include <unistd.h>

#include "record/machine/kernel_symbols.h"
#include "record/machine/permission.h"
#include "record/machine/proc_file.h"
#include "record/machine/procmap_query.h"

/* Returns the errno, or 0 if the event opens. */
static int try_event(const struct perf_calls *calls, const struct perf_event_attr *asked, pid_t pid, int cpu)
{
	struct perf_event_attr attr = *asked;
	int fd;

	attr.size = PERF_ATTR_SIZE_VER5; /* Linux 4.1: has all fields used here */
	attr.disabled = 1;
	attr.exclude_hv = 1;
	fd = calls->open(&attr, pid, cpu, -1, PERF_FLAG_FD_CLOEXEC);
	if (fd < 0)
		return errno;
	close(fd);
	return 0;
}

/* AMD BRS records branches only with this event, and with a period above their number: amd/brs.c */
static bool has_brs(const struct perf_calls *calls)
{
	const struct perf_event_attr brs = {
		.type = PERF_TYPE_RAW,
		.config = 0xc4, /* AMD_FAM19H_BRS_EVENT, retired taken branches */
		.sample_period = 1000003,
		.sample_type = PERF_SAMPLE_IP | PERF_SAMPLE_BRANCH_STACK,
		.branch_sample_type = PERF_SAMPLE_BRANCH_ANY | PERF_SAMPLE_BRANCH_USER,
		.exclude_kernel = 1,
	};

	return try_event(calls, &brs, 0, -1) == 0;
}

static void ask_for_events(struct facilities *facilities, const struct perf_calls *calls)
{
	struct perf_event_attr clock = { .type = PERF_TYPE_SOFTWARE,
					 .config = PERF_COUNT_SW_CPU_CLOCK,
					 .sample_period = 1000000,
					 .sample_type = PERF_SAMPLE_IP };
	struct perf_event_attr cycles = { .type = PERF_TYPE_HARDWARE,
					  .config = PERF_COUNT_HW_CPU_CYCLES,
					  .sample_period = 1000000,
					  .sample_type = PERF_SAMPLE_IP,
					  .exclude_kernel = 1 };

	facilities->system_errno = try_event(calls, &clock, -1, 0);
	facilities->kernel_errno = try_event(calls, &clock, 0, -1);
	clock.exclude_kernel = 1;
	facilities->own_errno = try_event(calls, &clock, 0, -1);
	facilities->cycles_errno = try_event(calls, &cycles, 0, -1);
	cycles.sample_type |= PERF_SAMPLE_BRANCH_STACK;
	cycles.branch_sample_type = PERF_SAMPLE_BRANCH_ANY | PERF_SAMPLE_BRANCH_USER;
	facilities->branch_errno = try_event(calls, &cycles, 0, -1);
	facilities->has_brs = facilities->branch_errno == EINVAL && has_brs(calls);
	for (int feature = 0; feature < ATTR_FEATURE_COUNT; feature++)
		facilities->feature_errno[feature] = attr_feature_try(feature, calls);
}

static uint64_t setting(const char *proc, const char *name, uint64_t otherwise)
{
	char path[256];
	long long value;

	snprintf(path, sizeof(path), "%s/sys/kernel/%s", proc, name);
	return proc_file_read_number(path, &value, NULL) < 0 || value < 0 ? otherwise : (uint64_t)value;
}

static void ask_for_limits(struct facilities *facilities, const char *proc)
{
	struct rlimit locked = { .rlim_cur = RLIM_INFINITY };

	(void)getrlimit(RLIMIT_MEMLOCK, &locked);
	facilities->paranoid_level = permission_paranoid_level();
	facilities->has_perfmon = permission_has_perfmon(proc);
	facilities->may_lock_all =
		permission_has(proc, PERMISSION_IPC_LOCK) || facilities->paranoid_level < 0;
	facilities->mlock_cpu_bytes = setting(proc, "perf_event_mlock_kb", 516) * 1024;
	facilities->mlock_user_bytes = locked.rlim_cur == RLIM_INFINITY ? UINT64_MAX : locked.rlim_cur;
	facilities->max_sample_rate = setting(proc, "perf_event_max_sample_rate", 100000);
	facilities->max_stack = setting(proc, "perf_event_max_stack", PERF_MAX_STACK_DEPTH);
}

static bool may_read(const char *directory)
{
	char path[512];

	snprintf(path, sizeof(path), "%s/events/sched/sched_switch/id", directory);
	return access(path, R_OK) == 0;
}

void facilities_ask(struct facilities *facilities, const struct facility_sources *sources)
{
	struct kernel_text text;
	int waits;

	*facilities = (struct facilities){ .tracefs = sources->tracefs };
	ask_for_events(facilities, sources->calls);
	ask_for_limits(facilities, sources->proc);
	facilities->has_procmap_query = procmap_query_is_known(sources->proc);
	facilities->shows_kernel_addresses = kernel_text_find(&text, sources->proc, NULL) > 0;
	facilities->reads_tracefs = sources->tracefs && may_read(sources->tracefs);
	(void)cgroup_mount_find(&facilities->cgroups, sources->proc);
	if (sources->try_stack_copies(&facilities->no_stack_copies) == 0)
		facilities->no_stack_copies.message[0] = '\0';
	waits = sources->try_waits(&facilities->no_waits);
	facilities->copies_at_exit = waits > 0;
	if (waits >= 0)
		facilities->no_waits.message[0] = '\0';
}
