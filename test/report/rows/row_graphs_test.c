#include "report/rows/row_graph.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#include "support/cmocka.h"
#include "support/profile_builder.h"

enum { FUNCTIONS = 150, SAMPLES = 3000 };

static struct fixture {
	struct profile *profile;
	struct frame_table frames;
	struct layout layout;
	struct hist hist;
	struct row_graph_options options;
} fixture;

/* Random stacks of several frames each, in which functions call themselves now and then. */
static struct profile *random_profile(void)
{
	struct profile *profile = profile_create();
	uint32_t cycles = builder_event(profile, "cycles");

	srandom(5);
	for (int i = 0; i < SAMPLES; i++) {
		char stack[256];
		int length = snprintf(stack, sizeof(stack), "a`start");

		for (long depth = random() % 8; depth >= 0; depth--)
			length += snprintf(stack + length, sizeof(stack) - (size_t)length, ";a`f%ld",
					   random() % FUNCTIONS);
		builder_add(profile, cycles, "a 1/1", stack, 1, 1 + (uint64_t)(random() % 100));
	}
	return profile;
}

static int set_up(void **state)
{
	struct layout_request request = { .sort = "symbol", .children = true };
	struct hist_options options = {
		.children = true, .keep_hits = true, .callers_on_top = true, .order = CALL_ORDER_CALLER
	};

	fixture = (struct fixture){ .profile = random_profile(), .options = { .style = ROW_GRAPH_GRAPH } };
	if (layout_make(&fixture.layout, &request, NULL) < 0)
		return -1;
	options.layout = &fixture.layout;
	frame_table_init(&fixture.frames, fixture.profile);
	hist_init(&fixture.hist, fixture.profile, &fixture.frames, 0, &(struct filter){ 0 }, &options);
	*state = &fixture;
	return 0;
}

static int tear_down(void **state)
{
	(void)state;
	hist_fini(&fixture.hist);
	frame_table_fini(&fixture.frames);
	profile_destroy(fixture.profile);
	return 0;
}

static void graphs_come_in_order_as_one_drawer_draws_them(void **state)
{
	struct row_graph_drawer *drawer = row_graph_drawer_create(&fixture.hist, &fixture.options, true, 0);
	struct row_graphs *graphs =
		row_graphs_create(&fixture.hist, fixture.hist.row_count, &fixture.options, true, 0);
	struct strbuf expected, found;

	(void)state;
	assert_true(fixture.hist.row_count > FUNCTIONS / 2);
	strbuf_init(&expected);
	strbuf_init(&found);
	for (uint32_t i = 0; i < fixture.hist.row_count; i++) {
		row_graph_draw(drawer, &fixture.hist.rows[i], &expected);
		row_graphs_take(graphs, i, &found);
	}
	assert_true(expected.size > 10000);
	assert_string_equal(found.bytes, expected.bytes);
	strbuf_fini(&expected);
	strbuf_fini(&found);
	row_graphs_destroy(graphs);
	row_graph_drawer_destroy(drawer);
}

static void they_need_not_be_taken(void **state)
{
	struct row_graphs *graphs =
		row_graphs_create(&fixture.hist, fixture.hist.row_count, &fixture.options, true, 0);
	struct strbuf out;

	(void)state;
	strbuf_init(&out);
	row_graphs_take(graphs, 0, &out);
	assert_true(out.size > 0);
	row_graphs_destroy(graphs);
	row_graphs_destroy(row_graphs_create(&fixture.hist, 0, &fixture.options, true, 0));
	strbuf_fini(&out);
}

static void there_may_be_no_graphs_at_all(void **state)
{
	struct row_graph_options off = { .style = ROW_GRAPH_OFF };
	struct row_graphs *graphs = row_graphs_create(&fixture.hist, 2, &off, true, 0);
	struct strbuf out;

	(void)state;
	strbuf_init(&out);
	row_graphs_take(graphs, 0, &out);
	row_graphs_take(graphs, 1, &out);
	assert_int_equal(out.size, 0);
	row_graphs_destroy(graphs);
	strbuf_fini(&out);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(graphs_come_in_order_as_one_drawer_draws_them, set_up,
						tear_down),
		cmocka_unit_test_setup_teardown(they_need_not_be_taken, set_up, tear_down),
		cmocka_unit_test_setup_teardown(there_may_be_no_graphs_at_all, set_up, tear_down),
	};

	return cmocka_run_group_tests_name("report/rows/row_graphs", tests, NULL, NULL);
}
