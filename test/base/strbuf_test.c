#include "base/strbuf.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "support/cmocka.h"

static void an_empty_buffer_is_an_empty_string(void **state)
{
	struct strbuf buf;

	(void)state;
	strbuf_init(&buf);
	assert_string_equal(buf.bytes, "");
	strbuf_reset(&buf);
	strbuf_add(&buf, NULL, 0);
	strbuf_add_zeros(&buf, 0);
	assert_int_equal(buf.size, 0);
	assert_int_equal(buf.capacity, 0);
	strbuf_fini(&buf);
}

static void appended_pieces_are_joined_and_terminated(void **state)
{
	struct strbuf buf;

	(void)state;
	strbuf_init(&buf);
	strbuf_adds(&buf, "comm");
	strbuf_addc(&buf, ';');
	strbuf_add(&buf, "main...", 4);
	strbuf_addf(&buf, " %d", 42);
	assert_string_equal(buf.bytes, "comm;main 42");
	assert_int_equal(buf.size, 12);
	strbuf_fini(&buf);
}

static void formatting_grows_over_what_is_there(void **state)
{
	struct strbuf buf;
	size_t i;

	(void)state;
	strbuf_init(&buf);
	for (i = 0; i < 100; i++)
		strbuf_addf(&buf, "%-*d|", (int)i, 7);
	assert_int_equal(buf.size, 1 + 99 * 100 / 2 + 100);
	assert_int_equal(strlen(buf.bytes), buf.size);
	strbuf_fini(&buf);
}

static void nuls_are_bytes_like_others(void **state)
{
	struct strbuf buf;

	(void)state;
	strbuf_init(&buf);
	strbuf_add(&buf, "a\0b", 3);
	strbuf_add_zeros(&buf, 2);
	assert_int_equal(buf.size, 5);
	assert_memory_equal(buf.bytes, "a\0b\0\0", 6);
	strbuf_fini(&buf);
}

static void integers_are_written_in_either_order(void **state)
{
	static const uint8_t big[] = { 0x01, 0x02, 0x01, 0x02, 0x03, 0x04, 0x01,
				       0x02, 0x03, 0x04, 0x05, 0x06, 0x07, 0x08 };
	static const uint8_t little[] = { 0x02, 0x01, 0x04, 0x03, 0x02, 0x01, 0x08,
					  0x07, 0x06, 0x05, 0x04, 0x03, 0x02, 0x01 };
	const bool big_endian_machine = __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__;
	int swap;

	(void)state;
	for (swap = 0; swap <= 1; swap++) {
		struct strbuf buf;

		strbuf_init(&buf);
		strbuf_add_u16(&buf, 0x0102, swap);
		strbuf_add_u32(&buf, 0x01020304, swap);
		strbuf_add_u64(&buf, 0x0102030405060708u, swap);
		assert_int_equal(buf.size, sizeof(big));
		assert_memory_equal(buf.bytes, (bool)swap == big_endian_machine ? little : big, sizeof(big));
		strbuf_fini(&buf);
	}
}

static void reset_empties_and_keeps_the_memory(void **state)
{
	struct strbuf buf;
	char *bytes;

	(void)state;
	strbuf_init(&buf);
	strbuf_adds(&buf, "something");
	bytes = buf.bytes;
	strbuf_reset(&buf);
	assert_string_equal(buf.bytes, "");
	assert_int_equal(buf.size, 0);
	strbuf_adds(&buf, "else");
	assert_ptr_equal(buf.bytes, bytes);
	strbuf_fini(&buf);
}

static void a_cut_takes_the_end_away(void **state)
{
	struct strbuf buf;

	(void)state;
	strbuf_init(&buf);
	strbuf_cut(&buf, 0);
	strbuf_adds(&buf, "kept and gone");
	strbuf_cut(&buf, 100);
	assert_string_equal(buf.bytes, "kept and gone");
	strbuf_cut(&buf, 4);
	assert_string_equal(buf.bytes, "kept");
	assert_int_equal(buf.size, 4);
	strbuf_fini(&buf);
}

static void detach_gives_the_bytes_away(void **state)
{
	struct strbuf buf;
	char *text, *nothing;

	(void)state;
	strbuf_init(&buf);
	strbuf_adds(&buf, "mine");
	text = strbuf_detach(&buf);
	assert_string_equal(text, "mine");
	assert_string_equal(buf.bytes, "");
	nothing = strbuf_detach(&buf);
	assert_string_equal(nothing, "");
	free(text);
	free(nothing);
	strbuf_fini(&buf);
}

static void padded_numbers_and_texts_are_those_of_printf(void **state)
{
	static const uint64_t values[] = { 0,     9,      10,         99,        100,       1005,
					   99999, 100000, UINT32_MAX, INT64_MAX, UINT64_MAX };

	(void)state;
	for (size_t i = 0; i < sizeof(values) / sizeof(values[0]); i++) {
		for (unsigned int width = 0; width <= 24; width += 5) {
			struct strbuf fast, slow;

			strbuf_init(&fast);
			strbuf_init(&slow);
			strbuf_add_decimal(&fast, values[i], width);
			strbuf_add_decimal_zeros(&fast, values[i], width);
			strbuf_add_hex(&fast, values[i], width);
			strbuf_add_hex_zeros(&fast, values[i], width);
			strbuf_add_right(&fast, "text", width);
			strbuf_addf(&slow, "%*" PRIu64 "%0*" PRIu64 "%*" PRIx64 "%0*" PRIx64 "%*s",
				    (int)width, values[i], (int)width, values[i], (int)width, values[i],
				    (int)width, values[i], (int)width, "text");
			assert_string_equal(fast.bytes, slow.bytes);
			strbuf_fini(&fast);
			strbuf_fini(&slow);
		}
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_empty_buffer_is_an_empty_string),
		cmocka_unit_test(appended_pieces_are_joined_and_terminated),
		cmocka_unit_test(formatting_grows_over_what_is_there),
		cmocka_unit_test(nuls_are_bytes_like_others),
		cmocka_unit_test(integers_are_written_in_either_order),
		cmocka_unit_test(reset_empties_and_keeps_the_memory),
		cmocka_unit_test(a_cut_takes_the_end_away),
		cmocka_unit_test(padded_numbers_and_texts_are_those_of_printf),
		cmocka_unit_test(detach_gives_the_bytes_away),
	};

	return cmocka_run_group_tests_name("base/strbuf", tests, NULL, NULL);
}
