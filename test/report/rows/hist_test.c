#include "report/rows/hist.h"

#include <stdio.h>
#include <string.h>

#include "support/cmocka.h"
#include "support/hist_set_up.h"
#include "support/profile_builder.h"

/* Rows by symbol of the first event of a profile, which the set-up takes over. */
static struct hist_set_up *built(struct profile *profile, bool children, enum call_order order,
				 const struct filter *filter)
{
	static struct hist_set_up set_up;
	const struct layout_request request = { .sort = "sym", .children = children };
	struct hist_options options;

	hist_set_up_init(&set_up, profile, &request, order);
	options = set_up.hist.options;
	hist_init(&set_up.hist, profile, &set_up.frames, 0, filter, &options);
	return &set_up;
}

static void assert_path(const struct hist_set_up *set_up, const char *row, const char *expected)
{
	const struct hist_hit *hit = &set_up->hist.hits[hist_set_up_row(set_up, row, NULL)->first_hit];
	struct hist_path path = { 0 };
	char text[128] = "";
	size_t i;

	hist_path_of(&set_up->hist, hit, &path);
	for (i = 0; i < path.length; i++) {
		uint32_t frame = frame_table_of_stack(&set_up->frames, set_up->profile, path.stacks[i]);

		strcat(text, i ? ";" : "");
		strcat(text, profile_text(set_up->profile, set_up->frames.frames[frame].name));
	}
	assert_string_equal(text, expected);
	hist_path_fini(&path);
}

static struct profile *recursive_profile(void)
{
	struct profile *p = profile_create();

	builder_add(p, builder_event(p, "cycles"), "a 1/1 0", "a`main;a`f;a`g;a`f;a`h", 2, 10);
	return p;
}

static void recursion_counts_once(void **state)
{
	struct hist_set_up *set_up =
		built(recursive_profile(), true, CALL_ORDER_CALLER, &(struct filter){ 0 });

	(void)state;
	assert_int_equal(set_up->hist.row_count, 4);
	assert_int_equal(hist_set_up_row(set_up, "f", NULL)->total_weight, 10);
	assert_int_equal(hist_set_up_row(set_up, "f", NULL)->total_count, 2);
	assert_int_equal(hist_set_up_row(set_up, "f", NULL)->self_weight, 0);
	assert_int_equal(hist_set_up_row(set_up, "h", NULL)->self_weight, 10);
	assert_int_equal(hist_set_up_row(set_up, "h", NULL)->total_weight, 10);
	hist_set_up_fini(set_up);
}

static void in_caller_order_paths_lead_from_the_outermost_call_to_the_leaf(void **state)
{
	struct hist_set_up *set_up =
		built(recursive_profile(), true, CALL_ORDER_CALLER, &(struct filter){ 0 });

	(void)state;
	assert_path(set_up, "f", "f;g;f;h");
	assert_path(set_up, "g", "g;f;h");
	assert_path(set_up, "h", "main;f;g;f;h"); /* the leaf shows how it was reached */
	assert_int_equal(hist_set_up_row(set_up, "f", NULL)->height, 4);
	assert_int_equal(hist_set_up_row(set_up, "h", NULL)->height, 5);
	hist_set_up_fini(set_up);
}

static void in_callee_order_paths_lead_from_the_innermost_call_to_the_root(void **state)
{
	struct hist_set_up *set_up =
		built(recursive_profile(), true, CALL_ORDER_CALLEE, &(struct filter){ 0 });

	(void)state;
	assert_path(set_up, "f", "f;g;f;main");
	assert_path(set_up, "main", "main");
	assert_path(set_up, "h", "h;f;g;f;main");
	hist_set_up_fini(set_up);
}

static void without_children_only_leaves_have_rows(void **state)
{
	struct hist_set_up *set_up =
		built(recursive_profile(), false, CALL_ORDER_CALLEE, &(struct filter){ 0 });

	(void)state;
	assert_int_equal(set_up->hist.row_count, 1);
	assert_path(set_up, "h", "h;f;g;f;main");
	hist_set_up_fini(set_up);
}

