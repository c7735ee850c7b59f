#include "report/flame/flame_svg.h"

#include <stdlib.h>
#include <string.h>

#include "support/cmocka.h"
#include "support/folded_graph.h"

/* Turns folded text into the text between the frames' element and the script. */
static char *frames_of(const char *text, const struct flame_page *page)
{
	struct flame_page drawn = *page;
	struct flame_graph graph;
	struct strbuf out;
	char *from, *to, *result;

	(void)folded_graph_init(&graph, text);
	drawn.graph = &graph;
	drawn.title = "t", drawn.about = "# one\n", drawn.unit = "cycles";
	strbuf_init(&out);
	flame_svg_render(&drawn, &out);
	from = strstr(out.bytes, "<svg id=\"frames\"");
	from = strchr(from, '\n') + 1;
	to = strstr(from, "</svg>\n<script>");
	result = strndup(from, (size_t)(to - from));
	strbuf_fini(&out);
	flame_graph_fini(&graph);
	return result;
}

static void assert_frames(const char *text, const struct flame_page *page, const char *expected)
{
	char *frames = frames_of(text, page);

	assert_string_equal(frames, expected);
	free(frames);
}

static void frames_are_as_wide_as_their_share_and_lie_on_their_callers(void **state)
{
	(void)state;
	assert_frames(
		"main;a 3\nmain 1\n", &(struct flame_page){ 0 },
		"<g class=\"g0\" data-d=\"0\" data-v=\"0 4\"><title>all\n"
		"100.00%, 4 samples</title><rect x=\"0.0000%\" y=\"48\" width=\"100.0000%\" height=\"15\"/>"
		"<text dx=\"3\" x=\"0.0000%\" y=\"60\">all</text></g>\n"
		"<g class=\"u0\" data-d=\"1\" data-v=\"0 4\"><title>main\nuser\n"
		"100.00%, 4 samples; self 25.00%</title>"
		"<rect x=\"0.0000%\" y=\"32\" width=\"100.0000%\" height=\"15\"/>"
		"<text dx=\"3\" x=\"0.0000%\" y=\"44\">main</text></g>\n"
		"<g class=\"u1\" data-d=\"2\" data-v=\"0 3\"><title>a\nuser\n75.00%, 3 samples</title>"
		"<rect x=\"0.0000%\" y=\"16\" width=\"75.0000%\" height=\"15\"/>"
		"<text dx=\"3\" x=\"0.0000%\" y=\"28\">a</text></g>\n");
}

/* 1180 pixels for 1000 samples: one sample is 1.18 wide. */
static void frames_too_narrow_are_one_that_is_as_wide_as_they_are(void **state)
{
	char *frames = frames_of("a 990\nb;x 3\nc 3\nd 4\n", &(struct flame_page){ .min_width_px = 10 });

	(void)state;
	assert_non_null(strstr(frames, "<g class=\"r\" data-d=\"1\" data-v=\"990 10\"><title>4 frames\n"
				       "1.00%, 10 samples</title>"));
	assert_null(strstr(frames, "<title>b"));
	free(frames);
}

static void hostile_names_stay_text(void **state)
{
	char *frames = frames_of("</title><script>alert(1)</script>;]]>\"' 1\n", &(struct flame_page){ 0 });

	(void)state;
	assert_null(strstr(frames, "<script"));
	assert_null(strstr(frames, "]]>"));
	assert_non_null(strstr(frames, "<title>&lt;/title&gt;&lt;script&gt;alert(1)&lt;/script&gt;\n"));
	assert_non_null(strstr(frames, "<title>]]&gt;&quot;&#39;\n"));
	free(frames);
}

static void endless_names_are_cut(void **state)
{
	char line[20008], *frames;

	(void)state;
	memset(line, 'x', 20000);
	strcpy(line + 20000, " 1\n");
	frames = frames_of(line, &(struct flame_page){ 0 });
	assert_true(strlen(frames) < 4000);
	free(frames);
}

static void stacks_without_end_end_the_picture(void **state)
{
	char line[20008], *frames;
	size_t i;

	(void)state;
	for (i = 0; i < 10000; i++) {
		line[2 * i] = 'f';
		line[2 * i + 1] = ';';
	}
	strcpy(line + 19999, " 1\n");
	frames = frames_of(line, &(struct flame_page){ .inverted = true });
	assert_null(strstr(frames, "data-d=\"2000\""));
	assert_non_null(strstr(frames, "data-d=\"1999\""));
	assert_non_null(strstr(frames, "<title>8002 frames\n"));
	free(frames);
}

static void nothing_is_a_picture_too(void **state)
{
	(void)state;
	assert_frames("", &(struct flame_page){ 0 },
		      "<g class=\"g0\" data-d=\"0\" data-v=\"0 0\"><title>all\n0.00%, 0 samples</title>"
		      "<rect x=\"0.0000%\" y=\"16\" width=\"100.0000%\" height=\"15\"/></g>\n");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(frames_are_as_wide_as_their_share_and_lie_on_their_callers),
		cmocka_unit_test(frames_too_narrow_are_one_that_is_as_wide_as_they_are),
		cmocka_unit_test(hostile_names_stay_text),
		cmocka_unit_test(endless_names_are_cut),
		cmocka_unit_test(stacks_without_end_end_the_picture),
		cmocka_unit_test(nothing_is_a_picture_too),
	};

	return cmocka_run_group_tests_name("report/flame/flame_svg", tests, NULL, NULL);
}
