#include "record/machine/facilities.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "support/cmocka.h"

/* A machine with every feature. */
static struct facilities all(void)
{
	return (struct facilities){
		.has_procmap_query = true,
		.shows_kernel_addresses = true,
		.cgroups = { .root = "/sys/fs/cgroup", .version = 2 },
		.tracefs = "/sys/kernel/tracing",
		.reads_tracefs = true,
		.paranoid_level = -1,
		.may_lock_all = true,
		.max_sample_rate = 100000,
		.max_stack = 127,
	};
}

static char *report(const struct facilities *facilities)
{
	static struct strbuf out;

	if (out.bytes)
		strbuf_fini(&out);
	strbuf_init(&out);
	facility_report_add(&out, facilities);
	return out.bytes;
}

static void assert_says(const struct facilities *facilities, const char *line)
{
	const char *text = report(facilities);

	if (!strstr(text, line))
		fail_msg("'%s' is not in\n%s", line, text);
}

static void where_nothing_is_missing_all_lines_are_yes(void **state)
{
	const struct facilities facilities = all();
	size_t lines = 0;

	(void)state;
	for (const char *line = report(&facilities); *line; line += strcspn(line, "\n") + 1, lines++)
		assert_memory_equal(line, "yes  ", 5);
	assert_int_equal(lines, 23);
	assert_says(&facilities, "yes  cgroups: version 2 at /sys/fs/cgroup\n");
	assert_says(&facilities, "yes  events of own programs: kernel.perf_event_paranoid is -1\n");
}

static void without_events_nothing_else_is_said(void **state)
{
	struct facilities facilities = all();

	(void)state;
	facilities.own_errno = ENOSYS;
	assert_string_equal(
		report(&facilities),
		"no   events of own programs: nothing can be recorded: this kernel has no perf events "
		"(CONFIG_PERF_EVENTS), or a container's seccomp filter hides them\n");
	facilities.own_errno = EPERM;
	assert_says(&facilities, "--cap-add PERFMON) (Operation not permitted)\n");
	facilities.own_errno = EACCES;
	assert_says(&facilities, "(Permission denied)\n");
}

static void each_lack_is_said_with_its_cost(void **state)
{
	struct facilities facilities = all();

	(void)state;
	facilities.kernel_errno = facilities.system_errno = EACCES;
	assert_says(&facilities, "no   the kernel's part of samples: user space alone is sampled");
	assert_says(&facilities,
		    "no   the whole system (-a, -C, -G): only commands and processes of this user");
	facilities.cycles_errno = facilities.branch_errno = ENOENT;
	assert_says(&facilities, "no   hardware counters: cpu-clock is recorded instead of cycles");
	assert_says(&facilities, "no   branch records (-b, -j): -b and -j are refused");
	facilities.has_brs = true;
	assert_says(&facilities, "yes  branch records (-b): AMD BRS has them with its own event alone");
	facilities.has_procmap_query = facilities.shows_kernel_addresses = false;
	assert_says(&facilities, "no   mappings by ioctl (PROCMAP_QUERY): /proc/PID/maps is read as text");
	assert_says(&facilities, "no   addresses of the kernel: kernel functions have no names");
	facilities.cgroups.version = 0;
	assert_says(&facilities,
		    "no   cgroups: no hierarchy that perf events use is mounted, so -G is refused");
	facilities.reads_tracefs = false;
	assert_says(&facilities, "no   tracepoints: /sys/kernel/tracing may not be read by this user");
	facilities.tracefs = NULL;
	assert_says(&facilities, "no   tracepoints: tracefs is not mounted");
}

static void the_reason_why_stacks_are_not_copied_is_said(void **state)
{
	struct facilities facilities = all();

	(void)state;
	snprintf(facilities.no_stack_copies.message, sizeof(facilities.no_stack_copies.message),
		 "no CAP_BPF");
	assert_says(&facilities,
		    "no   copies of whole stacks (BPF): no CAP_BPF; the kernel copies the innermost "
		    "16384 bytes");
}

static void what_waits_are_recorded_without_is_said(void **state)
{
	struct facilities facilities = all();

	(void)state;
	facilities.copies_at_exit = true;
	assert_says(&facilities,
		    "yes  time off the CPU (--off-cpu): user stacks are copied at the end of system");
	snprintf(facilities.no_waits.message, sizeof(facilities.no_waits.message), "no CAP_BPF");
	assert_says(&facilities, "no   time off the CPU (--off-cpu): no CAP_BPF; every switch is sampled");
}

static void what_an_old_kernel_does_not_know_is_said_with_the_first_that_does(void **state)
{
	struct facilities facilities = all();

	(void)state;
	for (int feature = 0; feature < ATTR_FEATURE_COUNT; feature++)
		facilities.feature_errno[feature] = EINVAL;
	assert_says(&facilities,
		    "no   losses counted for each event: samples that are lost after the last record "
		    "of a ring are not counted (Linux 6.0)\n");
	assert_says(&facilities,
		    "no   deferred call chains: --call-graph fp,defer takes user stacks with each");
	assert_says(&facilities, "no   namespaces (--namespaces): the option is refused (Linux 4.12)\n");
	facilities.feature_errno[ATTR_FEATURE_NAMESPACES] = EACCES;
	assert_says(&facilities, "no   namespaces (--namespaces): they need root or CAP_PERFMON\n");
}

static void limits_are_numbers(void **state)
{
	struct facilities facilities = all();

	(void)state;
	facilities.may_lock_all = false;
	facilities.mlock_cpu_bytes = 516 * 1024;
	facilities.mlock_user_bytes = 64 * 1024;
	assert_says(&facilities,
		    "no   rings of any size: locked memory is limited to 516 KiB for each CPU and 64 "
		    "KiB beyond that");
	facilities.mlock_user_bytes = UINT64_MAX;
	assert_says(&facilities, "yes  rings of any size\n");
	facilities.max_sample_rate = 25000;
	assert_says(&facilities, "yes  frequencies: up to 25000 Hz (kernel.perf_event_max_sample_rate)\n");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(where_nothing_is_missing_all_lines_are_yes),
		cmocka_unit_test(without_events_nothing_else_is_said),
		cmocka_unit_test(each_lack_is_said_with_its_cost),
		cmocka_unit_test(the_reason_why_stacks_are_not_copied_is_said),
		cmocka_unit_test(what_waits_are_recorded_without_is_said),
		cmocka_unit_test(what_an_old_kernel_does_not_know_is_said_with_the_first_that_does),
		cmocka_unit_test(limits_are_numbers),
	};

	return cmocka_run_group_tests_name("record/machine/facility_report", tests, NULL, NULL);
}
