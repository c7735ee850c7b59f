#include "base/utf8.h"

#include <string.h>

#include "support/cmocka.h"

static void a_sequence_is_as_long_as_it_is_valid(void **state)
{
	(void)state;
	assert_int_equal(utf8_length("a", 1), 1);
	assert_int_equal(utf8_length("\xc3\xa9", 2), 2);
	assert_int_equal(utf8_length("\xe2\x82\xac", 3), 3);
	assert_int_equal(utf8_length("\xf0\x9f\x98\x80", 4), 4);
	assert_int_equal(utf8_length("\xe2\x82\xac", 2), 0); /* truncated */
	assert_int_equal(utf8_length("", 0), 0);
	assert_int_equal(utf8_sequence_length("\xc0\xaf"), 0);     /* not the shortest form */
	assert_int_equal(utf8_sequence_length("\xed\xa0\x80"), 0); /* a surrogate */
	assert_int_equal(utf8_sequence_length("\xf4\x90\x80\x80"), 0);
	assert_int_equal(utf8_sequence_length("\xe2"), 0); /* reads no further than the NUL */
}

static void code_points_are_those_of_their_bytes(void **state)
{
	(void)state;
	assert_int_equal(utf8_code_point("a", 1), 'a');
	assert_int_equal(utf8_code_point("\xc2\x9b", 2), 0x9b);
	assert_int_equal(utf8_code_point("\xe2\x80\xae", 3), 0x202e);
	assert_int_equal(utf8_code_point("\xf0\x9f\x98\x80", 4), 0x1f600);
}

static void assert_harmful(const char *text, bool harmful)
{
	if (utf8_is_harmful(text, strlen(text)) != harmful)
		fail_msg("%u", utf8_code_point(text, strlen(text)));
}

static void what_drives_a_terminal_or_reorders_text_is_harmful(void **state)
{
	static const char *const harmful[] = { "\n",           "\x1b",         "\x7f",         "\xc2\x80",
					       "\xc2\x9f",     "\xd8\x9c",     "\xe2\x80\x8e", "\xe2\x80\x8f",
					       "\xe2\x80\xa8", "\xe2\x80\xa9", "\xe2\x80\xaa", "\xe2\x80\xae",
					       "\xe2\x81\xa6", "\xe2\x81\xa9" };
	static const char *const harmless[] = { " ",
						"~",
						"\xc2\xa0",
						"\xd8\x9b",
						"\xe2\x80\x8d",
						"\xe2\x80\x90",
						"\xe2\x80\xa7",
						"\xe2\x80\xaf",
						"\xe2\x81\xa5",
						"\xe2\x81\xaa",
						"\xe3\x80\x8e",
						"\xf0\x9f\x98\x80" };

	(void)state;
	for (size_t i = 0; i < sizeof(harmful) / sizeof(*harmful); i++)
		assert_harmful(harmful[i], true);
	for (size_t i = 0; i < sizeof(harmless) / sizeof(*harmless); i++)
		assert_harmful(harmless[i], false);
}

static void text_is_made_harmless_where_it_stands(void **state)
{
	char text[] = "caf\xc3\xa9\n\xc2\x9b\x9b\xe2\x80\xaeok";
	char plain[] = "plain";

	(void)state;
	assert_int_equal(utf8_make_harmless(text), 11);
	assert_string_equal(text, "caf\xc3\xa9????ok");
	assert_int_equal(utf8_make_harmless(plain), 5);
	assert_string_equal(plain, "plain");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_sequence_is_as_long_as_it_is_valid),
		cmocka_unit_test(code_points_are_those_of_their_bytes),
		cmocka_unit_test(what_drives_a_terminal_or_reorders_text_is_harmful),
		cmocka_unit_test(text_is_made_harmless_where_it_stands),
	};

	return cmocka_run_group_tests_name("base/utf8", tests, NULL, NULL);
}
