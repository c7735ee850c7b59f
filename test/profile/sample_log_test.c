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

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(samples_come_back_in_their_order_however_many),
		cmocka_unit_test(samples_get_new_numbers),
		cmocka_unit_test(samples_are_there_again_after_their_memory_was_released),
		cmocka_unit_test(a_cleared_log_is_empty_and_takes_samples_again),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
