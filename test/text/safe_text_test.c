#include "text/safe_text.h"

#include "support/cmocka.h"

static void assert_safe(const char *text, const char *expected)
{
	struct strbuf buf;

	strbuf_init(&buf);
	safe_text_add(&buf, text);
	assert_string_equal(buf.bytes, expected);
	strbuf_fini(&buf);
}

static void assert_fitted(const char *name, size_t columns, const char *expected)
{
	struct strbuf buf;

	strbuf_init(&buf);
	safe_text_add_function(&buf, name, columns);
	assert_string_equal(buf.bytes, expected);
	strbuf_fini(&buf);
}

static void control_characters_cannot_reach_a_terminal(void **state)
{
	(void)state;
	assert_safe("plain", "plain");
	assert_safe("", "");
	assert_safe("a\nb\tc\x7f", "a?b?c?");
	assert_safe("\nmany plain ones, ~ and { \x1f in between", "?many plain ones, ~ and { ? in between");
	assert_safe("\033[31mred", "?[31mred");
	assert_safe("\xc2\x9b"
		    "31m",
		    "?31m"); /* U+009B, CSI in one character */
}

static void valid_utf8_stays_and_the_rest_is_replaced_byte_by_byte(void **state)
{
	(void)state;
	assert_safe("caf\xc3\xa9 \xe2\x82\xac \xf0\x9f\x98\x80", "caf\xc3\xa9 \xe2\x82\xac \xf0\x9f\x98\x80");
	assert_safe("\xc3", "?");
	assert_safe("\xc0\xaf", "??");           /* overlong */
	assert_safe("\xed\xa0\x80", "???");      /* a surrogate */
	assert_safe("\xf5\x80\x80\x80", "????"); /* above U+10FFFF */
	assert_safe("\xe2\x82", "??");
}

static void columns_are_code_points(void **state)
{
	(void)state;
	assert_int_equal(safe_text_columns(""), 0);
	assert_int_equal(safe_text_columns("caf\xc3\xa9"), 4);
	assert_int_equal(safe_text_columns("caf\xc3\xa9\n noir"), 10);
	assert_int_equal(safe_text_columns("a\xff"
					   "b"),
			 3);
}

static void a_name_that_fits_is_not_touched(void **state)
{
	(void)state;
	assert_fitted("std::vector<int>::push_back", 27, "std::vector<int>::push_back");
	assert_fitted("std::vector<int>::push_back", SIZE_MAX, "std::vector<int>::push_back");
	assert_fitted("caf\xc3\xa9\n<int>", 10, "caf\xc3\xa9?<int>"); /* but made safe */
}

static void template_arguments_are_folded_from_the_innermost_outwards(void **state)
{
	static const char name[] = "std::map<std::string, std::vector<std::pair<int, int> > >::find";

	(void)state;
	assert_fitted(name, 62, "std::map<std::string, std::vector<std::pair<...> > >::find");
	assert_fitted(name, 50, "std::map<std::string, std::vector<...> >::find");
	assert_fitted(name, 30, "std::map<...>::find");
	assert_fitted(name, 12, "std...::find");
}

static void comparison_operators_are_no_template_arguments(void **state)
{
	(void)state;
	assert_fitted("operator<< <char>(std::ostream&, char const*)", 20, "opera...char const*)");
	assert_fitted("foo::operator<(bar const&)", 12, "foo...onst&)");
	assert_fitted("a<b>::operator->(some long list)", 20, "a<......e long list)");
}

static void cutting_never_splits_a_character(void **state)
{
	(void)state;
	assert_fitted("\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9", 4, "...\xc3\xa9");
	assert_fitted("\xc3\xa9"
		      "abcdef\xc3\xa9",
		      6, "\xc3\xa9...f\xc3\xa9");
	assert_fitted("abcdef", 2, "..");
	assert_fitted("abcdef", 0, "");
}

static void other_texts_lose_their_end(void **state)
{
	struct strbuf buf;

	(void)state;
	strbuf_init(&buf);
	safe_text_add_cut(&buf, "libsomething.so.1", 10);
	assert_string_equal(buf.bytes, "libsome...");
	strbuf_reset(&buf);
	safe_text_add_cut(&buf, "short\n", 10);
	assert_string_equal(buf.bytes, "short?");
	strbuf_fini(&buf);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(control_characters_cannot_reach_a_terminal),
		cmocka_unit_test(valid_utf8_stays_and_the_rest_is_replaced_byte_by_byte),
		cmocka_unit_test(columns_are_code_points),
		cmocka_unit_test(a_name_that_fits_is_not_touched),
		cmocka_unit_test(template_arguments_are_folded_from_the_innermost_outwards),
		cmocka_unit_test(comparison_operators_are_no_template_arguments),
		cmocka_unit_test(cutting_never_splits_a_character),
		cmocka_unit_test(other_texts_lose_their_end),
	};

	return cmocka_run_group_tests_name("text/safe_text", tests, NULL, NULL);
}
