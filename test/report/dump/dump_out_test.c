#include "report/dump/dump_out.h"

#include "support/cmocka.h"

static const struct dump_bit_name colours[] = { { 1, "red" }, { 2, "green" }, { 0, NULL } };

/* The same entry in both shapes. */
static void write_entry(struct dump_out *out)
{
	dump_entry(out, "record", NULL);
	dump_lead_hex(out, "offset", 0x1f40);
	dump_lead_word(out, "type", "COMM", COLOR_HEADING);
	dump_unsigned(out, "size", 40);
	dump_signed(out, "pid", -1);
	dump_string(out, "comm", "a \"b\"\n\xff\xc3\xa9");
	dump_time(out, "time", 12000000345u);
	dump_bits(out, "colours", 7, colours);
	dump_group(out, "sample_id");
	dump_unsigned(out, "cpu", 3);
	dump_bool(out, "last", true);
	dump_group_end(out);
	dump_list(out, "chain");
	dump_hex(out, NULL, 0x10);
	dump_word(out, NULL, "[user]");
	dump_list_end(out);
	dump_rows(out, "rows");
	dump_row(out);
	dump_unsigned(out, "a", 1);
	dump_unsigned(out, "b", 2);
	dump_row_end(out);
	dump_row(out);
	dump_unsigned(out, "a", 3);
	dump_row_end(out);
	dump_rows_end(out);
	dump_entry_end(out);
}

static void text_has_fields_on_a_line_and_lists_below_it(void **state)
{
	struct dump_out out;

	(void)state;
	dump_out_init(&out, false, (struct color){ false });
	write_entry(&out);
	assert_string_equal(out.text.bytes,
			    "0x001f40  COMM  size 40  pid -1  comm \"a \\\"b\\\"\\u000a\\u00ff\xc3\xa9\"  "
			    "time 12.000000345  colours red|green|0x4  sample_id{cpu 3 last yes}\n"
			    "    chain: 0x10 [user]\n"
			    "    rows:\n"
			    "        a 1 b 2\n"
			    "        a 3\n");
	dump_out_fini(&out);
}

static void json_is_an_object_on_one_line(void **state)
{
	struct dump_out out;

	(void)state;
	dump_out_init(&out, true, (struct color){ false });
	write_entry(&out);
	assert_string_equal(
		out.text.bytes,
		"{\"kind\":\"record\",\"offset\":\"0x1f40\",\"type\":\"COMM\",\"size\":40,\"pid\":-1,"
		"\"comm\":\"a \\\"b\\\"\\u000a\\u00ff\xc3\xa9\",\"time_ns\":12000000345,"
		"\"colours\":\"red|green|0x4\",\"sample_id\":{\"cpu\":3,\"last\":true},"
		"\"chain\":[\"0x10\",\"[user]\"],\"rows\":[{\"a\":1,\"b\":2},{\"a\":3}]}\n");
	dump_out_fini(&out);
}

static void hex_lines_have_offsets_and_characters(void **state)
{
	struct dump_out out;

	(void)state;
	dump_out_init(&out, false, (struct color){ false });
	dump_hex_lines(&out, "payload", (const uint8_t *)"0123456789abcdef\x01z", 18, 0x108);
	assert_string_equal(
		out.text.bytes,
		"\n    00000108  30 31 32 33 34 35 36 37 38 39 61 62 63 64 65 66  0123456789abcdef"
		"\n    00000118  01 7a                                            .z");
	dump_out_fini(&out);
}

static void characters_that_no_utf8_decoder_takes_are_escaped(void **state)
{
	struct dump_out out;

	(void)state;
	dump_out_init(&out, true, (struct color){ false });
	/* An overlong slash, a surrogate, a character that is cut off. */
	dump_string(&out, NULL, "\xc0\xaf");
	dump_string(&out, NULL, "\xed\xa0\x80");
	dump_string(&out, NULL, "\xe2\x82");
	/* C1, raw and as a character, and a direction: text escapes them as JSON does, because it goes to a terminal. */
	dump_string(&out, NULL, "\x9b\xc2\x9b\xe2\x80\xae");
	assert_string_equal(out.text.bytes, "\"\\u00c0\\u00af\",\"\\u00ed\\u00a0\\u0080\",\"\\u00e2\\u0082\","
					    "\"\\u009b\\u009b\\u202e\"");
	dump_out_fini(&out);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(text_has_fields_on_a_line_and_lists_below_it),
		cmocka_unit_test(json_is_an_object_on_one_line),
		cmocka_unit_test(hex_lines_have_offsets_and_characters),
		cmocka_unit_test(characters_that_no_utf8_decoder_takes_are_escaped),
	};

	return cmocka_run_group_tests_name("report/dump/dump_out", tests, NULL, NULL);
}
