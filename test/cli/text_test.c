#include "cli/text.h"

#include <string.h>

#include "support/cmocka.h"

static void assert_paragraphs(const char *text, unsigned indent, unsigned columns, const char *expected)
{
	struct strbuf out;

	strbuf_init(&out);
	text_add_paragraphs(&out, text, indent, columns);
	assert_string_equal(out.bytes ? out.bytes : "", expected);
	strbuf_fini(&out);
}

static void words_are_wrapped_and_indented(void **state)
{
	(void)state;
	assert_paragraphs("one two three", 2, 9, "  one two\n  three\n");
	assert_paragraphs("one  two\nthree", 0, 80, "one two three\n");
}

static void a_word_that_is_too_long_stands_alone(void **state)
{
	(void)state;
	assert_paragraphs("a extraordinary b", 0, 5, "a\nextraordinary\nb\n");
}

static void paragraphs_are_separated_by_a_blank_line(void **state)
{
	(void)state;
	assert_paragraphs("one\n\ntwo\n\n", 1, 80, " one\n\n two\n");
	assert_paragraphs(NULL, 1, 80, "");
	assert_paragraphs("", 1, 80, "");
}

static void a_paragraph_that_begins_with_two_spaces_is_verbatim(void **state)
{
	(void)state;
	assert_paragraphs("one\n\n  a   b\n  c\n\ntwo", 1, 5, " one\n\n   a   b\n   c\n\n two\n");
}

static void the_first_line_goes_on_where_something_stands_already(void **state)
{
	struct strbuf out;

	(void)state;
	strbuf_init(&out);
	strbuf_adds(&out, "-a");
	text_add_wrapped(&out, "one two", 7, 4, 2, 8);
	assert_string_equal(out.bytes, "-a  one\n    two\n");
	strbuf_fini(&out);
}

static void a_one_line_help_becomes_a_sentence(void **state)
{
	struct strbuf out;

	(void)state;
	strbuf_init(&out);
	text_add_sentence(&out, "these threads");
	strbuf_addc(&out, ' ');
	text_add_sentence(&out, "why?");
	text_add_sentence(&out, "");
	assert_string_equal(out.bytes, "These threads. Why?");
	strbuf_fini(&out);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(words_are_wrapped_and_indented),
		cmocka_unit_test(a_word_that_is_too_long_stands_alone),
		cmocka_unit_test(paragraphs_are_separated_by_a_blank_line),
		cmocka_unit_test(a_paragraph_that_begins_with_two_spaces_is_verbatim),
		cmocka_unit_test(a_one_line_help_becomes_a_sentence),
		cmocka_unit_test(the_first_line_goes_on_where_something_stands_already),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
