#include "text/web_text.h"

#include "support/cmocka.h"

static void assert_made(void (*make)(struct strbuf *, const char *), const char *text, const char *expected)
{
	struct strbuf out;

	strbuf_init(&out);
	make(&out, text);
	assert_string_equal(out.bytes, expected);
	strbuf_fini(&out);
}

static void clean_text_keeps_what_can_be_shown(void **state)
{
	(void)state;
	assert_made(web_text_clean, "std::map<int>::find(\"x\") \xc3\xa9 \xf0\x9f\x94\xa5",
		    "std::map<int>::find(\"x\") \xc3\xa9 \xf0\x9f\x94\xa5");
}

static void characters_that_reorder_text_become_question_marks(void **state)
{
	(void)state;
	/* U+061C, U+200E, U+202E, U+2066, U+2069 */
	assert_made(web_text_clean,
		    "a\xd8\x9c"
		    "b\xe2\x80\x8e"
		    "c\xe2\x80\xae"
		    "d\xe2\x81\xa6"
		    "e\xe2\x81\xa9",
		    "a?b?c?d?e?");
}

static void control_characters_and_invalid_bytes_become_question_marks(void **state)
{
	(void)state;
	/* ESC, newline, a lone continuation byte, U+2028, U+FFFE, U+FFFF */
	assert_made(web_text_clean,
		    "a\033b\nc\x80"
		    "d\xe2\x80\xa8"
		    "e\xef\xbf\xbe"
		    "f\xef\xbf\xbf",
		    "a?b?c?d?e?f?");
}

static void neighbours_of_treacherous_characters_are_kept(void **state)
{
	(void)state;
	/* U+200D, U+202F, U+2065, U+206A, U+FFFD */
	assert_made(web_text_clean, "\xe2\x80\x8d\xe2\x80\xaf\xe2\x81\xa5\xe2\x81\xaa\xef\xbf\xbd",
		    "\xe2\x80\x8d\xe2\x80\xaf\xe2\x81\xa5\xe2\x81\xaa\xef\xbf\xbd");
}

static void text_for_xml_cannot_end_an_element_an_attribute_or_a_section(void **state)
{
	(void)state;
	assert_made(web_text_add_xml, "</title><script>a('b') & \"c\" ]]>",
		    "&lt;/title&gt;&lt;script&gt;a(&#39;b&#39;) &amp; &quot;c&quot; ]]&gt;");
}

static void text_for_scripts_cannot_end_a_string_or_the_script(void **state)
{
	(void)state;
	assert_made(web_text_add_json, "</script><!-- \"\\ &",
		    "\"\\u003c/script\\u003e\\u003c!-- \\u0022\\u005c \\u0026\"");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(clean_text_keeps_what_can_be_shown),
		cmocka_unit_test(characters_that_reorder_text_become_question_marks),
		cmocka_unit_test(control_characters_and_invalid_bytes_become_question_marks),
		cmocka_unit_test(neighbours_of_treacherous_characters_are_kept),
		cmocka_unit_test(text_for_xml_cannot_end_an_element_an_attribute_or_a_section),
		cmocka_unit_test(text_for_scripts_cannot_end_a_string_or_the_script),
	};

	return cmocka_run_group_tests_name("text/web_text", tests, NULL, NULL);
}
