#include "profile/sample_log.h"

#include "support/cmocka.h"

static void samples_come_back_in_their_order_however_many(void **state)
{
	enum { MANY = 100000 }; /* more than the buffer holds */
	struct sample_log *log = sample_log_create(NULL);

	(void)state;
	for (uint32_t i = 0; i < MANY; i++)
		sample_log_add(log, i * UINT64_C(1000), i % 7, i % 5, i);
	assert_int_equal(sample_log_finish(log, NULL), 0);
	assert_int_equal(sample_log_count(log), MANY);
	for (uint32_t i = 0; i < MANY; i++) {
		assert_int_equal(sample_log_at(log, i)->time_ns, i * UINT64_C(1000));
		assert_int_equal(sample_log_at(log, i)->sample, i % 7);
		assert_int_equal(sample_log_at(log, i)->stack, i % 5);
		assert_int_equal(sample_log_at(log, i)->weight, i);
	}
	sample_log_destroy(log);
}

static void samples_get_new_numbers(void **state)
{
	static const uint32_t samples[] = { 5, 9 }, stacks[] = { 8, 6 };
	struct sample_log *log = sample_log_create(NULL);

	(void)state;
	sample_log_add(log, SAMPLE_LOG_NO_TIME, 1, 0, 2);
	sample_log_add(log, 3, 0, UINT32_MAX, 4);
	sample_log_renumber(log, samples, stacks);
	assert_int_equal(sample_log_finish(log, NULL), 0);
	assert_int_equal(sample_log_at(log, 0)->sample, 9);
	assert_true(sample_log_at(log, 0)->time_ns == SAMPLE_LOG_NO_TIME);
	assert_int_equal(sample_log_at(log, 1)->sample, 5);
	assert_int_equal(sample_log_at(log, 0)->stack, 8);
	assert_int_equal(sample_log_at(log, 1)->stack, UINT32_MAX);
	sample_log_destroy(log);
}

static void samples_are_there_again_after_their_memory_was_released(void **state)
{
	static const uint32_t numbers[] = { 7 };
	struct sample_log *log = sample_log_create(NULL);

	(void)state;
	sample_log_release(log); /* of nothing */
	sample_log_add(log, 3, 0, 0, 4);
	sample_log_renumber(log, numbers, NULL);
	sample_log_release(log);
	assert_int_equal(sample_log_finish(log, NULL), 0);
	assert_int_equal(sample_log_at(log, 0)->sample, 7);
	sample_log_release(log);
	assert_int_equal(sample_log_count(log), 1);
	assert_int_equal(sample_log_at(log, 0)->sample, 7);
	assert_int_equal(sample_log_at(log, 0)->weight, 4);
	sample_log_destroy(log);
}

static void a_cleared_log_is_empty_and_takes_samples_again(void **state)
{
	struct sample_log *log = sample_log_create(NULL);

	(void)state;
	sample_log_add(log, 1, 1, 1, 1);
	assert_int_equal(sample_log_finish(log, NULL), 0);
	sample_log_clear(log);
	assert_int_equal(sample_log_count(log), 0);
	sample_log_add(log, 2, 3, 1, 4);
	assert_int_equal(sample_log_finish(log, NULL), 0);
	assert_int_equal(sample_log_count(log), 1);
	assert_int_equal(sample_log_at(log, 0)->time_ns, 2);
	sample_log_destroy(log);
}

/* As rings of several CPUs are read one after the other: each is in order, and a round reaches into the next one. */
static void samples_are_put_into_order_of_time(void **state)
{
	enum { RINGS = 3, ROUNDS = 40, IN_ROUND = 1000, MANY = RINGS * ROUNDS * IN_ROUND };
	struct sample_log *log = sample_log_create(NULL);

	(void)state;
	for (uint32_t round = 0; round < ROUNDS; round++)
		for (uint32_t ring = 0; ring < RINGS; ring++)
			for (uint32_t i = 0; i < IN_ROUND; i++) {
				const uint32_t at =
					(round * IN_ROUND + i) * RINGS + (ring + 1) % RINGS + ring * 500;

				sample_log_add(log, at / 2, at, 0, 1);
			}
	sample_log_add(log, SAMPLE_LOG_NO_TIME, 1, 0, 1);
	sample_log_add(log, 7, 2, 0, 1);
	sample_log_add(log, SAMPLE_LOG_NO_TIME, 3, 0, 1);
	assert_int_equal(sample_log_finish(log, NULL), 0);
	sample_log_sort(log);
	assert_int_equal(sample_log_count(log), MANY + 3);
	for (size_t i = 1; i < MANY + 3; i++)
		assert_true(sample_log_at(log, i - 1)->time_ns <= sample_log_at(log, i)->time_ns);
	for (size_t i = 0; i < MANY + 1; i++)
		if (sample_log_at(log, i)->time_ns != 7)
			assert_int_equal(sample_log_at(log, i)->sample / 2, sample_log_at(log, i)->time_ns);
	assert_int_equal(sample_log_at(log, MANY + 1)->sample, 1);
	assert_int_equal(sample_log_at(log, MANY + 2)->sample, 3);
	sample_log_destroy(log);
}

static void samples_of_one_time_keep_their_order(void **state)
{
	struct sample_log *log = sample_log_create(NULL);

	(void)state;
	sample_log_add(log, 9, 0, 0, 1);
	sample_log_add(log, 5, 1, 0, 1);
	sample_log_add(log, 9, 2, 0, 1);
	sample_log_add(log, 5, 3, 0, 1);
	assert_int_equal(sample_log_finish(log, NULL), 0);
	sample_log_sort(log);
	assert_int_equal(sample_log_at(log, 0)->sample, 1);
	assert_int_equal(sample_log_at(log, 1)->sample, 3);
	assert_int_equal(sample_log_at(log, 2)->sample, 0);
	assert_int_equal(sample_log_at(log, 3)->sample, 2);
	sample_log_destroy(log);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(samples_come_back_in_their_order_however_many),
		cmocka_unit_test(samples_get_new_numbers),
		cmocka_unit_test(samples_are_there_again_after_their_memory_was_released),
		cmocka_unit_test(samples_are_put_into_order_of_time),
		cmocka_unit_test(samples_of_one_time_keep_their_order),
		cmocka_unit_test(a_cleared_log_is_empty_and_takes_samples_again),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
