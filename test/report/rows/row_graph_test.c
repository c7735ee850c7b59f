#include "report/rows/row_graph.h"

#include <string.h>

#include "support/cmocka.h"
#include "support/profile_builder.h"

/* Draws the graph of the row of function `symbol` over the profile. */
static void assert_graph(struct profile *profile, const char *symbol, const char *graph, bool children,
			 const char *expected)
{
	struct row_graph_options options = { .min_percent = 0.5 };
	struct layout_request request = { .sort = "comm,symbol", .children = children };
	struct hist_options hist_options = { .children = children,
					     .keep_hits = true,
					     .callers_on_top = true };
	struct row_graph_drawer *drawer;
	struct frame_table frames;
	struct layout layout;
	struct strbuf out;
	struct hist hist;
	uint32_t i;

	assert_int_equal(row_graph_parse(&options, graph, NULL), 0);
	assert_int_equal(layout_make(&layout, &request, NULL), 0);
	hist_options.layout = &layout;
	hist_options.order = options.order_set ? options.order :
			     children          ? CALL_ORDER_CALLER :
						 CALL_ORDER_CALLEE;
	frame_table_init(&frames, profile);
	hist_init(&hist, profile, &frames, 0, &(struct filter){ 0 }, &hist_options);
	drawer = row_graph_drawer_create(&hist, &options, false, 0);
	strbuf_init(&out);
	for (i = 0; i < hist.row_count; i++) {
		const struct frame *frame = &frames.frames[hist.rows[i].keys[1]];

		if (frame->name != PROFILE_NONE && !strcmp(profile_text(profile, frame->name), symbol))
			row_graph_draw(drawer, &hist.rows[i], &out);
	}
	assert_string_equal(out.bytes, expected);
	strbuf_fini(&out);
	row_graph_drawer_destroy(drawer);
	hist_fini(&hist);
	frame_table_fini(&frames);
	profile_destroy(profile);
}

static struct profile *usual_profile(void)
{
	struct profile *p = profile_create();
	uint32_t cycles = builder_event(p, "cycles");

	builder_add(p, cycles, "web 1/1", "web`start;web`main;web`parse;web`get", 1, 600);
	builder_add(p, cycles, "web 1/1", "web`start;web`main;web`sort;web`less", 1, 250);
	builder_add(p, cycles, "web 1/1", "web`start;web`main;web`sort;web`get", 1, 100);
	builder_add(p, cycles, "web 1/1", "web`start;web`main;web`sort", 1, 49);
	builder_add(p, cycles, "web 1/1", "web`start;web`main;web`rare", 1, 1);
	return p;
}

static void a_shared_beginning_stands_without_shares(void **state)
{
	(void)state;
	assert_graph(usual_profile(), "main", NULL, true,
		     "            |\n"
		     "            ---main\n"
		     "               |\n"
		     "               |--60.00%--parse\n"
		     "               |          get\n"
		     "               |\n"
		     "                --39.90%--sort\n"
		     "                          |\n"
		     "                          |--25.00%--less\n"
		     "                          |\n"
		     "                           --10.00%--get\n"
		     "\n");
}

/* The row of a leaf shows whole stacks, from the root in caller order. */
static void a_leaf_shows_the_way_to_it(void **state)
{
	(void)state;
	assert_graph(usual_profile(), "get", NULL, true,
		     "            |\n"
		     "            ---start\n"
		     "               main\n"
		     "               |\n"
		     "               |--60.00%--parse\n"
		     "               |          get\n"
		     "               |\n"
		     "                --10.00%--sort\n"
		     "                          get\n"
		     "\n");
}

static void callee_order_begins_with_the_function_itself(void **state)
{
	(void)state;
	assert_graph(usual_profile(), "get", NULL, false,
		     "            |\n"
		     "            ---get\n"
		     "               |\n"
		     "               |--60.00%--parse\n"
		     "               |          main\n"
		     "               |          start\n"
		     "               |\n"
		     "                --10.00%--sort\n"
		     "                          main\n"
		     "                          start\n"
		     "\n");
}

static void fractal_shares_refer_to_the_caller_above(void **state)
{
	(void)state;
	assert_graph(usual_profile(), "sort", "fractal,20", true,
		     "            |\n"
		     "            |--87.72%--sort\n"
		     "            |          |\n"
		     "            |          |--71.43%--less\n"
		     "            |          |\n"
		     "            |           --28.57%--get\n"
		     "             --12.28%--[...]\n"
		     "\n");
}

static void the_threshold_leaves_out_light_branches(void **state)
{
	(void)state;
	assert_graph(usual_profile(), "main", "graph,30", true,
		     "            |\n"
		     "            ---main\n"
		     "               |\n"
		     "               |--60.00%--parse\n"
		     "               |          get\n"
		     "               |\n"
		     "                --39.90%--sort\n"
		     "\n");
}

