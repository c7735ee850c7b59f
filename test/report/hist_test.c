#include "report/hist.h"

#include <string.h>

#include "support/cmocka.h"
#include "support/profile_builder.h"

struct fixture {
	struct profile *profile;
	struct frame_table frames;
	struct layout layout;
	struct hist hist;
};

/* Rows by symbol of the first event of a profile, which belongs to the fixture from here on. */
static struct fixture *built(struct profile *profile, bool children, enum call_order order,
			     const struct filter *filter)
{
	static struct fixture fixture;
	struct layout_request request = { .sort = "sym", .children = children };
	struct hist_options options = {
		.layout = &fixture.layout,
		.children = children,
		.keep_hits = true,
		.callers_on_top = children,
		.order = order,
	};

	fixture.profile = profile;
	frame_table_init(&fixture.frames, profile);
	layout_make(&fixture.layout, &request, NULL);
	hist_init(&fixture.hist, profile, &fixture.frames, 0, filter, &options);
	return &fixture;
}

static void release(struct fixture *fixture)
{
	hist_fini(&fixture->hist);
	frame_table_fini(&fixture->frames);
	profile_destroy(fixture->profile);
}

static const struct hist_row *row_named(const struct fixture *fixture, const char *name)
{
	uint32_t i;

	for (i = 0; i < fixture->hist.row_count; i++) {
		const struct frame *frame = &fixture->frames.frames[fixture->hist.rows[i].keys[0]];

		if (!strcmp(profile_text(fixture->profile, frame->name), name))
			return &fixture->hist.rows[i];
	}
	return NULL;
}

