#include "profile/profile_diff.h"

#include <string.h>

#include "support/cmocka.h"
#include "support/profile_builder.h"
#include "support/profile_pair.h"

static struct profile *before(struct profile_pair *pair)
{
	return pair->profile[COMPARE_BEFORE];
}

static struct profile *after(struct profile_pair *pair)
{
	return pair->profile[COMPARE_AFTER];
}

static const char *text_of(const struct profile_pair *pair, uint32_t text)
{
	return text == DIFF_NONE ? "?" : profile_diff_text(pair->diff, text);
}

/* Finds the row of this DSO and symbol ("?" if none). */
static uint32_t find(const struct profile_pair *pair, const char *dso, const char *symbol)
{
	for (uint32_t i = 0; i < profile_diff_row_count(pair->diff); i++) {
		const struct diff_function *function =
			profile_diff_function(pair->diff, profile_diff_row(pair->diff, i)->function);

		if (!strcmp(text_of(pair, function->dso), dso) &&
		    !strcmp(text_of(pair, function->symbol), symbol))
			return i;
	}
	fail_msg("there is no row of %s in %s", symbol, dso);
	return 0;
}

static void assert_row(const struct profile_pair *pair, const char *dso, const char *symbol,
		       const uint64_t self[2], const uint64_t total[2])
{
	const struct diff_row *row = profile_diff_row(pair->diff, find(pair, dso, symbol));

	for (int side = 0; side < COMPARE_SIDES; side++) {
		assert_int_equal(row->self[side].weight, self[side]);
		assert_int_equal(row->total[side].weight, total[side]);
	}
}

#define SIDES(a, b) ((const uint64_t[]){ (a), (b) })

static void functions_are_matched_by_name_wherever_they_lie(void **state)
{
	struct profile_pair pair;

	(void)state;
	profile_pair_init(&pair, "cycles");
	builder_add(before(&pair), 0, "a 1/1", "prog`main;prog`parse", 2, 20);
	builder_add(after(&pair), 0, "b 7/7", "prog`other;prog`main;prog`parse", 3, 30);
	builder_add(after(&pair), 0, "b 7/7", "libz.so`parse", 1, 10);
	profile_pair_match(&pair, DIFF_BY_DSO | DIFF_BY_SYMBOL, NULL);
	assert_row(&pair, "prog", "parse", SIDES(20, 30), SIDES(20, 30));
	assert_row(&pair, "prog", "main", SIDES(0, 0), SIDES(20, 30));
	assert_row(&pair, "libz.so", "parse", SIDES(0, 10), SIDES(0, 10));
	assert_int_equal(profile_diff_row_count(pair.diff), 4);
	assert_int_equal(profile_diff_counted(pair.diff, COMPARE_AFTER).count, 4);
	assert_int_equal(profile_diff_counted(pair.diff, COMPARE_AFTER).weight, 40);
	profile_pair_fini(&pair);
}

static void copies_of_a_function_are_one_and_count_a_sample_once(void **state)
{
	struct profile_pair pair;

	(void)state;
	profile_pair_init(&pair, "cycles");
	builder_add(before(&pair), 0, "a 1/1", "prog`parse;prog`parse.cold", 1, 10);
	builder_add(after(&pair), 0, "a 1/1", "prog`parse.constprop.0", 1, 15);
	profile_pair_match(&pair, DIFF_BY_DSO | DIFF_BY_SYMBOL, NULL);
	assert_int_equal(profile_diff_row_count(pair.diff), 1);
	assert_row(&pair, "prog", "parse", SIDES(10, 15), SIDES(10, 15));
	profile_pair_fini(&pair);
}

static void functions_without_a_name_are_one_in_each_dso(void **state)
{
	struct profile_pair pair;

	(void)state;
	profile_pair_init(&pair, "cycles");
	builder_add(before(&pair), 0, "a 1/1", "libc.so.6`0x10", 1, 1);
	builder_add(before(&pair), 0, "a 1/1", "libc.so.6`0x20", 1, 2);
	builder_add(after(&pair), 0, "a 1/1", "libc.so.6`0x30", 1, 4);
	builder_add(after(&pair), 0, "a 1/1", "`0x40", 1, 8);
	profile_pair_match(&pair, DIFF_BY_DSO | DIFF_BY_SYMBOL, NULL);
	assert_row(&pair, "libc.so.6", "?", SIDES(3, 4), SIDES(3, 4));
	assert_row(&pair, "?", "?", SIDES(0, 8), SIDES(0, 8));
	profile_pair_fini(&pair);
}

