#include "format/map_piece.h"

#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "format/perf_file.h"
#include "support/cmocka.h"
#include "support/event_walk.h"
#include "support/perf_data_builder.h"

static struct perf_data_builder *builder(void)
{
	struct perf_data_builder *b = perf_data_builder_create(BUILD_NATIVE);

	perf_data_builder_add_event(b,
				    &(struct built_event){ .attr = { .size = sizeof(struct perf_event_attr) },
							   .ids = { 11 },
							   .id_count = 1 });
	return b;
}

static void add_piece(struct perf_data_builder *b, uint32_t pid, const char *text, unsigned int flags)
{
	map_piece_append(&b->records, pid, text, text ? strlen(text) : 0, flags);
}

static void assert_next(struct perf_file *file, size_t *position, uint32_t pid, const char *expected,
			uint32_t flags)
{
	struct map_piece piece;
	struct strbuf text;

	strbuf_init(&text);
	assert_int_equal(map_piece_next(file, position, &piece), 1);
	assert_true(map_piece_add_text(&piece, &text));
	assert_int_equal(piece.pid, pid);
	assert_int_equal(piece.flags & ~(uint32_t)MAP_PIECE_ZSTD, flags);
	assert_string_equal(text.size ? text.bytes : "", expected);
	strbuf_fini(&text);
}

/* Before the first record is read, after the last one, and in a pipe: the same pieces. */
static void pieces_are_found_in_the_order_of_the_file(void **state)
{
	(void)state;
	for (int way = 0; way < 3; way++) {
		struct perf_data_builder *b = builder();
		struct map_piece piece;
		struct perf_file *file;
		size_t position = 0;

		add_piece(b, 7, "1000 10 f\n", 0);
		perf_data_builder_finished_round(b);
		add_piece(b, 8, "2000 10 g\n", 0);
		add_piece(b, 7, NULL, MAP_PIECE_LAST);
		if (way == 2)
			perf_data_builder_finish_pipe(b);
		else
			perf_data_builder_finish_file(b);
		file = perf_data_builder_open(b);
		if (way)
			(void)event_walk_count(file);
		assert_next(file, &position, 7, "1000 10 f\n", 0);
		assert_next(file, &position, 8, "2000 10 g\n", 0);
		assert_next(file, &position, 7, "", MAP_PIECE_LAST);
		assert_int_equal(map_piece_next(file, &position, &piece), 0);
		perf_file_close(file);
		perf_data_builder_destroy(b);
	}
}

/* With text, and with bytes that cannot be compressed. */
static void the_largest_piece_fits_into_a_record(void **state)
{
	char *text = xmalloc(MAP_PIECE_TEXT_MAX_BYTES + 1);

	(void)state;
	text[MAP_PIECE_TEXT_MAX_BYTES] = '\0';
	for (int random = 0; random < 2; random++) {
		struct perf_data_builder *b = builder();
		struct perf_file *file;
		size_t position = 0;
		uint32_t seed = 1;

		for (size_t i = 0; i < MAP_PIECE_TEXT_MAX_BYTES; i++) {
			seed = seed * 1664525 + 1013904223;
			text[i] = random ? (char)(seed >> 24 | 1) : 'a';
		}
		add_piece(b, 7, text, 0);
		assert_true(b->records.size % 8 == 0 && b->records.size <= UINT16_MAX);
		perf_data_builder_finish_file(b);
		file = perf_data_builder_open(b);
		assert_next(file, &position, 7, text, 0);
		perf_file_close(file);
		perf_data_builder_destroy(b);
	}
	free(text);
}

static void a_damaged_piece_has_no_text(void **state)
{
	const uint8_t garbage[8] = { 1, 2, 3, 4, 5, 6, 7, 8 };
	struct map_piece piece = {
		.flags = MAP_PIECE_ZSTD, .text_size = 100, .bytes = garbage, .packed_size = sizeof(garbage)
	};
	struct strbuf text;

	(void)state;
	strbuf_init(&text);
	assert_false(map_piece_add_text(&piece, &text));
	piece.flags = 0;
	assert_false(map_piece_add_text(&piece, &text));
	assert_int_equal(text.size, 0);
	strbuf_fini(&text);
}

static void other_records_are_no_pieces(void **state)
{
	uint8_t payload[32] = { 2 }; /* PERF_EVENT_UPDATE__NAME */
	struct event event = { .type = PERF_RECORD_EVENT_UPDATE, .payload = payload, .payload_size = 32 };
	const uint64_t type = EVENT_UPDATE_MAP_PIECE;
	struct map_piece piece;

	(void)state;
	assert_false(map_piece_decode(&piece, &event));
	memcpy(payload, &type, sizeof(type));
	assert_true(map_piece_decode(&piece, &event));
	payload[28] = 1; /* the bytes of the piece are missing */
	assert_false(map_piece_decode(&piece, &event));
	event.type = PERF_RECORD_HEADER_FEATURE;
	payload[28] = 0;
	assert_false(map_piece_decode(&piece, &event));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(pieces_are_found_in_the_order_of_the_file),
		cmocka_unit_test(the_largest_piece_fits_into_a_record),
		cmocka_unit_test(a_damaged_piece_has_no_text),
		cmocka_unit_test(other_records_are_no_pieces),
	};

	return cmocka_run_group_tests_name("format/map_piece", tests, NULL, NULL);
}
