#include "record/flush_schedule.h"

#include "support/cmocka.h"

enum { MS = 1000 * 1000 };

static const uint64_t begin_ns = UINT64_C(5000000000);

static void few_records_wait_for_two_seconds(void **state)
{
	struct flush_schedule schedule = { begin_ns, begin_ns };

	(void)state;
	assert_false(flush_schedule_look(&schedule, begin_ns + 249 * MS));
	assert_true(flush_schedule_look(&schedule, begin_ns + 250 * MS));
	assert_false(flush_schedule_flush(&schedule, true, begin_ns + 250 * MS));
	assert_true(flush_schedule_look(&schedule, begin_ns + UINT64_C(1999) * MS));
	assert_false(flush_schedule_flush(&schedule, true, begin_ns + UINT64_C(1999) * MS));
	assert_true(flush_schedule_look(&schedule, begin_ns + UINT64_C(2250) * MS));
	assert_true(flush_schedule_flush(&schedule, true, begin_ns + UINT64_C(2250) * MS));
	assert_true(flush_schedule_next_ns(&schedule) == begin_ns + UINT64_C(4250) * MS);
}

static void many_are_flushed_at_once(void **state)
{
	struct flush_schedule schedule = { begin_ns, begin_ns };

	(void)state;
	assert_true(flush_schedule_flush(&schedule, false, begin_ns + 250 * MS));
	assert_true(flush_schedule_next_ns(&schedule) == begin_ns + UINT64_C(2250) * MS);
}

/* A full ring wakes the recorder at any time, and each time that it wakes up it looks if it may. */
static void at_the_next_time_there_is_always_something_to_do(void **state)
{
	(void)state;
	for (uint64_t woken_ns = 0; woken_ns < UINT64_C(2000) * MS; woken_ns += 7 * MS) {
		struct flush_schedule schedule = { begin_ns, begin_ns };
		uint64_t next_ns;

		if (flush_schedule_look(&schedule, begin_ns + woken_ns))
			assert_false(flush_schedule_flush(&schedule, true, begin_ns + woken_ns));
		next_ns = flush_schedule_next_ns(&schedule);
		assert_true(next_ns > begin_ns + woken_ns);
		assert_true(flush_schedule_look(&schedule, next_ns));
		assert_true(flush_schedule_flush(&schedule, true, next_ns));
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(few_records_wait_for_two_seconds),
		cmocka_unit_test(many_are_flushed_at_once),
		cmocka_unit_test(at_the_next_time_there_is_always_something_to_do),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
