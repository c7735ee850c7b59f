#include "report/flame/flame_diff.h"

#include "support/cmocka.h"

static void add(struct call_tree *tree, uint32_t first, uint32_t second, uint64_t weight)
{
	call_tree_add(tree, (uint32_t[]){ first, second }, 2, weight, weight);
}

/* 1 calls 2 and 3; before, 2 was called by 4 too and 3 by nobody. */
static void paths_are_compared_by_their_shares(void **state)
{
	struct call_tree *before = call_tree_create(), *after = call_tree_create();
	struct flame_diff diff;

	(void)state;
	add(before, 4, 2, 150);
	add(before, 1, 2, 50);
	add(after, 1, 2, 40);
	add(after, 1, 3, 60);
	flame_diff_init(&diff, after, before);
	/* Nodes in the order of their making: 1, 1;2, 1;3. */
	assert_int_equal(diff.before[0], 50);
	assert_int_equal(diff.before[1], 50);
	assert_int_equal(diff.before[2], 0);
	assert_true(flame_diff_before(&diff, 0) == 25);
	assert_true(flame_diff_points(&diff, after, 0) == 75);
	assert_true(flame_diff_points(&diff, after, 1) == 15);
	assert_true(flame_diff_points(&diff, after, 2) == 60);
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
	flame_diff_init(&diff, after, before);
	assert_true(flame_diff_before(&diff, 1) == 0);
	assert_true(flame_diff_points(&diff, after, 1) == 100);
	flame_diff_fini(&diff);
	call_tree_destroy(before);
	call_tree_destroy(after);
}

static void classes_say_direction_and_size(void **state)
{
	static const struct {
		double points;
		const char *name;
	} cases[] = { { 0, "z0" },    { -0.04, "z0" }, { 0.05, "p0" }, { 0.5, "p1" },
		      { -2.5, "m2" }, { 8, "p3" },     { -100, "m3" } };
	char name[3];
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		flame_diff_class(name, cases[i].points);
		assert_string_equal(name, cases[i].name);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(paths_are_compared_by_their_shares),
		cmocka_unit_test(nothing_before_is_no_share),
		cmocka_unit_test(classes_say_direction_and_size),
	};

	return cmocka_run_group_tests_name("report/flame/flame_diff", tests, NULL, NULL);
}
