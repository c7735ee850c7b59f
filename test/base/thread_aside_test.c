#include "base/thread_aside.h"

#include <stdint.h>

#include "support/cmocka.h"

static void add_up(void *context)
{
	uint64_t *sum = context;

	for (uint64_t i = 1; i <= 1000; i++)
		*sum += i;
}

static void the_work_is_done_when_it_was_waited_for(void **state)
{
	(void)state;
	for (unsigned round = 0; round < 50; round++) {
		struct thread_aside aside = { 0 };
		uint64_t sum = 0;

		thread_aside_start(&aside, add_up, &sum);
		thread_aside_wait(&aside);
		assert_int_equal(sum, 500500);
	}
}

static void who_waits_twice_or_for_nothing_does_not_wait(void **state)
{
	struct thread_aside aside = { 0 };
	uint64_t sum = 0;

	(void)state;
	thread_aside_wait(&aside);
	thread_aside_start(&aside, add_up, &sum);
	thread_aside_wait(&aside);
	thread_aside_wait(&aside);
	assert_int_equal(sum, 500500);
}

static void it_can_be_started_again(void **state)
{
	struct thread_aside aside = { 0 };
	uint64_t sum = 0;

	(void)state;
	thread_aside_start(&aside, add_up, &sum);
	thread_aside_wait(&aside);
	thread_aside_start(&aside, add_up, &sum);
	thread_aside_wait(&aside);
	assert_int_equal(sum, 1001000);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_work_is_done_when_it_was_waited_for),
		cmocka_unit_test(who_waits_twice_or_for_nothing_does_not_wait),
		cmocka_unit_test(it_can_be_started_again),
	};

	return cmocka_run_group_tests_name("base/thread_aside", tests, NULL, NULL);
}
