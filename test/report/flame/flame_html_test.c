#include "report/flame/flame_html.h"

#include <stdlib.h>
#include <string.h>

#include "support/cmocka.h"
#include "support/folded_graph.h"

/* Turns folded text into the data that the page's script reads. */
static char *data_of(const char *text, const char *title)
{
	struct flame_graph graph;
	struct flame_page page = { .graph = &graph,
				   .title = title,
				   .about = "# one\n# </two>\n",
				   .unit = "cycles",
				   .command = "null" };
	struct strbuf out;
	char *from, *to, *result;

	(void)folded_graph_init(&graph, text);
	strbuf_init(&out);
	flame_html_render(&page, &out);
	from = strstr(out.bytes, "id=\"data\">") + strlen("id=\"data\">");
	to = strstr(from, "</script>");
	result = strndup(from, (size_t)(to - from));
	strbuf_fini(&out);
	flame_graph_fini(&graph);
	return result;
}

static void assert_holds(const char *text, const char *title, const char *part)
{
	char *data = data_of(text, title);

	if (!strstr(data, part))
		assert_string_equal(data, part);
	free(data);
}

/* main: its parent is the previous node (0), frame 0, 1 sample with weight 1; a: in main (0), frame 1, 3 with 3 */
static void nodes_are_four_numbers_each(void **state)
{
	(void)state;
	assert_holds("main;a 3\nmain 1\n", "t", "\"scale\":1,\n\"nodes\":\"AABBABDD\"}");
}

/* a;b, then c beside a: its parent is 2 levels above b. 100 is 4 + 3 * 32: k (36) and D. */
static void levels_go_up_and_numbers_take_several_digits(void **state)
{
	(void)state;
	assert_holds("a;b 101\nc 100\n", "t", "\"nodes\":\"AAAABlDlDCCkDkD\"}");
}

static void weights_are_divided_by_what_they_have_in_common(void **state)
{
	(void)state;
	assert_holds("a 3000\nb 2000\n", "t", "\"scale\":1000,\n");
}

static void frames_have_a_name_a_file_and_a_color(void **state)
{
	(void)state;
	assert_holds("read_[k];[libc.so] 1\n", "t", "\"dsos\":[\"\"]");
	assert_holds("main 1\n", "t", "\"frames\":[\n[\"main\",0,4]]");
}

static void hostile_names_stay_strings(void **state)
{
	(void)state;
	assert_holds("</script><script>\"\\ 1\n", "t",
		     "[\"\\u003c/script\\u003e\\u003cscript\\u003e\\u0022\\u005c\",0,");
	assert_holds("a 1\n", "</title>", "{\"title\":\"\\u003c/title\\u003e\"");
	assert_holds("a 1\n", "t", "\"about\":[\"one\",\n\"\\u003c/two\\u003e\"]");
}

static void nothing_is_a_page_too(void **state)
{
	(void)state;
	assert_holds("", "t", "\"scale\":1,\n\"nodes\":\"\"}");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(nodes_are_four_numbers_each),
		cmocka_unit_test(levels_go_up_and_numbers_take_several_digits),
		cmocka_unit_test(weights_are_divided_by_what_they_have_in_common),
		cmocka_unit_test(frames_have_a_name_a_file_and_a_color),
		cmocka_unit_test(hostile_names_stay_strings),
		cmocka_unit_test(nothing_is_a_page_too),
	};

	return cmocka_run_group_tests_name("report/flame/flame_html", tests, NULL, NULL);
}
