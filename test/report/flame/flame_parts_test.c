#include "report/flame/flame_parts.h"

#include <stdlib.h>

#include "support/cmocka.h"

static void assert_parts(const char *text, unsigned int parts, const char *expected)
{
	struct strbuf out;

	strbuf_init(&out);
	flame_parts_add(&out, text, parts);
	assert_string_equal(out.bytes, expected);
	strbuf_fini(&out);
}

static void a_part_that_is_not_wanted_is_left_out_with_its_comments(void **state)
{
	(void)state;
	assert_parts("one\n\t/* begin lanes */\n\ttwo\n\t/* end lanes */\nthree\n", 0, "one\nthree\n");
	assert_parts("<p>\n<!-- begin lanes -->\n<q>\n<!-- end lanes -->\n", 0, "<p>\n");
}

static void of_a_part_that_is_wanted_the_comments_alone_are_left_out(void **state)
{
	(void)state;
	assert_parts("one\n\t/* begin lanes */\n\ttwo\n\t/* end lanes */\nthree\n", FLAME_PART_LANES,
		     "one\n\ttwo\nthree\n");
}

static void other_comments_stay(void **state)
{
	static const char text[] =
		"/* begin lanes at once */\n/* beginning */\n/* begin */\n/* end\n * lanes */\n"
		"x /* begin lanes */\n<!-- end of it -->\nlast";

	(void)state;
	assert_parts(text, 0, text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_part_that_is_not_wanted_is_left_out_with_its_comments),
		cmocka_unit_test(of_a_part_that_is_wanted_the_comments_alone_are_left_out),
		cmocka_unit_test(other_comments_stay),
	};

	return cmocka_run_group_tests_name("report/flame/flame_parts", tests, NULL, NULL);
}
