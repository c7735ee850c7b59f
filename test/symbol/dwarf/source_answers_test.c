#include "symbol/dwarf/source_answers.h"

#include <stdlib.h>
#include <string.h>

#include "support/cmocka.h"

/* Answers for three addresses: two frames, one frame, none. */
static int set_up(void **state)
{
	static struct source_answers answers;
	struct unit_frame frames[2];

	source_answers_init(&answers);
	frames[0] = (struct unit_frame){ str_pool_add(answers.texts, "inner"),
					 str_pool_add(answers.texts, "a.h"), 3 };
	frames[1] = (struct unit_frame){ str_pool_add(answers.texts, "outer"), 0, 7 };
	source_answers_add(&answers, 0x1000, frames, 2);
	source_answers_add(&answers, 0x2000, NULL, 0);
	source_answers_add(&answers, 0x3000, frames + 1, 1);
	*state = &answers;
	return 0;
}

static int tear_down(void **state)
{
	source_answers_fini(*state);
	return 0;
}

static void assert_frame(const struct source_answers *answers, size_t number, const char *function,
			 const char *file, uint32_t line)
{
	const struct unit_frame *frame = &answers->frames[number];

	assert_true(number < answers->frame_count);
	assert_string_equal(str_pool_text(answers->texts, frame->function), function);
	assert_string_equal(str_pool_text(answers->texts, frame->file), file);
	assert_int_equal(frame->line, line);
}

static void assert_place(const struct source_answers *answers, size_t number, uint64_t vaddr,
			 uint32_t first_frame, uint32_t frame_count)
{
	const struct source_place *place = &answers->places[number];

	assert_true(number < answers->place_count);
	assert_int_equal(place->vaddr, vaddr);
	assert_int_equal(place->frame_count, frame_count);
	if (frame_count)
		assert_int_equal(place->first_frame, first_frame);
}

static void assert_the_same(const struct source_answers *answers)
{
	assert_int_equal(answers->place_count, 3);
	assert_place(answers, 0, 0x1000, 0, 2);
	assert_place(answers, 1, 0x2000, 2, 0);
	assert_place(answers, 2, 0x3000, 2, 1);
	assert_int_equal(answers->frame_count, 3);
	assert_frame(answers, 0, "inner", "a.h", 3);
	assert_frame(answers, 1, "outer", "", 7);
	assert_frame(answers, 2, "outer", "", 7);
}

static void encode(const struct source_answers *answers, struct strbuf *out)
{
	strbuf_init(out);
	source_answers_encode(answers, out);
}

static int decode(struct source_answers *answers, const void *bytes, size_t size)
{
	return source_answers_decode(answers, byte_reader_over(bytes, size, false));
}

static void answers_are_kept_in_their_order(void **state)
{
	assert_the_same(*state);
}

static void of_what_is_missing_the_first_reason_stays(void **state)
{
	struct source_answers *answers = *state;
	struct error why;

	(void)error_set(&why, "no first");
	source_answers_note_missing(answers, &why);
	(void)error_set(&why, "no second");
	source_answers_note_missing(answers, &why);
	assert_int_equal(answers->missing, 2);
	assert_string_equal(answers->why.message, "no first");
}

static void what_was_encoded_comes_back(void **state)
{
	struct source_answers read;
	struct strbuf bytes;

	encode(*state, &bytes);
	source_answers_init(&read);
	assert_int_equal(decode(&read, bytes.bytes, bytes.size), 1);
	assert_the_same(&read);
	source_answers_fini(&read);
	strbuf_fini(&bytes);
}

static void no_answers_come_back_as_none(void **state)
{
	struct source_answers none, read;
	struct strbuf bytes;

	(void)state;
	source_answers_init(&none);
	source_answers_init(&read);
	encode(&none, &bytes);
	assert_int_equal(decode(&read, bytes.bytes, bytes.size), 1);
	assert_int_equal(read.place_count, 0);
	source_answers_fini(&read);
	source_answers_fini(&none);
	strbuf_fini(&bytes);
}

static void what_is_cut_off_or_too_long_is_refused(void **state)
{
	struct source_answers read;
	struct strbuf bytes;

	encode(*state, &bytes);
	source_answers_init(&read);
	for (size_t size = 0; size < bytes.size; size++)
		assert_int_equal(decode(&read, bytes.bytes, size), 0);
	strbuf_addc(&bytes, 0);
	assert_int_equal(decode(&read, bytes.bytes, bytes.size), 0);
	assert_int_equal(read.place_count, 0);
	source_answers_fini(&read);
	strbuf_fini(&bytes);
}

