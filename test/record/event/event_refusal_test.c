#include "record/event/event_refusal.h"

#include <errno.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "support/cmocka.h"

static const struct perf_event_attr plain;
static const struct perf_event_attr with_branches = { .sample_type = PERF_SAMPLE_BRANCH_STACK };
static const struct perf_event_attr with_clock = { .use_clockid = 1, .clockid = CLOCK_REALTIME };

static struct event_refusal refusal_of(const struct perf_event_attr *attr)
{
	return (struct event_refusal){
		.attr = attr, .name = "cycles", .pid = -1, .cpu = 3, .open_count = 1000
	};
}

static void assert_explained(const struct event_refusal *refusal, int open_errno, const char *expected)
{
	struct error err = { 0 };

	assert_int_equal(event_refusal_explain(refusal, open_errno, &err), -1);
	if (!strstr(err.message, expected))
		fail_msg("%s", err.message);
}

static void each_reason_has_its_way_out(void **state)
{
	static const struct {
		int open_errno;
		const char *expected;
	} reasons[] = {
		{ ENOENT,
		  "cannot open cycles: this machine has no such event (or its PMU cannot sample it); try "
		  "-e cpu-clock" },
		{ EOPNOTSUPP, "this machine has no such event" },
		{ ENXIO, "this machine has no such event" },
		{ ENODEV,
		  "cannot open cycles on CPU 3: the CPU is offline or the PMU is not on it; choose CPUs "
		  "with -C" },
		{ EMFILE,
		  "cannot open cycles: 1000 events are open already and the limit on open files is reached; "
		  "raise it ('ulimit -n')" },
		{ ENFILE, "1000 events are open already" },
		{ EBUSY, "another profiler (or the NMI watchdog) holds the counter" },
		{ ENOSYS, "this kernel has no perf events (CONFIG_PERF_EVENTS)" },
		{ EINVAL, "the kernel refuses this combination of event, modifiers and options" },
		{ E2BIG, "this kernel is too old for one of its terms or options" },
		{ ENOMEM, "1000 events are open already and the kernel has no memory for another" },
		{ ENOSPC, "all counters or breakpoint registers of the CPU are in use" },
		{ EOVERFLOW, "call chains of 0 frames are more than the kernel follows" },
		{ EFAULT, "cannot open cycles: Bad address" },
	};
	const struct event_refusal refusal = refusal_of(&plain);

	(void)state;
	for (size_t i = 0; i < sizeof(reasons) / sizeof(*reasons); i++)
		assert_explained(&refusal, reasons[i].open_errno, reasons[i].expected);
}

static void what_is_not_permitted_is_explained_for_the_process(void **state)
{
	struct event_refusal refusal = refusal_of(&plain);
	struct error err = { 0 };

	(void)state;
	assert_explained(&refusal, EACCES, "cannot open cycles for the whole system: permission denied");
	refusal.pid = getpid();
	event_refusal_explain(&refusal, EACCES, &err);
	assert_null(strstr(err.message, "whole system"));
	assert_int_equal(err.errno_value, EACCES);
}

static void branch_stacks_need_a_cpu_that_keeps_them(void **state)
{
	struct event_refusal refusal = refusal_of(&with_branches);

	(void)state;
	assert_explained(&refusal, EOPNOTSUPP, "cannot open cycles with branch stacks: ");
	assert_explained(&refusal, ENOENT, "cannot open cycles with branch stacks: ");
	assert_explained(&refusal, EINVAL, "cannot open cycles with branch stacks: ");
	refusal.leader = "instructions";
	assert_explained(&refusal, EINVAL, "cannot open cycles in a group with instructions");
	refusal.refused_branches = PERF_SAMPLE_BRANCH_COND;
	assert_explained(&refusal, EINVAL, "cannot open cycles with branch stacks: ");
	assert_explained(&refusal, EBUSY, "holds the counter");
}

static void a_level_of_precision_may_be_too_high(void **state)
{
	const struct perf_event_attr precise = { .type = PERF_TYPE_HARDWARE, .precise_ip = 3 };
	struct event_refusal refusal = refusal_of(&precise);

	(void)state;
	refusal.name = "cycles:ppp";
	assert_explained(&refusal, EOPNOTSUPP, "that precisely (level 3); try -e cycles:pp");
	assert_explained(&refusal, ENOSPC, "are in use");
}

static void a_member_may_not_fit_into_its_group(void **state)
{
	struct event_refusal refusal = refusal_of(&with_clock);

	(void)state;
	refusal.leader = "instructions";
	assert_explained(
		&refusal, EINVAL,
		"cannot open cycles in a group with instructions: they are of different PMUs or cgroups");
}

static void a_clock_may_be_none_for_hardware_events(void **state)
{
	const struct event_refusal refusal = refusal_of(&with_clock);

	(void)state;
	assert_explained(&refusal, EINVAL,
			 "the kernel refuses it with clock realtime (hardware events take "
			 "monotonic and monotonic_raw only); try -k monotonic");
}

static void a_cgroup_may_go_away(void **state)
{
	static const struct perf_event_attr clock = { .type = PERF_TYPE_SOFTWARE };
	struct event_refusal refusal = refusal_of(&clock);

	(void)state;
	refusal.cgroup = "web";
	assert_explained(&refusal, ENOENT, "cannot open cycles in cgroup web: the cgroup has been removed");
	assert_explained(&refusal, EBADF, "it is not in the cgroup hierarchy that perf events use");
	assert_explained(&refusal, EINVAL, "this kernel counts no events in cgroups (CONFIG_CGROUP_PERF)");
	refusal.attr = &plain; /* a hardware event, which more often is missing itself */
	assert_explained(&refusal, ENOENT, "this machine has no such event");
}

static void namespaces_take_a_capability(void **state)
{
	static const struct perf_event_attr with_namespaces = { .namespaces = 1 };
	const struct event_refusal refusal = refusal_of(&with_namespaces);

	(void)state;
	assert_explained(&refusal, EACCES, "to root and to programs with CAP_PERFMON only; leave it out");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_reason_has_its_way_out),
		cmocka_unit_test(what_is_not_permitted_is_explained_for_the_process),
		cmocka_unit_test(branch_stacks_need_a_cpu_that_keeps_them),
		cmocka_unit_test(a_level_of_precision_may_be_too_high),
		cmocka_unit_test(a_member_may_not_fit_into_its_group),
		cmocka_unit_test(a_clock_may_be_none_for_hardware_events),
		cmocka_unit_test(a_cgroup_may_go_away),
		cmocka_unit_test(namespaces_take_a_capability),
	};

	return cmocka_run_group_tests_name("record/event/event_refusal", tests, NULL, NULL);
}
