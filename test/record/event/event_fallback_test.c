#include "record/event/event_fallback.h"

#include <errno.h>
#include <stdlib.h>

#include "base/xalloc.h"
#include "support/cmocka.h"

struct fixture {
	struct asked_event event;
	struct fallback_options options;
	struct strbuf notices;
};

static int one(void)
{
	return 1;
}

static int two(void)
{
	return 2;
}

/* cycles of user space and the kernel, which this user may observe. */
static int set_up(void **state)
{
	struct fixture *fixture = calloc(1, sizeof(*fixture));

	fixture->event = (struct asked_event){ .attr = { .type = PERF_TYPE_HARDWARE,
							 .config = PERF_COUNT_HW_CPU_CYCLES },
					       .name = xstrdup("cycles") };
	fixture->options.paranoid_level = one;
	strbuf_init(&fixture->notices);
	*state = fixture;
	return 0;
}

static int tear_down(void **state)
{
	struct fixture *fixture = *state;

	strbuf_fini(&fixture->notices);
	free(fixture->event.name);
	free(fixture);
	return 0;
}

static void rename_event(struct fixture *fixture, const char *name)
{
	free(fixture->event.name);
	fixture->event.name = xstrdup(name);
}

static bool fall_back(struct fixture *fixture, int open_errno)
{
	return event_fallback(&fixture->event, open_errno, &fixture->options, &fixture->notices);
}

static void who_may_not_see_the_kernel_gets_user_space(void **state)
{
	struct fixture *fixture = *state;

	fixture->options.paranoid_level = two;
	assert_true(fall_back(fixture, EACCES));
	assert_string_equal(fixture->event.name, "cycles:u");
	assert_true(fixture->event.attr.exclude_kernel);
	assert_true(fixture->event.attr.exclude_callchain_kernel);
	assert_true(fixture->event.attr.exclude_hv);
	assert_string_equal(fixture->notices.bytes,
			    "cycles: user space only, since kernel.perf_event_paranoid is 2; 'sysctl "
			    "kernel.perf_event_paranoid=1' or CAP_PERFMON lets the kernel be seen\n");
	assert_false(fall_back(fixture, EACCES)); /* there is no further step */
}

static void a_modifier_is_added_to_those_that_are_there(void **state)
{
	struct fixture *fixture = *state;

	rename_event(fixture, "cycles:P");
	fixture->options.paranoid_level = two;
	assert_true(fall_back(fixture, EPERM));
	assert_string_equal(fixture->event.name, "cycles:Pu");
}

static void what_is_only_of_the_kernel_is_not_made_one_of_user_space(void **state)
{
	struct fixture *fixture = *state;

	fixture->options.paranoid_level = two;
	fixture->event.attr.exclude_user = 1;
	assert_false(fall_back(fixture, EACCES));
	assert_string_equal(fixture->notices.bytes, "");
}

static void a_refusal_that_is_not_about_the_kernel_stands(void **state)
{
	struct fixture *fixture = *state;

	assert_false(fall_back(fixture, EACCES));
	assert_false(fall_back(fixture, EMFILE));
	assert_false(fall_back(fixture, EBUSY));
}

static void without_hardware_counters_cycles_are_a_clock(void **state)
{
	struct fixture *fixture = *state;

	assert_true(fall_back(fixture, ENOENT));
	assert_string_equal(fixture->event.name, "cpu-clock");
	assert_int_equal(fixture->event.attr.type, PERF_TYPE_SOFTWARE);
	assert_int_equal(fixture->event.attr.config, PERF_COUNT_SW_CPU_CLOCK);
	assert_true(fixture->event.attr.exclude_idle);
	assert_string_equal(
		fixture->notices.bytes,
		"cycles: this machine has no hardware counters (a virtual machine?): recording cpu-clock instead\n");
	assert_false(fall_back(fixture, ENOENT));
}

static void a_clock_keeps_the_modifiers_that_it_knows(void **state)
{
	struct fixture *fixture = *state;

	rename_event(fixture, "cycles:uppH");
	assert_true(fall_back(fixture, EOPNOTSUPP));
	assert_string_equal(fixture->event.name, "cpu-clock:u");
	assert_string_equal(
		fixture->notices.bytes,
		"cycles: this machine has no hardware counters (a virtual machine?): recording cpu-clock:u instead\n");
}

static void what_may_be_less_precise_becomes_so_step_by_step(void **state)
{
	struct fixture *fixture = *state;

	fixture->event.attr.precise_ip = 2;
	fixture->event.precise_max = true;
	assert_true(fall_back(fixture, EOPNOTSUPP));
	assert_int_equal(fixture->event.attr.precise_ip, 1);
	assert_true(fall_back(fixture, EINVAL));
	assert_int_equal(fixture->event.attr.precise_ip, 0);
	assert_false(fall_back(fixture, EINVAL));
	assert_string_equal(fixture->event.name, "cycles");
}

static void what_an_older_kernel_does_not_know_is_left_out_without_a_word(void **state)
{
	struct fixture *fixture = *state;

	fixture->event.attr.precise_ip = 2; /* required, not a maximum */
	fixture->event.attr.build_id = 1;
	fixture->event.attr.mmap2 = 1;
	assert_true(fall_back(fixture, EINVAL));
	assert_false(fixture->event.attr.build_id);
	assert_true(fixture->event.attr.mmap2);
	assert_true(fall_back(fixture, EINVAL));
	assert_false(fixture->event.attr.mmap2);
	assert_false(fall_back(fixture, EINVAL));
	assert_int_equal(fixture->event.attr.precise_ip, 2);
	assert_string_equal(fixture->notices.bytes, "");
}

static void what_must_be_precise_does_not_become_a_clock(void **state)
{
	struct fixture *fixture = *state;

	fixture->event.attr.precise_ip = 3;
	assert_false(fall_back(fixture, EOPNOTSUPP));
	assert_int_equal(fixture->event.attr.type, PERF_TYPE_HARDWARE);
	assert_string_equal(fixture->notices.bytes, "");
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(who_may_not_see_the_kernel_gets_user_space),
		TEST(a_modifier_is_added_to_those_that_are_there),
		TEST(what_is_only_of_the_kernel_is_not_made_one_of_user_space),
		TEST(a_refusal_that_is_not_about_the_kernel_stands),
		TEST(without_hardware_counters_cycles_are_a_clock),
		TEST(a_clock_keeps_the_modifiers_that_it_knows),
		TEST(what_may_be_less_precise_becomes_so_step_by_step),
		TEST(what_must_be_precise_does_not_become_a_clock),
		TEST(what_an_older_kernel_does_not_know_is_left_out_without_a_word),
	};

	return cmocka_run_group_tests_name("record/event/event_fallback", tests, NULL, NULL);
}