static void what_is_sampled_in_an_inlined_function_is_of_the_one_around(void **state)
{
	const char *const work[] = { "work", NULL };
	struct hist_set_up *set_up = built(hist_set_up_inlined_profile(), true, CALL_ORDER_CALLEE,
					   &(struct filter){ .symbols = work });

	(void)state;
	assert_int_equal(set_up->hist.row_count, 2);
	assert_int_equal(hist_set_up_row(set_up, "work", NULL)->self_weight, 10);
	assert_int_equal(hist_set_up_row(set_up, "work", NULL)->total_weight, 10);
	assert_int_equal(hist_set_up_row(set_up, "mix", NULL)->self_weight, 0);
	assert_int_equal(hist_set_up_row(set_up, "mix", NULL)->total_weight, 10);
	assert_path(set_up, "work", "mix;work");
	hist_set_up_fini(set_up);
}

static void hidden_samples_stay_in_the_total(void **state)
{
	struct profile *p = recursive_profile();
	struct hist_set_up *set_up;

	(void)state;
	builder_add(p, 0, "b 2/2 1", "b`x", 1, 30);
	set_up = built(p, false, CALL_ORDER_CALLEE,
		       &(struct filter){ .comms = (const char *const[]){ "b", NULL } });
	assert_int_equal(set_up->hist.weight, 40);
	assert_int_equal(set_up->hist.count, 3);
	assert_int_equal(set_up->hist.shown_weight, 30);
	assert_int_equal(set_up->hist.shown_count, 1);
	assert_int_equal(hist_total(&set_up->hist), 40);
	assert_true(hist_percent(&set_up->hist, 30) == 75.0);
	hist_set_up_fini(set_up);
}

static void an_empty_event_has_no_shares(void **state)
{
	struct profile *p = profile_create();
	struct hist_set_up *set_up;

	(void)state;
	builder_event(p, "cycles");
	set_up = built(p, true, CALL_ORDER_CALLER, &(struct filter){ 0 });
	assert_int_equal(set_up->hist.row_count, 0);
	assert_true(hist_percent(&set_up->hist, 0) == 0.0);
	hist_set_up_fini(set_up);
}

/* Self weights add up to the shown weight, whatever the keys; totals never exceed it. */
static void self_adds_up_and_totals_stay_below(void **state)
{
	static const char *const names[] = { "a`a", "a`b", "b`c", "[k]`d", "`0x99" };
	struct profile *p = profile_create();
	uint64_t random = 88172645463325252u, sum = 0;
	struct hist_set_up *set_up;
	char stack[64];
	uint32_t i;

	(void)state;
	builder_event(p, "cycles");
	for (i = 0; i < 300; i++) {
		unsigned depth = 1 + i % 4;

		stack[0] = '\0';
		while (depth--) {
			random ^= random << 13;
			random ^= random >> 7;
			random ^= random << 17;
			strcat(stack, names[random % 5]);
			strcat(stack, depth ? ";" : "");
		}
		builder_add(p, 0, "a 1/1 0", stack, 1, random % 100);
	}
	set_up = built(p, true, CALL_ORDER_CALLER, &(struct filter){ 0 });
	for (i = 0; i < set_up->hist.row_count; i++) {
		sum += set_up->hist.rows[i].self_weight;
		assert_true(set_up->hist.rows[i].total_weight <= set_up->hist.weight);
		assert_true(set_up->hist.rows[i].total_weight >= set_up->hist.rows[i].self_weight);
	}
	assert_int_equal(sum, set_up->hist.shown_weight);
	hist_set_up_fini(set_up);
}