static void a_program_of_another_name_can_be_said_to_be_the_same(void **state)
{
	struct name_pairs pairs = { 0 };
	struct profile_pair pair;

	(void)state;
	profile_pair_init(&pair, "cycles");
	builder_add(before(&pair), 0, "a 1/1", "prog-old`main", 1, 1);
	builder_add(after(&pair), 0, "a 1/1", "prog-new`main", 1, 2);
	assert_int_equal(name_pairs_parse(&pairs, "prog-old=prog-new", NULL), 0);
	profile_pair_match(&pair, DIFF_BY_DSO | DIFF_BY_SYMBOL, &pairs);
	assert_int_equal(profile_diff_row_count(pair.diff), 1);
	assert_row(&pair, "prog-old", "main", SIDES(1, 2), SIDES(1, 2));
	profile_pair_fini(&pair);
	name_pairs_fini(&pairs);
}

static void other_keys_make_other_rows(void **state)
{
	struct profile_pair pair;

	(void)state;
	profile_pair_init(&pair, "cycles");
	builder_add(before(&pair), 0, "a 1/1 0", "prog`main;libc.so.6`read", 1, 1);
	builder_add(before(&pair), 0, "a 1/1 1", "prog`main;libc.so.6`write", 1, 2);
	builder_add(after(&pair), 0, "b 1/1 1", "prog`main", 1, 4);
	profile_pair_match(&pair, DIFF_BY_DSO, NULL);
	assert_row(&pair, "libc.so.6", "?", SIDES(3, 0), SIDES(3, 0));
	assert_row(&pair, "prog", "?", SIDES(0, 4), SIDES(3, 4));
	profile_diff_destroy(pair.diff);
	frame_table_fini(&pair.frames[COMPARE_BEFORE]);
	frame_table_fini(&pair.frames[COMPARE_AFTER]);

	profile_pair_match(&pair, DIFF_BY_COMM, NULL);
	assert_int_equal(profile_diff_row_count(pair.diff), 2);
	assert_string_equal(text_of(&pair, profile_diff_row(pair.diff, 0)->comm), "a");
	assert_int_equal(profile_diff_row(pair.diff, 0)->total[COMPARE_BEFORE].weight, 3);
	assert_int_equal(profile_diff_row(pair.diff, 1)->self[COMPARE_AFTER].weight, 4);
	profile_diff_destroy(pair.diff);
	frame_table_fini(&pair.frames[COMPARE_BEFORE]);
	frame_table_fini(&pair.frames[COMPARE_AFTER]);

	profile_pair_match(&pair, DIFF_BY_CPU, NULL);
	assert_int_equal(profile_diff_row_count(pair.diff), 2);
	assert_int_equal(profile_diff_row(pair.diff, 1)->cpu, 1);
	assert_int_equal(profile_diff_row(pair.diff, 1)->self[COMPARE_BEFORE].weight, 2);
	assert_int_equal(profile_diff_row(pair.diff, 1)->self[COMPARE_AFTER].weight, 4);
	profile_pair_fini(&pair);
}

static void filters_hide_or_leave_out_samples_of_both(void **state)
{
	struct profile_pair pair;

	(void)state;
	profile_pair_init(&pair, "cycles");
	builder_add(before(&pair), 0, "a 1/1 0", "prog`main", 1, 1);
	builder_add(before(&pair), 0, "a 1/1 1", "prog`main", 1, 2);
	builder_add(after(&pair), 0, "b 1/1 1", "prog`main", 1, 4);
	pair.filter.comms = (const char *const[]){ "a", NULL };
	pair.filter.cpus = (const uint32_t[]){ 1 };
	pair.filter.cpu_count = 1;
	profile_pair_match(&pair, DIFF_BY_DSO | DIFF_BY_SYMBOL, NULL);
	assert_row(&pair, "prog", "main", SIDES(2, 0), SIDES(2, 0));
	assert_int_equal(profile_diff_counted(pair.diff, COMPARE_BEFORE).weight, 2);
	assert_int_equal(profile_diff_counted(pair.diff, COMPARE_AFTER).weight, 4);
	assert_int_equal(profile_diff_shown(pair.diff, COMPARE_AFTER).weight, 0);
	profile_pair_fini(&pair);
}

