#include "report/waits/wait_class.h"

#include <string.h>

#include "support/cmocka.h"

static void assert_class(uint64_t duration_ns, const char *expected)
{
	struct strbuf text;

	strbuf_init(&text);
	wait_class_add_text(&text, wait_class_of(duration_ns));
	assert_string_equal(text.bytes, expected);
	strbuf_fini(&text);
}

static void classes_double_within_a_unit(void **state)
{
	(void)state;
	assert_class(0, "   0-1    us");
	assert_class(999, "   0-1    us");
	assert_class(1000, "   1-2    us");
	assert_class(1999, "   1-2    us");
	assert_class(2000, "   2-4    us");
	assert_class(511999, " 256-512  us");
	assert_class(999999, " 512-1024 us");
	assert_class(1000000, "   1-2    ms");
	assert_class(999999999, " 512-1024 ms");
	assert_class(1000000000, "   1-2     s");
	assert_class(90000000000, "  64-128   s");
}

static void a_longer_wait_is_in_no_lower_class(void **state)
{
	unsigned int before = 0;

	(void)state;
	for (uint64_t duration_ns = 1; duration_ns < UINT64_MAX / 3; duration_ns += duration_ns / 2 + 1) {
		const unsigned int own = wait_class_of(duration_ns);

		assert_true(own >= before && own < WAIT_CLASSES);
		before = own;
	}
	assert_true(wait_class_of(UINT64_MAX) < WAIT_CLASSES);
}

static void the_duration_is_that_of_the_state(void **state)
{
	struct off_cpu_wait wait = { .state = OFF_CPU_SLEEPING, .blocked_ns = 5, .waiting_ns = 7 };

	(void)state;
	assert_int_equal(wait_class_duration_ns(&wait), 5);
	wait.state = OFF_CPU_RUNQUEUE;
	assert_int_equal(wait_class_duration_ns(&wait), 7);
	wait.state = OFF_CPU_PREEMPTED;
	assert_int_equal(wait_class_duration_ns(&wait), 7);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(classes_double_within_a_unit),
		cmocka_unit_test(a_longer_wait_is_in_no_lower_class),
		cmocka_unit_test(the_duration_is_that_of_the_state),
	};

	return cmocka_run_group_tests_name("report/waits/wait_class", tests, NULL, NULL);
}
