#include "text/json_reader.h"

#include <string.h>

#include "support/cmocka.h"

static struct json_document read_text(const char *text)
{
	struct json_document json;
	struct error err;

	if (json_read(&json, text, strlen(text), &err))
		fail_msg("%s", err.message);
	return json;
}

static void values_of_an_array_come_in_order(void **state)
{
	struct json_document json = read_text(" [1, -2.5e1, \"x\", [7, 8], true, null, 9007199254740993] ");
	struct json_items items = json_items_of(&json, JSON_ROOT);
	json_node node;

	(void)state;
	assert_true(json_number_of(&json, json_next(&json, &items)) == 1);
	assert_true(json_number_of(&json, json_next(&json, &items)) == -25);
	assert_string_equal(json_text_of(&json, json_next(&json, &items)), "x");
	node = json_next(&json, &items);
	assert_int_equal(json_type_of(&json, node), JSON_ARRAY);
	assert_int_equal(json_type_of(&json, json_next(&json, &items)), JSON_TRUE);
	assert_int_equal(json_type_of(&json, json_next(&json, &items)), JSON_NULL);
	assert_true(json_number_of(&json, json_next(&json, &items)) == 9007199254740992.0);
	assert_int_equal(json_next(&json, &items), 0);
	json_fini(&json);
}

static void a_member_is_found_by_its_name_behind_values_of_any_size(void **state)
{
	struct json_document json =
		read_text("{\"a\": {\"b\": [1, {\"c\": 2}]}, \"b\": {}, \"c\": {\"d\": \"e\"}}");

	(void)state;
	assert_true(json_is_text(&json, json_member(&json, json_member(&json, JSON_ROOT, "c"), "d"), "e"));
	assert_int_equal(json_type_of(&json, json_member(&json, JSON_ROOT, "b")), JSON_OBJECT);
	assert_int_equal(json_member(&json, JSON_ROOT, "d"), 0);
	assert_int_equal(json_member(&json, json_member(&json, JSON_ROOT, "d"), "x"), 0);
	json_fini(&json);
}

static void escapes_are_decoded(void **state)
{
	struct json_document json =
		read_text("\"a\\n\\\"\\\\\\/\\u00e9\\u20ac\\ud83d\\ude00 \\u0000 \\ud800x\"");

	(void)state;
	assert_string_equal(json_text_of(&json, JSON_ROOT),
			    "a\n\"\\/\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80 \xef\xbf\xbd \xef\xbf\xbdx");
	json_fini(&json);
}

static void what_is_no_json_is_refused(void **state)
{
	static const struct {
		const char *text, *message;
	} cases[] = {
		{ "", "at byte 0: a value is missing: the file is cut off" },
		{ "[1, 2", "at byte 5: an array or object is not closed: the file is cut off" },
		{ "{\"a\" 1}", "at byte 5: a colon is missing" },
		{ "[1 2]", "at byte 3: a comma is missing" },
		{ "[1,]", "at byte 3: not a valid value" },
		{ "\"abc", "at byte 4: a string is not closed: the file is cut off" },
		{ "\"abc\\", "at byte 5: a string is not closed: the file is cut off" },
		{ "{} {}", "at byte 3: unexpected text after the end" },
		{ "[tru]", "at byte 1: not a valid value" },
		{ "[1.2.3]", "at byte 1: not a valid value" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct json_document json;
		struct error err;

		assert_int_equal(json_read(&json, cases[i].text, strlen(cases[i].text), &err), -1);
		assert_string_equal(err.message, cases[i].message);
	}
}

static void nesting_has_a_limit(void **state)
{
	char text[2000];
	struct json_document json;
	struct error err;

	(void)state;
	memset(text, '[', sizeof(text));
	assert_int_equal(json_read(&json, text, sizeof(text), &err), -1);
	assert_string_equal(err.message, "at byte 512: arrays and objects are nested too deep");
}

static void numbers_that_do_not_fit_are_zero(void **state)
{
	struct json_document json = read_text("[-1, 1e30, 1.5]");
	struct json_items items = json_items_of(&json, JSON_ROOT);

	(void)state;
	assert_int_equal(json_unsigned_of(&json, json_next(&json, &items)), 0);
	assert_int_equal(json_unsigned_of(&json, json_next(&json, &items)), 0);
	assert_int_equal(json_unsigned_of(&json, json_next(&json, &items)), 1);
	json_fini(&json);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(values_of_an_array_come_in_order),
		cmocka_unit_test(a_member_is_found_by_its_name_behind_values_of_any_size),
		cmocka_unit_test(escapes_are_decoded),
		cmocka_unit_test(what_is_no_json_is_refused),
		cmocka_unit_test(nesting_has_a_limit),
		cmocka_unit_test(numbers_that_do_not_fit_are_zero),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