static void callers_are_told_with_both_weights(void **state)
{
	const struct call_node *node;
	struct call_tree *tree;
	struct profile_pair pair;

	(void)state;
	profile_pair_init(&pair, "cycles");
	builder_add(before(&pair), 0, "a 1/1", "prog`main;prog`x;prog`leaf", 1, 10);
	builder_add(after(&pair), 0, "a 1/1", "prog`main;prog`x;prog`leaf", 2, 30);
	builder_add(after(&pair), 0, "a 1/1", "prog`main;prog`y;prog`leaf", 1, 5);
	builder_add(after(&pair), 0, "a 1/1", "prog`main;prog`y", 1, 100);
	profile_pair_match(&pair, DIFF_BY_DSO | DIFF_BY_SYMBOL, NULL);
	tree = profile_diff_callers(pair.diff, find(&pair, "prog", "leaf"), false);
	call_tree_sort(tree);
	node = call_tree_at(tree, call_tree_first(tree));
	assert_string_equal(text_of(&pair, profile_diff_function(pair.diff, node->key)->symbol), "x");
	assert_int_equal(node->total_count, 10);
	assert_int_equal(node->total_weight, 30);
	node = call_tree_at(tree, node->next_sibling);
	assert_string_equal(text_of(&pair, profile_diff_function(pair.diff, node->key)->symbol), "y");
	assert_int_equal(node->total_count, 0);
	assert_int_equal(node->total_weight, 5);
	assert_int_equal(node->next_sibling, CALL_TREE_NONE);
	call_tree_destroy(tree);
	profile_pair_fini(&pair);
}

/* Adds the later profile twice, as if it were two recordings. */
static void recordings_of_a_side_are_added_up_and_kept_apart(void **state)
{
	struct diff_run runs[3];
	struct diff_sums sums;
	struct profile_pair pair;
	uint32_t row;

	(void)state;
	profile_pair_init(&pair, "cycles");
	builder_add(before(&pair), 0, "a 1/1", "prog`main;prog`parse", 2, 20);
	builder_add(after(&pair), 0, "a 1/1", "prog`main;prog`parse", 3, 30);
	for (int i = 0; i < 3; i++) {
		int side = i ? COMPARE_AFTER : COMPARE_BEFORE;

		if (i < 2)
			frame_table_init(&pair.frames[side], pair.profile[side]);
		runs[i] = (struct diff_run){ pair.profile[side], &pair.frames[side], 0, &pair.filter, NULL };
	}
	pair.diff = profile_diff_create(runs, (const size_t[]){ 1, 2 }, DIFF_BY_DSO | DIFF_BY_SYMBOL, NULL);
	assert_row(&pair, "prog", "parse", SIDES(20, 60), SIDES(20, 60));
	assert_row(&pair, "prog", "main", SIDES(0, 0), SIDES(20, 60));
	assert_int_equal(profile_diff_counted(pair.diff, COMPARE_AFTER).count, 6);
	assert_int_equal(profile_diff_run_count(pair.diff, COMPARE_AFTER), 2);
	assert_int_equal(profile_diff_run_counted(pair.diff, COMPARE_AFTER, 1).weight, 30);
	row = find(&pair, "prog", "main");
	sums = profile_diff_run_sums(pair.diff, COMPARE_AFTER, 1, row, true);
	assert_int_equal(sums.weight, 30);
	sums = profile_diff_run_sums(pair.diff, COMPARE_AFTER, 1, row, false);
	assert_int_equal(sums.weight, 0);
	sums = profile_diff_run_sums(pair.diff, COMPARE_BEFORE, 0, row, true);
	assert_int_equal(sums.weight, 20);
	profile_pair_fini(&pair);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(functions_are_matched_by_name_wherever_they_lie),
		cmocka_unit_test(copies_of_a_function_are_one_and_count_a_sample_once),
		cmocka_unit_test(functions_without_a_name_are_one_in_each_dso),
		cmocka_unit_test(a_program_of_another_name_can_be_said_to_be_the_same),
		cmocka_unit_test(other_keys_make_other_rows),
		cmocka_unit_test(filters_hide_or_leave_out_samples_of_both),
		cmocka_unit_test(callers_are_told_with_both_weights),
		cmocka_unit_test(recordings_of_a_side_are_added_up_and_kept_apart),
	};

	return cmocka_run_group_tests_name("profile/profile_diff", tests, NULL, NULL);
}