/* The samples' weights in the order of rows, which have one sample each. */
static void assert_order(const char *fields, const char *expected)
{
	const struct layout_request request = { .fields = fields };
	struct profile *p = profile_create();
	struct hist_set_up set_up;
	struct hist hist;
	char text[64] = "";

	builder_event(p, "cycles");
	builder_add(p, 0, "b 2/2 1", "z`f", 1, 1);
	builder_add(p, 0, "a 3/3 1", "z`g", 1, 2);
	builder_add(p, 0, "a 1/1 0", "y`f", 2, 3);
	builder_add(p, 0, "b 2/2", "y`g", 2, 4);
	builder_add(p, 0, "b 1/9 0", "y`f", 1, 5);
	hist_set_up_init(&set_up, p, &request, CALL_ORDER_CALLEE);
	hist_init(&hist, p, &set_up.frames, 0, &(struct filter){ 0 }, &set_up.hist.options);
	assert_int_equal(hist.row_count, 5);
	for (uint32_t i = 0; i < hist.row_count; i++)
		text[i] = (char)('0' + hist.rows[i].self_weight);
	assert_string_equal(text, expected);
	hist_fini(&hist);
	hist_set_up_fini(&set_up);
}

static void each_column_decides_where_those_before_do_not(void **state)
{
	(void)state;
	assert_order("overhead,tid,comm,sym", "54321");
	assert_order("tid,overhead,cpu", "34125");
	assert_order("cpu,comm,dso,tid", "43521"); /* an unrecorded CPU first */
	assert_order("sample,cpu,comm,tid", "43521");
	assert_order("comm,sample,cpu,tid", "32451");
	assert_order("sym,dso,comm,cpu", "35142");
}

static const char *name_of(const struct hist_set_up *set_up, uint32_t row)
{
	return profile_text(set_up->profile, set_up->frames.frames[set_up->hist.rows[row].keys[0]].name);
}

/* Enough functions for two threads to sort, with `weights` different weights: equal ones are sorted by name. */
static void assert_many_in_order(uint32_t weights)
{
	enum { COUNT = 3001, STEP = 7 }; /* no common divisor */
	struct profile *p = profile_create();
	struct hist_set_up *set_up;
	char stack[16];

	builder_event(p, "cycles");
	for (uint32_t i = 0; i < COUNT; i++) {
		snprintf(stack, sizeof(stack), "a`f%04u", i * STEP % COUNT);
		builder_add(p, 0, "a 1/1 0", stack, 1, 1 + i % weights);
	}
	set_up = built(p, false, CALL_ORDER_CALLEE, &(struct filter){ 0 });
	assert_int_equal(set_up->hist.row_count, COUNT);
	for (uint32_t i = 1; i < COUNT; i++) {
		const struct hist_row *one = &set_up->hist.rows[i - 1], *next = &set_up->hist.rows[i];

		if (one->self_weight == next->self_weight)
			assert_true(strcmp(name_of(set_up, i - 1), name_of(set_up, i)) < 0);
		else
			assert_true(one->self_weight > next->self_weight);
	}
	hist_set_up_fini(set_up);
}

static void many_rows_are_ordered_wherever_equal_ones_begin_and_end(void **state)
{
	(void)state;
	assert_many_in_order(1);
	assert_many_in_order(2);
	assert_many_in_order(3);
	assert_many_in_order(3001);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(recursion_counts_once),
		cmocka_unit_test(in_caller_order_paths_lead_from_the_outermost_call_to_the_leaf),
		cmocka_unit_test(in_callee_order_paths_lead_from_the_innermost_call_to_the_root),
		cmocka_unit_test(without_children_only_leaves_have_rows),
		cmocka_unit_test(what_is_sampled_in_an_inlined_function_is_of_the_one_around),
		cmocka_unit_test(hidden_samples_stay_in_the_total),
		cmocka_unit_test(an_empty_event_has_no_shares),
		cmocka_unit_test(self_adds_up_and_totals_stay_below),
		cmocka_unit_test(each_column_decides_where_those_before_do_not),
		cmocka_unit_test(many_rows_are_ordered_wherever_equal_ones_begin_and_end),
	};

	return cmocka_run_group_tests_name("report/rows/hist", tests, NULL, NULL);
}
