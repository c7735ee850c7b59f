#include "report/waits/wait_times.h"

#include <string.h>

#include "support/cmocka.h"

enum { MS = 1000000, US = 1000 };

static void assert_sum(const struct wait_times *times, uint32_t sample, uint64_t duration_ns,
		       uint64_t samples, uint64_t time_ns, unsigned int waits)
{
	struct wait_sum classes[WAIT_CLASSES] = { { 0 } };
	const struct wait_sum *sum = &classes[wait_class_of(duration_ns)];

	wait_times_sum(times, sample, classes);
	assert_int_equal(sum->samples, samples);
	assert_int_equal(sum->time_ns, time_ns);
	assert_int_equal((unsigned int)(sum->waits + 0.5), waits);
}

static void waits_add_up_by_sample_and_class(void **state)
{
	struct wait_times *times = wait_times_create();

	(void)state;
	wait_times_add(times, 4, 20 * MS, 20 * MS);
	wait_times_add(times, 1, 20 * MS, 20 * MS);
	wait_times_add(times, 4, 30 * MS, 30 * MS);
	wait_times_add(times, 4, 3 * MS, 3 * MS);
	wait_times_finish(times);
	assert_sum(times, 4, 20 * MS, 2, 50 * MS, 2);
	assert_sum(times, 4, 3 * MS, 1, 3 * MS, 1);
	assert_sum(times, 1, 20 * MS, 1, 20 * MS, 1);
	assert_sum(times, 2, 20 * MS, 0, 0, 0);
	assert_sum(times, 5, 20 * MS, 0, 0, 0);
	wait_times_destroy(times);
}

/* One in a hundred waits of 10 us was sampled, with a period of 1 ms. */
static void short_waits_stand_for_others(void **state)
{
	struct wait_times *times = wait_times_create();

	(void)state;
	wait_times_add(times, 0, 10 * US, MS);
	wait_times_add(times, 0, 10 * US, MS);
	wait_times_add(times, 0, 0, 1);
	wait_times_finish(times);
	assert_sum(times, 0, 10 * US, 2, 2 * MS, 200);
	assert_sum(times, 0, 0, 1, 1, 1);
	wait_times_destroy(times);
}

/* Samples 1 and 4 have been merged into 0. */
static void samples_with_a_new_number_keep_their_waits(void **state)
{
	static const uint32_t numbers[] = { 3, 0, 1, 2, 0 };
	struct wait_times *times = wait_times_create();

	(void)state;
	wait_times_add(times, 4, 20 * MS, 20 * MS);
	wait_times_add(times, 1, 20 * MS, 20 * MS);
	wait_times_add(times, 0, 20 * MS, 25 * MS);
	wait_times_renumber(times, numbers);
	wait_times_finish(times);
	assert_sum(times, 0, 20 * MS, 2, 40 * MS, 2);
	assert_sum(times, 3, 20 * MS, 1, 25 * MS, 1);
	wait_times_destroy(times);
}

static void what_was_cleared_is_filled_again(void **state)
{
	struct wait_times *times = wait_times_create();

	(void)state;
	wait_times_add(times, 1, 20 * MS, 20 * MS);
	wait_times_clear(times);
	wait_times_add(times, 1, MS, MS);
	wait_times_finish(times);
	assert_sum(times, 1, 20 * MS, 0, 0, 0);
	assert_sum(times, 1, MS, 1, MS, 1);
	wait_times_destroy(times);
	wait_times_destroy(NULL);
}

static void no_waits_have_no_sums(void **state)
{
	struct wait_times *times = wait_times_create();

	(void)state;
	wait_times_finish(times);
	assert_sum(times, 0, MS, 0, 0, 0);
	wait_times_destroy(times);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(waits_add_up_by_sample_and_class),
		cmocka_unit_test(short_waits_stand_for_others),
		cmocka_unit_test(samples_with_a_new_number_keep_their_waits),
		cmocka_unit_test(what_was_cleared_is_filled_again),
		cmocka_unit_test(no_waits_have_no_sums),
	};

	return cmocka_run_group_tests_name("report/waits/wait_times", tests, NULL, NULL);
}