static void a_row_below_the_threshold_has_no_graph(void **state)
{
	(void)state;
	assert_graph(usual_profile(), "rare", NULL, true, "");
	assert_graph(usual_profile(), "rare", NULL, false, "");
	assert_graph(usual_profile(), "rare", "folded", false, "");
	assert_graph(usual_profile(), "rare", "folded,0.1,caller", false, "0.10% start;main;rare\n");
}

static void the_limit_leaves_out_later_branches(void **state)
{
	(void)state;
	assert_graph(usual_profile(), "main", "graph,0.5,1,count", true,
		     "            |\n"
		     "            ---main\n"
		     "               |\n"
		     "               |--1--parse\n"
		     "               |          get\n"
		     "\n");
}

static void values_may_be_periods_or_counts(void **state)
{
	(void)state;
	assert_graph(usual_profile(), "sort", "period", true,
		     "            |\n"
		     "            |--350--sort\n"
		     "            |          |\n"
		     "            |          |--250--less\n"
		     "            |          |\n"
		     "            |           --100--get\n"
		     "            |\n"
		     "             --49--start\n"
		     "                       main\n"
		     "                       sort\n"
		     "\n");
}

static void folded_is_a_line_a_path(void **state)
{
	(void)state;
	assert_graph(usual_profile(), "get", "folded,caller", false,
		     "60.00% start;main;parse;get\n"
		     "10.00% start;main;sort;get\n");
}

static void flat_is_a_list_a_path(void **state)
{
	(void)state;
	assert_graph(usual_profile(), "get", "flat,20,callee,period", false,
		     "           600\n"
		     "                get\n"
		     "                parse\n"
		     "                main\n"
		     "                start\n"
		     "\n");
}

static void an_unknown_frame_names_its_address_and_dso(void **state)
{
	struct profile *p = profile_create();

	(void)state;
	builder_add(p, builder_event(p, "cycles"), "a 1/1", "`0x10;lib.so`0x2a0;a`f", 1, 1);
	assert_graph(p, "f", NULL, false,
		     "            |\n"
		     "            ---f\n"
		     "               0x2a0 (lib.so)\n"
		     "               0x10\n"
		     "\n");
}

static void recursion_is_drawn_from_its_outermost_call_in_caller_order(void **state)
{
	struct profile *p = profile_create();

	(void)state;
	builder_add(p, builder_event(p, "cycles"), "a 1/1", "a`main;a`f;a`f;a`g", 1, 1);
	assert_graph(p, "f", NULL, true,
		     "            |\n"
		     "            ---f\n"
		     "               f\n"
		     "               g\n"
		     "\n");
}

static void options_come_in_any_order(void **state)
{
	struct row_graph_options options = { .min_percent = 0.5 };
	struct error err;

	(void)state;
	assert_int_equal(row_graph_parse(&options, "caller,2.5,count,fractal,10", &err), 0);
	assert_int_equal(options.style, ROW_GRAPH_FRACTAL);
	assert_int_equal(options.order, CALL_ORDER_CALLER);
	assert_true(options.order_set);
	assert_int_equal(options.value, ROW_GRAPH_COUNT);
	assert_true(options.min_percent == 2.5);
	assert_int_equal(options.print_limit, 10);
	assert_int_equal(row_graph_parse(&options, "none", &err), 0);
	assert_int_equal(options.style, ROW_GRAPH_OFF);
	assert_int_equal(row_graph_parse(&options, "graph,dwarf", &err), -1);
	assert_non_null(strstr(err.message, "'dwarf' is not one of"));
	assert_int_equal(row_graph_parse(&options, "1,2,3", &err), -1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_shared_beginning_stands_without_shares),
		cmocka_unit_test(a_leaf_shows_the_way_to_it),
		cmocka_unit_test(callee_order_begins_with_the_function_itself),
		cmocka_unit_test(fractal_shares_refer_to_the_caller_above),
		cmocka_unit_test(the_threshold_leaves_out_light_branches),
		cmocka_unit_test(a_row_below_the_threshold_has_no_graph),
		cmocka_unit_test(the_limit_leaves_out_later_branches),
		cmocka_unit_test(values_may_be_periods_or_counts),
		cmocka_unit_test(folded_is_a_line_a_path),
		cmocka_unit_test(flat_is_a_list_a_path),
		cmocka_unit_test(an_unknown_frame_names_its_address_and_dso),
		cmocka_unit_test(recursion_is_drawn_from_its_outermost_call_in_caller_order),
		cmocka_unit_test(options_come_in_any_order),
	};

	return cmocka_run_group_tests_name("report/rows/row_graph", tests, NULL, NULL);
}
