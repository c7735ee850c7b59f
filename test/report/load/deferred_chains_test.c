#include "report/load/deferred_chains.h"

#include <string.h>

#include "support/cmocka.h"

#define USER_DEFERRED ((uint64_t)-640)

/* A sample of thread `tid` with the chain `words`. The event's payload is one byte, `mark`, which identifies it. */
static bool add(struct deferred_chains *chains, uint32_t tid, const uint64_t *words, size_t count,
		uint8_t mark)
{
	const struct event event = { .payload = &mark, .payload_size = 1 };
	const struct sample sample = { .tid = tid,
				       .callchain = (const uint8_t *)words,
				       .callchain_count = count };

	return deferred_chains_add(chains, &event, &sample, mark);
}

static void a_chain_that_ends_with_a_cookie_waits_and_others_do_not(void **state)
{
	const uint64_t waits[] = { 0x10, USER_DEFERRED, 5 }, complete[] = { 0x10, 0x20, 5 };
	struct deferred_chains *chains = deferred_chains_create();

	(void)state;
	assert_true(add(chains, 7, waits, 3, 1));
	assert_false(add(chains, 7, complete, 3, 2));
	assert_false(add(chains, 7, waits, 2, 3)); /* a marker without its cookie */
	assert_false(add(chains, 7, waits, 0, 4));
	deferred_chains_destroy(chains);
}

static void samples_are_taken_thread_by_thread_in_their_order(void **state)
{
	/* Two threads in one bucket: buckets are chosen by the lower bits. */
	const uint64_t words[] = { USER_DEFERRED, 5 };
	const uint32_t one = 7, other = 7 + (1 << 20);
	struct deferred_chains *chains = deferred_chains_create();
	struct deferred_sample sample;

	(void)state;
	assert_true(add(chains, one, words, 2, 1));
	assert_true(add(chains, other, words, 2, 2));
	assert_true(add(chains, one, words, 2, 3));
	assert_int_equal(deferred_chains_take_thread(chains, 9, &sample), 0);
	assert_int_equal(deferred_chains_take_thread(chains, one, &sample), 1);
	assert_int_equal(sample.event.payload[0], 1);
	assert_int_equal(sample.time_ns, 1);
	assert_int_equal(sample.cookie, 5);
	assert_int_equal(deferred_chains_take_thread(chains, one, &sample), 1);
	assert_int_equal(sample.event.payload[0], 3);
	assert_int_equal(deferred_chains_take_thread(chains, one, &sample), 0);
	assert_true(add(chains, one, words, 2, 4));
	assert_int_equal(deferred_chains_take_any(chains, &sample), 1);
	assert_int_equal(sample.event.payload[0], 2);
	assert_int_equal(deferred_chains_take_any(chains, &sample), 1);
	assert_int_equal(sample.event.payload[0], 4);
	assert_int_equal(deferred_chains_take_any(chains, &sample), 0);
	deferred_chains_destroy(chains);
}

static void no_more_wait_than_there_is_room_for(void **state)
{
	const uint64_t words[] = { USER_DEFERRED, 5 };
	struct deferred_chains *chains = deferred_chains_create();
	uint32_t tid = 0;

	(void)state;
	while (tid < 1 << 20 && add(chains, tid, words, 2, 0))
		tid++;
	assert_int_equal(tid, 1 << 16);
	deferred_chains_destroy(chains);
}

static void a_record_is_joined_behind_the_cookie(void **state)
{
	const uint64_t words[] = { 0x10, USER_DEFERRED, 5 }, payload[] = { 5, 2, 0x20, 0x30, 99 };
	const struct event event = { .payload = (const uint8_t *)payload, .payload_size = sizeof(payload) };
	struct sample sample = { .callchain = (const uint8_t *)words, .callchain_count = 3 };
	struct deferred_chains *chains = deferred_chains_create();
	struct deferred_record record;

	(void)state;
	assert_int_equal(deferred_chains_decode(&event, &record, NULL), 0);
	assert_int_equal(record.cookie, 5);
	assert_int_equal(record.count, 2);
	deferred_chains_join(chains, &sample, &record);
	assert_int_equal(sample.callchain_count, 5);
	assert_int_equal(sample_callchain_entry(&sample, 2), 5);
	assert_int_equal(sample_callchain_entry(&sample, 3), 0x20);
	assert_int_equal(sample_callchain_entry(&sample, 4), 0x30);
	deferred_chains_destroy(chains);
}

static void a_record_that_is_shorter_than_it_says_is_damaged(void **state)
{
	const uint64_t payload[] = { 5, UINT64_MAX / 8 + 2, 0x20 };
	const struct event event = { .payload = (const uint8_t *)payload, .payload_size = sizeof(payload) };
	struct deferred_record record;
	struct error err;

	(void)state;
	assert_int_equal(deferred_chains_decode(&event, &record, &err), -1);
	assert_string_equal(err.message, "CALLCHAIN_DEFERRED: its words do not fit into its size");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_chain_that_ends_with_a_cookie_waits_and_others_do_not),
		cmocka_unit_test(samples_are_taken_thread_by_thread_in_their_order),
		cmocka_unit_test(no_more_wait_than_there_is_room_for),
		cmocka_unit_test(a_record_is_joined_behind_the_cookie),
		cmocka_unit_test(a_record_that_is_shorter_than_it_says_is_damaged),
	};

	return cmocka_run_group_tests_name("report/load/deferred_chains", tests, NULL, NULL);
}
