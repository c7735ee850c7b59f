#include "report/load/sample_queue.h"

#include <stdlib.h>
#include <string.h>

#include "support/cmocka.h"

struct left {
	uint64_t times_ns[64];
	char first_bytes[64];
	size_t count;
};

/* Appends the samples that may leave now to those that left before. */
static void take(struct sample_queue *queue, struct left *left)
{
	const struct queued_sample *sample;

	while ((sample = sample_queue_next(queue)) != NULL) {
		left->times_ns[left->count] = sample->time_ns;
		left->first_bytes[left->count++] = (char)sample->event.payload[0];
	}
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
	struct left left = { .count = 0 };

	(void)state;
	add(queue, 1, "a");
	add(queue, 4, "b");
	add(queue, 2, "c");
	sample_queue_finish_round(queue);
	take(queue, &left);
	assert_int_equal(left.count, 0);
	add(queue, 6, "d");
	add(queue, 3,
	    "e"); /* earlier than the latest of the previous round, which perf also treats as ordered */
	sample_queue_finish_round(queue);
	take(queue, &left);
	assert_int_equal(left.count, 4);
	assert_int_equal(left.times_ns[3], 3);
	assert_int_equal(sample_queue_taken_ns(queue), 4);
	sample_queue_finish(queue);
	take(queue, &left);
	assert_int_equal(left.count, 5);
	assert_int_equal(left.times_ns[4], 6);
	sample_queue_destroy(queue);
}

static void samples_leave_in_file_order(void **state)
{
	struct sample_queue *queue = sample_queue_create(true);
	struct left left = { .count = 0 };

	(void)state;
	add(queue, 9, "a");
	add(queue, 1, "b");
	add(queue, 5, "c");
	sample_queue_finish(queue);
	take(queue, &left);
	assert_int_equal(left.times_ns[0], 9);
	assert_int_equal(left.times_ns[1], 1);
	assert_int_equal(left.times_ns[2], 5);
	sample_queue_destroy(queue);
}

/* Samples are used in batches, and the last batch is unfinished when the file ends. */
static void what_has_left_stays_when_the_rest_leaves_at_the_end(void **state)
{
	enum { SAMPLES = 3, LARGE_BYTES = 1 << 20 }; /* such memory is returned to the system when freed */
	struct sample_queue *queue = sample_queue_create(false);
	const uint8_t *payloads[SAMPLES];
	uint8_t *bytes = calloc(1, LARGE_BYTES);
	struct queued_sample sample = { .time_ns = 1,
					.event = { .payload = bytes, .payload_size = LARGE_BYTES } };

	(void)state;
	assert_non_null(bytes);
	for (int i = 0; i < SAMPLES; i++)
		sample_queue_add(queue, &sample);
	sample_queue_finish_round(queue);
	assert_null(sample_queue_next(queue));
	sample_queue_finish_round(queue);
	for (int i = 0; i < SAMPLES; i++)
		payloads[i] = sample_queue_next(queue)->event.payload;
	assert_null(sample_queue_next(queue));
	sample_queue_finish(queue);
	assert_null(sample_queue_next(queue));
	for (int i = 0; i < SAMPLES; i++)
		assert_memory_equal(payloads[i], bytes, LARGE_BYTES);
	free(bytes);
	sample_queue_destroy(queue);
}

static void bytes_that_do_not_last_are_copied_and_stay_through_rounds(void **state)
{
	struct sample_queue *queue = sample_queue_create(false);
	struct left left = { .count = 0 };
	char bytes[2] = "x";

	(void)state;
	add(queue, 1, bytes);
	bytes[0] = 'y';
	add(queue, 2, bytes);
	bytes[0] = '-';
	sample_queue_finish_round(queue);
	take(queue, &left);
	bytes[0] = 'z';
	add(queue, 3, bytes);
	bytes[0] = '-';
	sample_queue_finish_round(queue);
	take(queue, &left);
	sample_queue_finish(queue);
	take(queue, &left);
	assert_int_equal(left.count, 3);
	assert_memory_equal(left.first_bytes, "xyz", 3);
	sample_queue_destroy(queue);
}

/* How many samples are added until some may leave; *left: how many these are. */
static size_t samples_until_some_leave(bool rounds, size_t *left)
{
	struct sample_queue *queue = sample_queue_create(true);
	const struct queued_sample *sample = NULL;
	size_t count = 0;

	if (rounds)
		sample_queue_finish_round(queue);
	for (; !sample; count++) {
		assert_null(sample_queue_next(queue));
		add(queue, count, "a");
		sample = sample_queue_next(queue);
	}
	assert_int_equal(sample->time_ns, 0);
	for (*left = 0; sample; sample = sample_queue_next(queue))
		assert_int_equal(sample->time_ns, (*left)++);
	assert_int_equal(sample_queue_taken_ns(queue), 0);
	sample_queue_destroy(queue);
	return count;
}

static void the_earlier_half_leaves_of_half_a_million_and_with_rounds_of_a_million(void **state)
{
	size_t left;

	(void)state;
	assert_int_equal(samples_until_some_leave(false, &left), 1 << 19);
	assert_int_equal(left, 1 << 18);
	assert_int_equal(samples_until_some_leave(true, &left), 1 << 20);
	assert_int_equal(left, 1 << 19);
}

static void bytes_that_have_left_stay_until_a_sample_is_added(void **state)
{
	struct sample_queue *queue = sample_queue_create(false);
	const uint8_t *bytes;
	char buffer[2] = "x";

	(void)state;
	add(queue, 1, buffer);
	buffer[0] = '-';
	sample_queue_finish(queue);
	bytes = sample_queue_next(queue)->event.payload;
	assert_null(sample_queue_next(queue));
	assert_int_equal(bytes[0], 'x');
	add(queue, 2, "y");
	sample_queue_finish(queue);
	assert_int_equal(sample_queue_next(queue)->event.payload[0], 'y');
	sample_queue_destroy(queue);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_sample_stays_until_the_round_after_its_own_is_finished),
		cmocka_unit_test(samples_leave_in_file_order),
		cmocka_unit_test(what_has_left_stays_when_the_rest_leaves_at_the_end),
		cmocka_unit_test(bytes_that_do_not_last_are_copied_and_stay_through_rounds),
		cmocka_unit_test(the_earlier_half_leaves_of_half_a_million_and_with_rounds_of_a_million),
		cmocka_unit_test(bytes_that_have_left_stay_until_a_sample_is_added),
	};

	return cmocka_run_group_tests_name("report/load/sample_queue", tests, NULL, NULL);
}
