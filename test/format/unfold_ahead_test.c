#include "format/unfold_ahead.h"

#include <pthread.h> /* so that these tests are run under the thread sanitizer */
#include <string.h>

#include "format/perf_abi.h"
#include "support/cmocka.h"
#include "support/perf_data_builder.h"

/* A stream that doubles each byte, refuses 'x', and knows how far it has come. */
struct doubler {
	size_t bytes;
};

static int double_bytes(void *stream, struct unfold_piece *piece, struct error *err)
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

static void add_record(struct perf_data_builder *b, uint32_t type, const char *bytes, size_t size)
{
	perf_data_builder_begin(b, type, 0);
	perf_data_builder_bytes(b, bytes, size);
	perf_data_builder_end(b);
}

static struct record_source records_of(const struct perf_data_builder *b)
{
	const uint8_t *bytes = (const uint8_t *)b->records.bytes;

	return (struct record_source){ .next = bytes, .end = bytes + b->records.size };
}

/* All of a record, taken in pieces of `piece_size`, as text behind what is there; then the status that ended it. */
static enum unfold_status take(struct unfold_ahead *ahead, uint64_t file_offset, size_t piece_size,
			       struct strbuf *text, struct error *err)
{
	uint8_t bytes[4096];
	enum unfold_status status;
	struct unfold_piece piece = { .out = bytes, .out_size = piece_size };

	while ((status = unfold_ahead_take(ahead, file_offset, &piece, err)) == UNFOLD_OK) {
		assert_true(piece.out_done > 0);
		strbuf_add(text, bytes, piece.out_done);
		piece.out_done = 0;
	}
	return status;
}

static void records_come_in_their_order_and_others_are_passed(void **state)
{
	struct perf_data_builder *b = perf_data_builder_create(BUILD_NATIVE);
	struct doubler doubler = { 0 };
	struct record_source records;
	struct unfold_ahead *ahead;
	struct strbuf text;

	(void)state;
	add_record(b, PERF_RECORD_COMPRESSED, "abc", 3);                        /* at 0 */
	add_record(b, PERF_RECORD_FINISHED_ROUND, "", 0);                       /* at 11 */
	add_record(b, PERF_RECORD_COMPRESSED, "", 0);                           /* at 19 */
	add_record(b, PERF_RECORD_COMPRESSED2, "\2\0\0\0\0\0\0\0de\0\0\0", 13); /* at 27, padded */
	records = records_of(b);
	strbuf_init(&text);
	ahead = unfold_ahead_start(&records, double_bytes, &doubler);
	assert_non_null(ahead);
	assert_int_equal(take(ahead, 0, 5, &text, NULL), UNFOLD_END);
	assert_int_equal(take(ahead, 19, 5, &text, NULL), UNFOLD_END);
	assert_int_equal(take(ahead, 27, 1, &text, NULL), UNFOLD_END);
	assert_string_equal(text.bytes, "aabbccddee");
	assert_int_equal(take(ahead, 48, 1, &text, NULL), UNFOLD_YOURSELF); /* there is no more */
	unfold_ahead_stop(ahead);
	strbuf_fini(&text);
	perf_data_builder_destroy(b);
}

/* More than all blocks hold, so that the thread has to wait, and the reader, too. */
static void much_goes_through_little_memory(void **state)
{
	enum { RECORDS = 200, SIZE = 60000 };
	struct perf_data_builder *b = perf_data_builder_create(BUILD_NATIVE);
	static char bytes[SIZE];
	struct doubler doubler = { 0 };
	struct record_source records;
	struct unfold_ahead *ahead;
	struct strbuf text;

	(void)state;
	for (size_t i = 0; i < SIZE; i++)
		bytes[i] = (char)('a' + i % 20);
	for (int i = 0; i < RECORDS; i++)
		add_record(b, PERF_RECORD_COMPRESSED, bytes, SIZE);
	records = records_of(b);
	strbuf_init(&text);
	ahead = unfold_ahead_start(&records, double_bytes, &doubler);
	for (uint64_t i = 0; i < RECORDS; i++) {
		strbuf_reset(&text);
		assert_int_equal(take(ahead, i * (SIZE + 8), 4096, &text, NULL), UNFOLD_END);
		assert_int_equal(text.size, 2 * SIZE);
		for (size_t at = 0; at < SIZE; at += 997)
			assert_int_equal(text.bytes[2 * at], bytes[at]);
	}
	unfold_ahead_stop(ahead);
	assert_int_equal(doubler.bytes, (size_t)RECORDS * SIZE);
	strbuf_fini(&text);
	perf_data_builder_destroy(b);
}