/* Offsets of numbers: after the four in the header, places of 12 bytes, then frames of 12, then texts. */
static void numbers_that_cannot_be_are_refused(void **state)
{
	static const struct {
		size_t offset;
		uint32_t value;
	} damages[] = {
		{ 16 + 8, 200 }, /* number of frames of the first place: more than there are */
		{ 16 + 8, INLINE_MAX_DEPTH + 1 },
		{ 16 + 3 * 12, 4 },     /* text of a function's name: there are texts 0 to 3 */
		{ 16 + 3 * 12 + 4, 4 }, /* text of a file's name */
		{ 0, UINT32_MAX },      /* number of places */
		{ 8, 5 },               /* number of texts: more than there are */
	};
	struct source_answers read;
	struct strbuf bytes;

	encode(*state, &bytes);
	source_answers_init(&read);
	for (size_t i = 0; i < sizeof(damages) / sizeof(damages[0]); i++) {
		char *at = bytes.bytes + damages[i].offset;
		uint32_t kept;

		memcpy(&kept, at, sizeof(kept));
		memcpy(at, &damages[i].value, sizeof(kept));
		assert_int_equal(decode(&read, bytes.bytes, bytes.size), 0);
		memcpy(at, &kept, sizeof(kept));
	}
	assert_int_equal(decode(&read, bytes.bytes, bytes.size), 1);
	source_answers_fini(&read);
	strbuf_fini(&bytes);
}

static void texts_that_are_there_twice_are_refused(void **state)
{
	static const char outer[] = { 'o', 'u', 't', 'e', 'r' };
	struct source_answers read;
	struct strbuf bytes;
	char *inner;

	encode(*state, &bytes);
	source_answers_init(&read);
	inner = memmem(bytes.bytes, bytes.size, "inner", 5);
	assert_non_null(inner);
	memcpy(inner, outer, sizeof(outer));
	assert_int_equal(decode(&read, bytes.bytes, bytes.size), 0);
	source_answers_fini(&read);
	strbuf_fini(&bytes);
}

static void a_file_tells_its_byte_order(void **state)
{
	static const uint8_t swapped[] = {
		0x78, 0x70, 0x72, 0x01, /* the mark, highest byte first */
		0,    0,    0,    1,    0, 0, 0,    1, 0, 0, 0, 2,
		0,    0,    0,    3,                               /* 1 place, 1 frame, 2 texts of 3 bytes */
		0,    0,    0,    0,    0, 0, 0x10, 0, 0, 0, 0, 1, /* 0x1000, 1 frame */
		0,    0,    0,    1,    0, 0, 0,    0, 0, 0, 0, 9, /* f, no file, line 9 */
		'\0', 'f',  '\0',
	};
	uint8_t bytes[sizeof(swapped)];
	struct source_answers read;

	(void)state;
	if (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__)
		skip();
	memcpy(bytes, swapped, sizeof(bytes));
	source_answers_init(&read);
	assert_int_equal(source_answers_decode_file(&read, bytes, sizeof(bytes)), 1);
	assert_int_equal(read.place_count, 1);
	assert_place(&read, 0, 0x1000, 0, 1);
	assert_frame(&read, 0, "f", "", 9);
	bytes[3] = 2;
	assert_int_equal(source_answers_decode_file(&read, bytes, sizeof(bytes)), 0);
	assert_int_equal(source_answers_decode_file(&read, bytes, 3), 0);
	source_answers_fini(&read);
}

static void a_file_comes_back_as_it_was(void **state)
{
	struct source_answers read;
	struct strbuf bytes;

	strbuf_init(&bytes);
	source_answers_encode_file(*state, &bytes);
	source_answers_init(&read);
	assert_int_equal(source_answers_decode_file(&read, bytes.bytes, bytes.size), 1);
	assert_the_same(&read);
	source_answers_fini(&read);
	strbuf_fini(&bytes);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(answers_are_kept_in_their_order),
		TEST(of_what_is_missing_the_first_reason_stays),
		TEST(what_was_encoded_comes_back),
		cmocka_unit_test(no_answers_come_back_as_none),
		TEST(what_is_cut_off_or_too_long_is_refused),
		TEST(numbers_that_cannot_be_are_refused),
		TEST(texts_that_are_there_twice_are_refused),
		cmocka_unit_test(a_file_tells_its_byte_order),
		TEST(a_file_comes_back_as_it_was),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
