#include "text/json_writer.h"

#include "support/cmocka.h"

static void nesting_commas_and_indentation_come_by_themselves(void **state)
{
	struct json_writer json;
	struct strbuf out;

	(void)state;
	strbuf_init(&out);
	json_init(&json, &out);
	json_begin_object(&json, NULL);
	json_unsigned(&json, "count", UINT64_MAX);
	json_begin_array(&json, "list");
	json_unsigned(&json, NULL, 1);
	json_bool(&json, NULL, false);
	json_end_array(&json);
	json_begin_object(&json, "empty");
	json_end_object(&json);
	json_end_object(&json);
	assert_string_equal(out.bytes, "{\n"
				       "\t\"count\": 18446744073709551615,\n"
				       "\t\"list\": [\n"
				       "\t\t1,\n"
				       "\t\tfalse\n"
				       "\t],\n"
				       "\t\"empty\": {}\n"
				       "}\n");
	strbuf_fini(&out);
}

static void a_line_object_holds_everything_on_one_line(void **state)
{
	struct json_writer json;
	struct strbuf out;

	(void)state;
	strbuf_init(&out);
	json_init(&json, &out);
	json_begin_array(&json, NULL);
	json_begin_line(&json);
	json_hexadecimal(&json, "at", 0xffffffff81000000);
	json_begin_array(&json, "frames");
	json_unsigned(&json, NULL, 1);
	json_unsigned(&json, NULL, 2);
	json_end_array(&json);
	json_end_object(&json);
	json_begin_line(&json);
	json_end_object(&json);
	json_end_array(&json);
	assert_string_equal(out.bytes, "[\n"
				       "\t{\"at\": \"0xffffffff81000000\", \"frames\": [1, 2]},\n"
				       "\t{}\n"
				       "]\n");
	strbuf_fini(&out);
}

static void any_bytes_make_a_valid_string(void **state)
{
	struct json_writer json;
	struct strbuf out;

	(void)state;
	strbuf_init(&out);
	json_init(&json, &out);
	json_string(&json, NULL, "\"\\\n\t\x01\x7f caf\xc3\xa9 \xff\xed\xa0\x80");
	assert_string_equal(out.bytes, "\"\\\"\\\\\\u000a\\u0009\\u0001\\u007f caf\xc3\xa9 "
				       "\\ufffd\\ufffd\\ufffd\\ufffd\"");
	strbuf_fini(&out);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(nesting_commas_and_indentation_come_by_themselves),
		cmocka_unit_test(a_line_object_holds_everything_on_one_line),
		cmocka_unit_test(any_bytes_make_a_valid_string),
	};

	return cmocka_run_group_tests_name("text/json_writer", tests, NULL, NULL);
}