static void damage_is_told_behind_what_was_whole_and_where_it_is(void **state)
{
	struct perf_data_builder *b = perf_data_builder_create(BUILD_NATIVE);
	struct doubler doubler = { 0 };
	struct record_source records;
	struct unfold_ahead *ahead;
	struct strbuf text;
	struct error err;

	(void)state;
	add_record(b, PERF_RECORD_COMPRESSED, "ab", 2);
	add_record(b, PERF_RECORD_COMPRESSED, "cdxe", 4);
	add_record(b, PERF_RECORD_COMPRESSED, "f", 1);
	records = records_of(b);
	strbuf_init(&text);
	ahead = unfold_ahead_start(&records, double_bytes, &doubler);
	assert_int_equal(take(ahead, 0, 64, &text, &err), UNFOLD_END);
	assert_int_equal(take(ahead, 10, 64, &text, &err), UNFOLD_DAMAGED);
	assert_string_equal(err.message, "an x");
	assert_string_equal(text.bytes, "aabbccdd");
	assert_int_equal(take(ahead, 22, 64, &text, &err), UNFOLD_YOURSELF);
	unfold_ahead_stop(ahead);
	strbuf_fini(&text);
	perf_data_builder_destroy(b);
}

static void the_thread_ends_where_bytes_follow_that_no_size_counts(void **state)
{
	struct perf_data_builder *b = perf_data_builder_create(BUILD_NATIVE);
	struct doubler doubler = { 0 };
	struct record_source records;
	struct unfold_ahead *ahead;
	struct strbuf text;

	(void)state;
	add_record(b, PERF_RECORD_COMPRESSED, "ab", 2);
	add_record(b, PERF_RECORD_AUXTRACE, "\1\0\0\0\0\0\0\0", 8);
	perf_data_builder_bytes(b, "?", 1);
	add_record(b, PERF_RECORD_COMPRESSED, "cd", 2);
	records = records_of(b);
	strbuf_init(&text);
	ahead = unfold_ahead_start(&records, double_bytes, &doubler);
	assert_int_equal(take(ahead, 0, 64, &text, NULL), UNFOLD_END);
	assert_int_equal(take(ahead, 27, 64, &text, NULL), UNFOLD_YOURSELF);
	unfold_ahead_stop(ahead);
	assert_int_equal(doubler.bytes, 2); /* the stream stands where the reader takes over */
	strbuf_fini(&text);
	perf_data_builder_destroy(b);
}

static void what_nobody_takes_is_dropped_and_stopping_does_not_wait_for_it(void **state)
{
	struct perf_data_builder *b = perf_data_builder_create(BUILD_NATIVE);
	static char bytes[60000];
	struct doubler doubler = { 0 };
	struct record_source records;
	struct unfold_ahead *ahead;
	struct strbuf text;

	(void)state;
	memset(bytes, 'a', sizeof(bytes));
	for (int i = 0; i < 100; i++) {
		bytes[0] = (char)i;
		add_record(b, PERF_RECORD_COMPRESSED, bytes, sizeof(bytes));
	}
	records = records_of(b);
	strbuf_init(&text);
	ahead = unfold_ahead_start(&records, double_bytes, &doubler);
	assert_int_equal(take(ahead, 50 * (sizeof(bytes) + 8), 64, &text, NULL), UNFOLD_END);
	assert_int_equal(text.size, 2 * sizeof(bytes));
	assert_int_equal(text.bytes[1], 50);
	unfold_ahead_stop(ahead);
	unfold_ahead_stop(NULL);
	strbuf_fini(&text);
	perf_data_builder_destroy(b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(records_come_in_their_order_and_others_are_passed),
		cmocka_unit_test(much_goes_through_little_memory),
		cmocka_unit_test(damage_is_told_behind_what_was_whole_and_where_it_is),
		cmocka_unit_test(the_thread_ends_where_bytes_follow_that_no_size_counts),
		cmocka_unit_test(what_nobody_takes_is_dropped_and_stopping_does_not_wait_for_it),
	};

	return cmocka_run_group_tests_name("format/unfold_ahead", tests, NULL, NULL);
}
