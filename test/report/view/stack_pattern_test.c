#include "report/view/stack_pattern.h"

#include <stdlib.h>

#include "support/cmocka.h"
#include "support/profile_builder.h"

/* One digit per stack: main;parse;read, main;parse, parse;read of another file, work;main;a;b. */
static void assert_matches(const char *pattern, const char *expected)
{
	struct profile *p = profile_create();
	uint32_t event = builder_event(p, "cycles"), leaves[4], i;
	struct frame_table frames;
	char matches[5] = { 0 };
	bool *by_node;

	leaves[0] = builder_add(p, event, "web 1/1", "web`main;web`parse;libc.so`read", 1, 1);
	leaves[1] = builder_add(p, event, "web 1/1", "web`main;web`parse", 1, 1);
	leaves[2] = builder_add(p, event, "web 1/1", "web`parse;other.so`read", 1, 1);
	leaves[3] = builder_add(p, event, "web 1/1", "web`work;web`main;web`a;web`b", 1, 1);
	frame_table_init(&frames, p);
	by_node = stack_pattern_match(pattern, p, &frames);
	for (i = 0; i < 4; i++)
		matches[i] = by_node[leaves[i]] ? '1' : '0';
	assert_string_equal(matches, expected);
	free(by_node);
	frame_table_fini(&frames);
	profile_destroy(p);
}

static void a_beginning_is_at_the_root(void **state)
{
	(void)state;
	assert_matches("main;...", "1100");
	assert_matches("main;parse;...", "1100");
	assert_matches("main;read;...", "0000");
}

static void an_end_is_at_the_leaf(void **state)
{
	(void)state;
	assert_matches("...;read", "1010");
	assert_matches("...;parse;read", "1010");
	assert_matches("...;main;read", "0000");
}

static void anywhere_is_anywhere(void **state)
{
	(void)state;
	assert_matches("...;main;...", "1101");
	assert_matches("...;main;parse;...", "1100");
	assert_matches("...", "1111");
}

static void dots_in_the_middle_are_any_number_of_frames(void **state)
{
	(void)state;
	assert_matches("main;...;read", "1000");
	assert_matches("main;...;parse", "0100"); /* zero frames */
	assert_matches("work;...;b", "0001");
	assert_matches("...;main;...;b;...", "0001");
	assert_matches("main;...;b", "0000");
	assert_matches("work;...;main;...;a;...;b", "0001");
	assert_matches("main;...;main", "0000");
}

static void without_dots_it_is_that_stack(void **state)
{
	(void)state;
	assert_matches("main;parse", "0100");
	assert_matches("parse", "0000");
}

static void a_file_tells_functions_of_one_name_apart(void **state)
{
	(void)state;
	assert_matches("...;read@libc.so", "1000");
	assert_matches("main@web;parse@web;...", "1100");
	assert_matches("...;read@web;...", "0000");
}

static void a_name_that_there_is_not_matches_nothing(void **state)
{
	(void)state;
	assert_matches("...;nothing;...", "0000");
	assert_matches("", "0000");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_beginning_is_at_the_root),
		cmocka_unit_test(an_end_is_at_the_leaf),
		cmocka_unit_test(anywhere_is_anywhere),
		cmocka_unit_test(dots_in_the_middle_are_any_number_of_frames),
		cmocka_unit_test(without_dots_it_is_that_stack),
		cmocka_unit_test(a_file_tells_functions_of_one_name_apart),
		cmocka_unit_test(a_name_that_there_is_not_matches_nothing),
	};

	return cmocka_run_group_tests_name("report/view/stack_pattern", tests, NULL, NULL);
}
