#include "format/decompress_task.h"

#include <pthread.h> /* so that these tests are run under the thread sanitizer */
#include <string.h>

#include "format/perf_abi.h"
#include "support/cmocka.h"
#include "support/perf_data_builder.h"

/* A stream that doubles each byte, refuses 'x', and counts its input. */
struct doubler {
	size_t bytes;
};

static int double_bytes(void *stream, struct decompress_piece *piece, struct error *err)
{
	struct doubler *doubler = stream;

	if (piece->in_done == piece->in_size || piece->out_size - piece->out_done < 2)
		return 0;
	if (piece->in[piece->in_done] == 'x')
		return error_set(err, "an x");
	memset(piece->out + piece->out_done, piece->in[piece->in_done], 2);
	piece->out_done += 2;
	piece->in_done++;
	doubler->bytes++;
	return 1;
}

/* A recording, the state of its decompression, and the text taken. */
static struct perf_data_builder *b;
static struct doubler doubler;
static struct decompress_task *task;
static struct strbuf text;

static int set_up(void **state)
{
	(void)state;
	b = perf_data_builder_create(BUILD_NATIVE);
	doubler = (struct doubler){ 0 };
	task = NULL;
	strbuf_init(&text);
	return 0;
}

static int tear_down(void **state)
{
	(void)state;
	decompress_task_stop(task);
	strbuf_fini(&text);
	perf_data_builder_destroy(b);
	return 0;
}

static void add_record(uint32_t type, const char *bytes, size_t size)
{
	perf_data_builder_begin(b, type, 0);
	perf_data_builder_bytes(b, bytes, size);
	perf_data_builder_end(b);
}

/* Starts a task for the records that were added. */
static void start(void)
{
	const uint8_t *bytes = (const uint8_t *)b->records.bytes;
	const struct record_source records = { .next = bytes, .end = bytes + b->records.size };

	task = decompress_task_start(&records, double_bytes, &doubler);
	assert_non_null(task);
}

/* Afterwards the doubler may be read. */
static void stop(void)
{
	decompress_task_stop(task);
	task = NULL;
}

/* Takes all of a record in pieces of `piece_size` and appends it to the text. Returns the status at its end. */
static enum decompress_status take(uint64_t file_offset, size_t piece_size, struct error *err)
{
	uint8_t bytes[4096];
	enum decompress_status status;
	struct decompress_piece piece = { .out = bytes, .out_size = piece_size };

	while ((status = decompress_task_take(task, file_offset, &piece, err)) == DECOMPRESS_OK) {
		assert_true(piece.out_done > 0);
		strbuf_add(&text, bytes, piece.out_done);
		piece.out_done = 0;
	}
	return status;
}

static void records_come_in_their_order_and_others_are_passed(void **state)
{
	(void)state;
	add_record(PERF_RECORD_COMPRESSED, "abc", 3);                        /* at 0 */
	add_record(PERF_RECORD_FINISHED_ROUND, "", 0);                       /* at 11 */
	add_record(PERF_RECORD_COMPRESSED, "", 0);                           /* at 19 */
	add_record(PERF_RECORD_COMPRESSED2, "\2\0\0\0\0\0\0\0de\0\0\0", 13); /* at 27, padded */
	start();
	assert_int_equal(take(0, 5, NULL), DECOMPRESS_END);
	assert_int_equal(take(19, 5, NULL), DECOMPRESS_END);
	assert_int_equal(take(27, 1, NULL), DECOMPRESS_END);
	assert_string_equal(text.bytes, "aabbccddee");
	assert_int_equal(take(48, 1, NULL), DECOMPRESS_YOURSELF); /* there are no more records */
}

/* More than all blocks can hold, so that both the thread and the reader have to wait. */
static void much_goes_through_little_memory(void **state)
{
	enum { RECORDS = 200, SIZE = 60000 };
	static char bytes[SIZE];

	(void)state;
	for (size_t i = 0; i < SIZE; i++)
		bytes[i] = (char)('a' + i % 20);
	for (int i = 0; i < RECORDS; i++)
		add_record(PERF_RECORD_COMPRESSED, bytes, SIZE);
	start();
	for (uint64_t i = 0; i < RECORDS; i++) {
		strbuf_reset(&text);
		assert_int_equal(take(i * (SIZE + 8), 4096, NULL), DECOMPRESS_END);
		assert_int_equal(text.size, 2 * SIZE);
		for (size_t at = 0; at < SIZE; at += 997)
			assert_int_equal(text.bytes[2 * at], bytes[at]);
	}
	stop();
	assert_int_equal(doubler.bytes, (size_t)RECORDS * SIZE);
}

static void damage_is_told_behind_what_was_whole_and_where_it_is(void **state)
{
	struct error err;

	(void)state;
	add_record(PERF_RECORD_COMPRESSED, "ab", 2);
	add_record(PERF_RECORD_COMPRESSED, "cdxe", 4);
	add_record(PERF_RECORD_COMPRESSED, "f", 1);
	start();
	assert_int_equal(take(0, 64, &err), DECOMPRESS_END);
	assert_int_equal(take(10, 64, &err), DECOMPRESS_DAMAGED);
	assert_string_equal(err.message, "an x");
	assert_string_equal(text.bytes, "aabbccdd");
	assert_int_equal(take(22, 64, &err), DECOMPRESS_YOURSELF);
}

static void the_thread_ends_where_bytes_follow_that_no_size_counts(void **state)
{
	(void)state;
	add_record(PERF_RECORD_COMPRESSED, "ab", 2);
	add_record(PERF_RECORD_AUXTRACE, "\1\0\0\0\0\0\0\0", 8);
	perf_data_builder_bytes(b, "?", 1);
	add_record(PERF_RECORD_COMPRESSED, "cd", 2);
	start();
	assert_int_equal(take(0, 64, NULL), DECOMPRESS_END);
	assert_int_equal(take(27, 64, NULL), DECOMPRESS_YOURSELF);
	stop();
	assert_int_equal(doubler.bytes, 2); /* the stream is where the reader takes over */
}

static void results_that_are_not_taken_are_dropped_and_stopping_does_not_wait(void **state)
{
	static char bytes[60000];

	(void)state;
	memset(bytes, 'a', sizeof(bytes));
	for (int i = 0; i < 100; i++) {
		bytes[0] = (char)i;
		add_record(PERF_RECORD_COMPRESSED, bytes, sizeof(bytes));
	}
	start();
	assert_int_equal(take(50 * (sizeof(bytes) + 8), 64, NULL), DECOMPRESS_END);
	assert_int_equal(text.size, 2 * sizeof(bytes));
	assert_int_equal(text.bytes[1], 50);
	stop();
	decompress_task_stop(NULL);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(records_come_in_their_order_and_others_are_passed),
		TEST(much_goes_through_little_memory),
		TEST(damage_is_told_behind_what_was_whole_and_where_it_is),
		TEST(the_thread_ends_where_bytes_follow_that_no_size_counts),
		TEST(results_that_are_not_taken_are_dropped_and_stopping_does_not_wait),
	};

	return cmocka_run_group_tests_name("format/decompress_task", tests, NULL, NULL);
}
