#include "report/view/function_pattern.h"

#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "support/cmocka.h"

/* main calls parse, which calls read, which calls parse again; and a stack with an unknown frame alone. */
struct fixture {
	struct profile *profile;
	struct frame_table frames;
	uint32_t main, parse, read, inner, unknown; /* nodes */
};

static uint32_t location_of(struct profile *p, const char *name, uint64_t start)
{
	const uint32_t dso = profile_dso(p, "a.out", "/a.out", "");
	const uint32_t location = profile_location(p, dso, start + 4, FRAME_USER);

	if (name)
		profile_set_function(p, location, profile_function(p, dso, name, start));
	return location;
}

static void add_sample(struct profile *p, uint32_t stack)
{
	profile_add(p, &(struct profile_sample){ .thread = profile_thread(p, 1, 1, profile_string(p, "a")),
						 .event = profile_event(p, "cycles", false, 1),
						 .stack = stack,
						 .count = 1,
						 .weight = 1 });
}

static int set_up(void **state)
{
	struct fixture *f = xcalloc(1, sizeof(*f));
	struct profile *p = f->profile = profile_create();
	const uint32_t parse = location_of(p, "parse", 0x200);

	f->main = profile_stack(p, PROFILE_NONE, location_of(p, "main", 0x100), FRAME_CFI);
	f->parse = profile_stack(p, f->main, parse, FRAME_CFI);
	f->read = profile_stack(p, f->parse, location_of(p, "do_read", 0x300), FRAME_CFI);
	f->inner = profile_stack(p, f->read, parse, FRAME_SAMPLED);
	f->unknown = profile_stack(p, PROFILE_NONE, location_of(p, NULL, 0x400), FRAME_SAMPLED);
	add_sample(p, f->main);
	add_sample(p, f->inner);
	add_sample(p, f->unknown);
	frame_table_init(&f->frames, p);
	*state = f;
	return 0;
}

static int tear_down(void **state)
{
	struct fixture *f = *state;

	frame_table_fini(&f->frames);
	profile_destroy(f->profile);
	free(f);
	return 0;
}

static void assert_parent(const struct fixture *f, const uint32_t *parents, uint32_t node,
			  const char *expected)
{
	if (expected)
		assert_string_equal(profile_text(f->profile, parents[node]), expected);
	else
		assert_int_equal(parents[node], PROFILE_NONE);
}

static void a_pattern_that_is_no_regular_expression_is_refused(void **state)
{
	struct error err = { 0 };

	(void)state;
	assert_int_equal(function_pattern_check("^sys_|^do_page_fault", &err), 0);
	assert_int_equal(function_pattern_check("parse(", &err), -1);
	assert_non_null(strstr(err.message, "'parse(' is not a regular expression: "));
}

static void each_stack_has_the_matching_function_above_it(void **state)
{
	struct fixture *f = *state;
	uint32_t *parents = function_pattern_parents("^parse$", f->profile, &f->frames, true);

	assert_parent(f, parents, f->main, NULL);
	assert_parent(f, parents, f->parse, "parse");
	assert_parent(f, parents, f->read, "parse");
	assert_parent(f, parents, f->inner, "parse");
	assert_parent(f, parents, f->unknown, NULL);
	free(parents);
}

static void of_several_it_is_the_outermost_or_the_innermost(void **state)
{
	struct fixture *f = *state;
	uint32_t *outermost = function_pattern_parents("parse|read", f->profile, &f->frames, true);
	uint32_t *innermost = function_pattern_parents("parse|read", f->profile, &f->frames, false);

	assert_parent(f, outermost, f->read, "parse");
	assert_parent(f, innermost, f->read, "do_read");
	assert_parent(f, innermost, f->inner, "parse");
	free(outermost);
	free(innermost);
}

static void part_of_a_name_is_enough(void **state)
{
	struct fixture *f = *state;
	uint32_t *parents = function_pattern_parents("rea", f->profile, &f->frames, true);

	assert_parent(f, parents, f->parse, NULL);
	assert_parent(f, parents, f->inner, "do_read");
	free(parents);
}

static void callees_of_the_outermost_match_become_its_own(void **state)
{
	struct fixture *f = *state;

	function_pattern_cut_callees("parse", f->profile, &f->frames);
	assert_int_equal(profile_sample_at(f->profile, 0)->stack, f->main);
	assert_int_equal(profile_sample_at(f->profile, 1)->stack, f->parse);
	assert_int_equal(profile_sample_at(f->profile, 2)->stack, f->unknown);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(a_pattern_that_is_no_regular_expression_is_refused),
		TEST(each_stack_has_the_matching_function_above_it),
		TEST(of_several_it_is_the_outermost_or_the_innermost),
		TEST(part_of_a_name_is_enough),
		TEST(callees_of_the_outermost_match_become_its_own),
	};

	return cmocka_run_group_tests_name("report/view/function_pattern", tests, NULL, NULL);
}
