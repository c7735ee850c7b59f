#include "report/load/sample_queue.h"

#include <string.h>

#include "support/cmocka.h"

struct visited {
	uint64_t times_ns[64];
	char first_bytes[64];
	size_t count, ends; /* ends: how many times it was told that these were all */
};

static void visit(const struct queued_sample *sample, void *context)
{
	struct visited *visited = context;

	if (!sample) {
		visited->ends++;
		return;
	}
	visited->times_ns[visited->count] = sample->time_ns;
	visited->first_bytes[visited->count++] = (char)sample->event.payload[0];
}

static void add(struct sample_queue *queue, uint64_t time_ns, const char *bytes)
{
	sample_queue_add(queue, &(struct queued_sample){ .time_ns = time_ns,
							 .event = { .payload = (const uint8_t *)bytes,
								    .payload_size = strlen(bytes) } });
}

static void a_sample_stays_until_the_round_after_its_own_is_finished(void **state)
{
	struct sample_queue *queue = sample_queue_create(true);
	struct visited visited = { .count = 0 };

	(void)state;
	add(queue, 1, "a");
	add(queue, 4, "b");
	add(queue, 2, "c");
	sample_queue_finish_round(queue, visit, &visited);
	assert_int_equal(visited.count, 0);
	add(queue, 6, "d");
	add(queue, 3, "e"); /* earlier than the latest of the round before: perf calls that order too */
	sample_queue_finish_round(queue, visit, &visited);
	assert_int_equal(visited.count, 4);
	assert_int_equal(visited.ends, 2);
	assert_int_equal(visited.times_ns[3], 3);
	assert_int_equal(sample_queue_taken_ns(queue), 4);
	sample_queue_finish(queue, visit, &visited);
	assert_int_equal(visited.count, 5);
	assert_int_equal(visited.times_ns[4], 6);
	sample_queue_destroy(queue);
}

static void samples_leave_in_file_order(void **state)
{
	struct sample_queue *queue = sample_queue_create(true);
	struct visited visited = { .count = 0 };

	(void)state;
	add(queue, 9, "a");
	add(queue, 1, "b");
	add(queue, 5, "c");
	sample_queue_finish(queue, visit, &visited);
	assert_int_equal(visited.times_ns[0], 9);
	assert_int_equal(visited.times_ns[1], 1);
	assert_int_equal(visited.times_ns[2], 5);
	sample_queue_destroy(queue);
}

static void bytes_that_do_not_last_are_copied_and_stay_through_rounds(void **state)
{
	struct sample_queue *queue = sample_queue_create(false);
	struct visited visited = { .count = 0 };
	char bytes[2] = "x";

	(void)state;
	add(queue, 1, bytes);
	bytes[0] = 'y';
	add(queue, 2, bytes);
	bytes[0] = '-';
	sample_queue_finish_round(queue, visit, &visited);
	bytes[0] = 'z';
	add(queue, 3, bytes);
	bytes[0] = '-';
	sample_queue_finish_round(queue, visit, &visited);
	sample_queue_finish(queue, visit, &visited);
	assert_int_equal(visited.count, 3);
	assert_memory_equal(visited.first_bytes, "xyz", 3);
	sample_queue_destroy(queue);
}

static void half_of_a_file_without_rounds_can_be_taken(void **state)
{
	struct sample_queue *queue = sample_queue_create(true);
	struct visited visited = { .count = 0 };

	(void)state;
	add(queue, 1, "a");
	add(queue, 2, "b");
	add(queue, 3, "c");
	add(queue, 4, "d");
	assert_false(sample_queue_is_full(queue));
	sample_queue_take_half(queue, visit, &visited);
	assert_int_equal(visited.count, 2);
	assert_int_equal(visited.times_ns[1], 2);
	sample_queue_destroy(queue);
}

static size_t samples_until_full(bool rounds)
{
	struct sample_queue *queue = sample_queue_create(true);
	struct visited visited = { 0 };
	size_t count = 0;

	if (rounds)
		sample_queue_finish_round(queue, visit, &visited);
	for (; !sample_queue_is_full(queue); count++)
		add(queue, count, "a");
	sample_queue_destroy(queue);
	return count;
}

static void half_a_million_samples_are_too_many_and_with_rounds_a_million(void **state)
{
	(void)state;
	assert_int_equal(samples_until_full(false), 1 << 19);
	assert_int_equal(samples_until_full(true), 1 << 20);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_sample_stays_until_the_round_after_its_own_is_finished),
		cmocka_unit_test(samples_leave_in_file_order),
		cmocka_unit_test(bytes_that_do_not_last_are_copied_and_stay_through_rounds),
		cmocka_unit_test(half_of_a_file_without_rounds_can_be_taken),
		cmocka_unit_test(half_a_million_samples_are_too_many_and_with_rounds_a_million),
	};

	return cmocka_run_group_tests_name("report/load/sample_queue", tests, NULL, NULL);
}
