#include "report/waits/wait_text.h"

#include "support/cmocka.h"

static void expect(const struct off_cpu_wait *wait, enum sample_key key, const char *expected)
{
	struct strbuf text;

	strbuf_init(&text);
	wait_text_add(&text, key, wait);
	assert_string_equal(text.bytes, expected);
	strbuf_fini(&text);
}

static void a_thread_is_named_as_waker_and_nothing_else_is(void **state)
{
	struct off_cpu_wait wait = { .wakers[0].kind = OFF_CPU_WAKER_THREAD, .wakers[0].comm = "writer" };

	(void)state;
	expect(&wait, SAMPLE_KEY_WAKER, "writer");
	wait = (struct off_cpu_wait){ .wakers[0].kind = OFF_CPU_WAKER_THREAD, .wakers[0].comm = "a\033[31m" };
	expect(&wait, SAMPLE_KEY_WAKER, "a?[31m");
	wait.wakers[0].kind = OFF_CPU_WAKER_TIMER;
	expect(&wait, SAMPLE_KEY_WAKER, "[timer]");
	wait = (struct off_cpu_wait){ .wakers[0].kind = OFF_CPU_WAKER_THREAD };
	expect(&wait, SAMPLE_KEY_WAKER, "[thread]");
}

static void durations_are_in_classes_of_powers_of_two(void **state)
{
	static const struct {
		uint64_t ns;
		const char *text;
	} cases[] = {
		{ 0, "   0-1    us" },        { 999, "   0-1    us" },        { 1000, "   1-2    us" },
		{ 3999, "   2-4    us" },     { 999999, " 512-1024 us" },     { 1000000, "   1-2    ms" },
		{ 20000000, "  16-32   ms" }, { 1000000000, "   1-2     s" }, { 5000000000, "   4-8     s" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		const struct off_cpu_wait wait = { .state = OFF_CPU_SLEEPING, .blocked_ns = cases[i].ns };

		expect(&wait, SAMPLE_KEY_WAIT_TIME, cases[i].text);
	}
}

static void the_duration_is_that_of_the_state(void **state)
{
	const struct off_cpu_wait wait = { .state = OFF_CPU_RUNQUEUE,
					   .blocked_ns = 20000000,
					   .waiting_ns = 1500 };

	(void)state;
	expect(&wait, SAMPLE_KEY_WAIT_TIME, "   1-2    us");
}

static void samples_of_other_events_are_of_threads_that_ran(void **state)
{
	(void)state;
	expect(NULL, SAMPLE_KEY_STATE, "running");
	expect(NULL, SAMPLE_KEY_WAKER, "-");
}

static void states_and_kinds_have_their_names(void **state)
{
	const struct off_cpu_wait wait = { .state = OFF_CPU_DISK, .kind = OFF_CPU_KIND_FUTEX };

	(void)state;
	expect(&wait, SAMPLE_KEY_STATE, "disk");
	expect(&wait, SAMPLE_KEY_WAIT, "futex");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_thread_is_named_as_waker_and_nothing_else_is),
		cmocka_unit_test(durations_are_in_classes_of_powers_of_two),
		cmocka_unit_test(the_duration_is_that_of_the_state),
		cmocka_unit_test(samples_of_other_events_are_of_threads_that_ran),
		cmocka_unit_test(states_and_kinds_have_their_names),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
