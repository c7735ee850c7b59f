#include "report/rows/row_finder.h"

#include <stdlib.h>

#include "support/cmocka.h"
#include "support/hist_set_up.h"
#include "support/profile_builder.h"

struct fixture {
	struct hist_set_up set_up;
	struct row_finder finder;
};

static void fixture_init(struct fixture *fixture, struct profile *profile, const char *sort, bool again)
{
	hist_set_up_init(&fixture->set_up, profile, &(struct layout_request){ .sort = sort },
			 CALL_ORDER_CALLEE);
	row_finder_init(&fixture->finder, &fixture->set_up.hist, again);
}

static void fixture_fini(struct fixture *fixture)
{
	free(fixture->finder.rows);
	row_finder_fini(&fixture->finder);
	hist_set_up_fini(&fixture->set_up);
}

static uint32_t group(struct fixture *fixture, uint32_t sample)
{
	return row_finder_group(&fixture->finder, profile_sample_at(fixture->set_up.profile, sample));
}

static uint32_t place(const struct fixture *fixture, uint32_t stack)
{
	return row_finder_place(&fixture->finder, profile_stack_at(fixture->set_up.profile, stack));
}

/* "f" at the root, below itself in another thread, and on another CPU. */
static struct profile *three_threads(void)
{
	struct profile *p = profile_create();

	builder_event(p, "cycles");
	builder_add(p, 0, "x 1/1 0", "a`f", 1, 1);
	builder_add(p, 0, "y 2/2 0", "a`f;a`f", 1, 1);
	builder_add(p, 0, "x 1/3 1", "a`f", 1, 1);
	return p;
}

static void groups_agree_in_the_keys_of_their_samples(void **state)
{
	struct fixture fixture;

	(void)state;
	fixture_init(&fixture, three_threads(), "comm,sym", false);
	assert_int_equal(group(&fixture, 0), 0);
	assert_int_equal(group(&fixture, 1), 1);
	assert_int_equal(group(&fixture, 2), 0);
	fixture_fini(&fixture);
	fixture_init(&fixture, three_threads(), "sym,cpu", false);
	assert_int_equal(group(&fixture, 0), 0);
	assert_int_equal(group(&fixture, 1), 0);
	assert_int_equal(group(&fixture, 2), 1);
	fixture_fini(&fixture);
}

static void a_group_has_one_row_for_each_place(void **state)
{
	struct fixture fixture;

	(void)state;
	fixture_init(&fixture, three_threads(), "comm,sym", false);
	assert_int_equal(place(&fixture, 0), place(&fixture, 1));
	assert_int_equal(row_finder_row(&fixture.finder, group(&fixture, 0), place(&fixture, 0)), 0);
	assert_int_equal(row_finder_row(&fixture.finder, group(&fixture, 0), place(&fixture, 1)), 0);
	assert_int_equal(row_finder_row(&fixture.finder, group(&fixture, 1), place(&fixture, 0)), 1);
	assert_int_equal(row_finder_row(&fixture.finder, group(&fixture, 1), 0), 2);
	assert_int_equal(fixture.finder.rows[1].keys[1], 0);
	assert_int_equal(fixture.finder.rows[2].keys[1], PROFILE_NONE);
	fixture_fini(&fixture);
}

static void groups_that_come_again_find_their_rows(void **state)
{
	struct fixture fixture;

	(void)state;
	fixture_init(&fixture, three_threads(), "comm,sym", true);
	for (uint32_t i = 0; i < 4; i++)
		assert_int_equal(row_finder_row(&fixture.finder, group(&fixture, i % 2), place(&fixture, 0)),
				 i % 2);
	assert_int_equal(fixture.finder.row_count, 2);
	fixture_fini(&fixture);
}

/* Node 0 is "work", node 1 a function inlined there. */
static void what_is_inlined_has_its_line_in_the_row_of_the_function_around(void **state)
{
	struct fixture fixture;
	const struct hist_row *row;
	uint32_t number;

	(void)state;
	fixture_init(&fixture, hist_set_up_inlined_profile(), "sym,srcline", false);
	number = row_finder_look_up(&fixture.finder, group(&fixture, 0), place(&fixture, 0),
				    place(&fixture, 1));
	row = &fixture.finder.rows[number];
	assert_int_equal(row->keys[0], fixture.set_up.frames.by_location[0]);
	assert_int_equal(row->keys[1], fixture.set_up.sources.lines[1]);
	fixture_fini(&fixture);
}

static void without_lines_it_is_in_no_other_row_than_the_function(void **state)
{
	struct fixture fixture;

	(void)state;
	fixture_init(&fixture, hist_set_up_inlined_profile(), "sym", false);
	assert_int_equal(group(&fixture, 0), 0);
	assert_int_equal(row_finder_row(&fixture.finder, 0, place(&fixture, 0)), 0);
	assert_int_equal(row_finder_look_up(&fixture.finder, 0, place(&fixture, 0), place(&fixture, 1)), 0);
	assert_int_equal(fixture.finder.row_count, 1);
	fixture_fini(&fixture);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(groups_agree_in_the_keys_of_their_samples),
		cmocka_unit_test(a_group_has_one_row_for_each_place),
		cmocka_unit_test(groups_that_come_again_find_their_rows),
		cmocka_unit_test(what_is_inlined_has_its_line_in_the_row_of_the_function_around),
		cmocka_unit_test(without_lines_it_is_in_no_other_row_than_the_function),
	};

	return cmocka_run_group_tests_name("report/rows/row_finder", tests, NULL, NULL);
}