static void assert_path(const struct fixture *fixture, const char *row, const char *expected)
{
	const struct hist_hit *hit = &fixture->hist.hits[row_named(fixture, row)->first_hit];
	struct hist_path path = { 0 };
	char text[128] = "";
	size_t i;

	hist_path_of(&fixture->hist, hit, &path);
	for (i = 0; i < path.length; i++) {
		uint32_t frame = frame_table_of_stack(&fixture->frames, fixture->profile, path.stacks[i]);

		strcat(text, i ? ";" : "");
		strcat(text, profile_text(fixture->profile, fixture->frames.frames[frame].name));
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
	struct fixture *fixture = built(recursive_profile(), true, CALL_ORDER_CALLER, &(struct filter){ 0 });

	(void)state;
	assert_int_equal(fixture->hist.row_count, 4);
	assert_int_equal(row_named(fixture, "f")->total_weight, 10);
	assert_int_equal(row_named(fixture, "f")->total_count, 2);
	assert_int_equal(row_named(fixture, "f")->self_weight, 0);
	assert_int_equal(row_named(fixture, "h")->self_weight, 10);
	assert_int_equal(row_named(fixture, "h")->total_weight, 10);
	release(fixture);
}

static void in_caller_order_paths_lead_from_the_outermost_call_to_the_leaf(void **state)
{
	struct fixture *fixture = built(recursive_profile(), true, CALL_ORDER_CALLER, &(struct filter){ 0 });

	(void)state;
	assert_path(fixture, "f", "f;g;f;h");
	assert_path(fixture, "g", "g;f;h");
	assert_path(fixture, "h", "main;f;g;f;h"); /* the leaf shows how it was reached */
	assert_int_equal(row_named(fixture, "f")->height, 4);
	assert_int_equal(row_named(fixture, "h")->height, 5);
	release(fixture);
}

static void in_callee_order_paths_lead_from_the_innermost_call_to_the_root(void **state)
{
	struct fixture *fixture = built(recursive_profile(), true, CALL_ORDER_CALLEE, &(struct filter){ 0 });

	(void)state;
	assert_path(fixture, "f", "f;g;f;main");
	assert_path(fixture, "main", "main");
	assert_path(fixture, "h", "h;f;g;f;main");
	release(fixture);
}

static void without_children_only_leaves_have_rows(void **state)
{
	struct fixture *fixture = built(recursive_profile(), false, CALL_ORDER_CALLEE, &(struct filter){ 0 });

	(void)state;
	assert_int_equal(fixture->hist.row_count, 1);
	assert_path(fixture, "h", "h;f;g;f;main");
	release(fixture);
}

/* "work" with "mix" inlined into it; `sample` is in that. */
static struct profile *inlined_profile(void)
{
	struct profile *p = profile_create();
	uint32_t dso = profile_dso(p, "x", "/x", "");
	uint32_t work = profile_location(p, dso, 0x1010, FRAME_USER);
	uint32_t mix = profile_inlined_location(p, dso, 0x1010, FRAME_USER, 1);
	struct profile_sample sample = { .event = profile_event(p, "cycles", false, 1),
					 .count = 2,
					 .weight = 10 };

	profile_set_function(p, work, profile_function(p, dso, "work", 0x1000));
	profile_set_function(p, mix, profile_inlined_function(p, dso, "mix", 0x1000));
	sample.thread = profile_thread(p, 1, 1, profile_string(p, "x"));
	sample.stack =
		profile_stack(p, profile_stack(p, PROFILE_NONE, work, FRAME_SAMPLED), mix, FRAME_SAMPLED);
	profile_add(p, &sample);
	return p;
}

static void what_is_sampled_in_an_inlined_function_is_of_the_one_around(void **state)
{
	const char *const work[] = { "work", NULL };
	struct fixture *fixture =
		built(inlined_profile(), true, CALL_ORDER_CALLEE, &(struct filter){ .symbols = work });

	(void)state;
	assert_int_equal(fixture->hist.row_count, 2);
	assert_int_equal(row_named(fixture, "work")->self_weight, 10);
	assert_int_equal(row_named(fixture, "work")->total_weight, 10);
	assert_int_equal(row_named(fixture, "mix")->self_weight, 0);
	assert_int_equal(row_named(fixture, "mix")->total_weight, 10);
	assert_path(fixture, "work", "mix;work");
	release(fixture);
}

static void hidden_samples_stay_in_the_total(void **state)
{
	struct profile *p = recursive_profile();
	struct fixture *fixture;

	(void)state;
	builder_add(p, 0, "b 2/2 1", "b`x", 1, 30);
	fixture = built(p, false, CALL_ORDER_CALLEE,
			&(struct filter){ .comms = (const char *const[]){ "b", NULL } });
	assert_int_equal(fixture->hist.weight, 40);
	assert_int_equal(fixture->hist.count, 3);
	assert_int_equal(fixture->hist.shown_weight, 30);
	assert_int_equal(fixture->hist.shown_count, 1);
	assert_int_equal(hist_total(&fixture->hist), 40);
	assert_true(hist_percent(&fixture->hist, 30) == 75.0);
	release(fixture);
}

static void an_empty_event_has_no_shares(void **state)
{
	struct profile *p = profile_create();
	struct fixture *fixture;

	(void)state;
	builder_event(p, "cycles");
	fixture = built(p, true, CALL_ORDER_CALLER, &(struct filter){ 0 });
	assert_int_equal(fixture->hist.row_count, 0);
	assert_true(hist_percent(&fixture->hist, 0) == 0.0);
	release(fixture);
}

/* Sums of self weights are what is shown, whatever the keys; and totals never exceed it. */
static void self_adds_up_and_totals_stay_below(void **state)
{
	static const char *const names[] = { "a`a", "a`b", "b`c", "[k]`d", "`0x99" };
	struct profile *p = profile_create();
	uint64_t random = 88172645463325252u, sum = 0;
	struct fixture *fixture;
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
	fixture = built(p, true, CALL_ORDER_CALLER, &(struct filter){ 0 });
	for (i = 0; i < fixture->hist.row_count; i++) {
		sum += fixture->hist.rows[i].self_weight;
		assert_true(fixture->hist.rows[i].total_weight <= fixture->hist.weight);
		assert_true(fixture->hist.rows[i].total_weight >= fixture->hist.rows[i].self_weight);
	}
	assert_int_equal(sum, fixture->hist.shown_weight);
	release(fixture);
}

/* The samples' weights in the order of rows, which have one sample each. */
static void assert_order(const char *fields, const char *expected)
{
	struct profile *p = profile_create();
	struct layout_request request = { .fields = fields };
	struct layout layout;
	struct frame_table frames;
	struct hist hist;
	char text[64] = "";

	builder_event(p, "cycles");
	builder_add(p, 0, "b 2/2 1", "z`f", 1, 1);
	builder_add(p, 0, "a 3/3 1", "z`g", 1, 2);
	builder_add(p, 0, "a 1/1 0", "y`f", 2, 3);
	builder_add(p, 0, "b 2/2", "y`g", 2, 4);
	builder_add(p, 0, "b 1/9 0", "y`f", 1, 5);
	frame_table_init(&frames, p);
	assert_int_equal(layout_make(&layout, &request, NULL), 0);
	hist_init(&hist, p, &frames, 0, &(struct filter){ 0 }, &(struct hist_options){ .layout = &layout });
	assert_int_equal(hist.row_count, 5);
	for (uint32_t i = 0; i < hist.row_count; i++)
		text[i] = (char)('0' + hist.rows[i].self_weight);
	assert_string_equal(text, expected);
	hist_fini(&hist);
	frame_table_fini(&frames);
	profile_destroy(p);
}

static void each_column_decides_where_those_before_do_not(void **state)
{
	(void)state;
	assert_order("overhead,tid,comm,sym", "54321");
	assert_order("tid,overhead,cpu", "34125");
	assert_order("cpu,comm,dso,tid", "43521"); /* not recorded first */
	assert_order("sample,cpu,comm,tid", "43521");
	assert_order("comm,sample,cpu,tid", "32451");
	assert_order("sym,dso,comm,cpu", "35142");
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
	};

	return cmocka_run_group_tests_name("report/hist", tests, NULL, NULL);
}
