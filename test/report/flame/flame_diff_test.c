#include "report/flame/flame_diff.h"

#include <math.h>

#include "support/cmocka.h"

static void add(struct call_tree *tree, uint32_t first, uint32_t second, uint64_t weight)
{
	const uint32_t node = call_tree_child(tree, CALL_TREE_NONE, first);

	call_tree_add(tree, call_tree_child(tree, node, second), weight, weight);
	call_tree_sum_up(tree);
}

static void init(struct flame_diff *diff, const struct call_tree *before, const struct call_tree *after)
{
	flame_diff_init(diff, &(struct flame_diff_side){ before, NULL, NULL },
			&(struct flame_diff_side){ after, NULL, NULL });
}

/* 1 calls 2 and 3; before, 4 called 2, too, and 3 was not called. */
static void paths_are_compared_by_their_shares(void **state)
{
	struct call_tree *before = call_tree_create(), *after = call_tree_create();
	struct flame_diff diff;

	(void)state;
	add(before, 4, 2, 150);
	add(before, 1, 2, 50);
	add(after, 1, 2, 40);
	add(after, 1, 3, 60);
	init(&diff, before, after);
	/* Nodes in the order in which they were made: 1, 1;2, 1;3. */
	assert_int_equal(diff.before[0], 50);
	assert_int_equal(diff.before[1], 50);
	assert_int_equal(diff.before[2], 0);
	assert_true(fabs(flame_diff_before(&diff, 0) - 25) < 1e-9);
	assert_true(fabs(flame_diff_points(&diff, 0) - 75) < 1e-9);
	assert_true(fabs(flame_diff_points(&diff, 1) - 15) < 1e-9);
	assert_true(fabs(flame_diff_points(&diff, 2) - 60) < 1e-9);
	assert_true(diff.changes[0].differs && diff.changes[1].differs && diff.changes[2].differs);
	flame_diff_fini(&diff);
	call_tree_destroy(before);
	call_tree_destroy(after);
}

static void nothing_before_is_no_share(void **state)
{
	struct call_tree *before = call_tree_create(), *after = call_tree_create();
	struct flame_diff diff;

	(void)state;
	add(after, 1, 2, 4);
	init(&diff, before, after);
	assert_true(flame_diff_before(&diff, 1) == 0);
	assert_false(diff.changes[1].differs);
	flame_diff_fini(&diff);
	call_tree_destroy(before);
	call_tree_destroy(after);
}

/* 2 is in 30 of 100 samples before and in 33 now: may be chance. 5 calls itself: it counts once. */
static void what_may_be_chance_does_not_differ(void **state)
{
	struct call_tree *before = call_tree_create(), *after = call_tree_create();
	struct flame_diff diff;

	(void)state;
	add(before, 1, 2, 30);
	add(before, 5, 5, 70);
	add(after, 1, 2, 33);
	add(after, 5, 5, 67);
	init(&diff, before, after);
	for (int node = 0; node < 4; node++) {
		assert_false(diff.changes[node].differs);
		assert_true(diff.changes[node].low < 0 && diff.changes[node].high > 0);
	}
	assert_int_equal(diff.function_count, 3);
	assert_int_equal(diff.functions[2].key, 5);
	assert_true(fabs(diff.functions[2].total.before - 0.7) < 1e-9);
	assert_true(fabs(diff.functions[2].self.before - 0.7) < 1e-9);
	assert_true(fabs(diff.functions[0].self.before) < 1e-9);
	flame_diff_fini(&diff);
	call_tree_destroy(before);
	call_tree_destroy(after);
}

static void classes_say_direction_and_size(void **state)
{
	static const struct {
		double points;
		bool differs;
		const char *name;
	} cases[] = { { 0, true, "z0" },    { -0.04, true, "z0" }, { 0.05, true, "p0" }, { 0.5, true, "p1" },
		      { -2.5, true, "m2" }, { 8, true, "p3" },     { -100, true, "m3" }, { 50, false, "z0" } };
	char name[3];
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		flame_diff_class(name, cases[i].points, cases[i].differs);
		assert_string_equal(name, cases[i].name);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(paths_are_compared_by_their_shares),
		cmocka_unit_test(nothing_before_is_no_share),
		cmocka_unit_test(what_may_be_chance_does_not_differ),
		cmocka_unit_test(classes_say_direction_and_size),
	};

	return cmocka_run_group_tests_name("report/flame/flame_diff", tests, NULL, NULL);
}
