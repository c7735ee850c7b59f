#include "report/rows/row_branches.h"

#include "report/rows/row_graph.h"
#include "support/cmocka.h"
#include "support/profile_builder.h"

static const struct sample_key_request request = { .wanted = { [SAMPLE_KEY_BRANCH_MARKS] = true } };

/* main, then the branch from `from` to `to`, then the leaf. `marks`: the sample's; NULL: it has no branches. */
static void add(struct profile *profile, struct sample_keys *keys, const char *to, const char *marks,
		uint64_t count)
{
	const char *texts[SAMPLE_KEY_COUNT] = { [SAMPLE_KEY_BRANCH_MARKS] = marks };
	struct profile_sample sample = { .count = count, .weight = count, .end = STACK_END_CHAIN };
	const char *const frames[] = { "main", "from", to, "leaf" };

	sample.stack = PROFILE_NONE;
	sample.thread = profile_thread(profile, 1, 1, profile_string(profile, "web"));
	sample.keys = sample_keys_add(keys, texts);
	for (int i = 0; i < 4; i++) {
		const bool is_branch = i == 1 || i == 2;
		uint32_t name, dso, location;

		if (is_branch && !marks)
			continue;
		name = profile_string(profile, frames[i]);
		dso = profile_dso(profile, "web", "/bin/web", "");
		location = profile_location(profile, dso, 0x1000u * (name + 1), FRAME_USER);
		profile_set_function(profile, location,
				     profile_function(profile, dso, frames[i], 0x1000u * (name + 1)));
		sample.stack = profile_stack(profile, sample.stack, location,
					     is_branch ? FRAME_BRANCH : FRAME_KERNEL_CHAIN);
	}
	profile_add(profile, &sample);
}

static void assert_graph(struct profile *profile, struct sample_keys *keys, const char *graph,
			 const char *expected)
{
	struct row_graph_options options = { .min_percent = 0.5 };
	struct layout_request columns = { .sort = "comm" };
	struct hist_options hist_options = { .keep_hits = true, .keys = keys };
	struct row_graph_drawer *drawer;
	struct frame_table frames;
	struct layout layout;
	struct strbuf out;
	struct hist hist;

	assert_int_equal(row_graph_parse(&options, graph, NULL), 0);
	assert_int_equal(layout_make(&layout, &columns, NULL), 0);
	hist_options.layout = &layout;
	hist_options.order = options.order;
	frame_table_init(&frames, profile);
	hist_init(&hist, profile, &frames, 0, &(struct filter){ 0 }, &hist_options);
	drawer = row_graph_drawer_create(&hist, &options, true, 0);
	strbuf_init(&out);
	row_graph_draw(drawer, &hist.rows[0], &out);
	assert_string_equal(out.bytes, expected);
	strbuf_reset(&out);
	row_graph_draw(drawer, &hist.rows[0], &out); /* the previous graph must not count */
	assert_string_equal(out.bytes, expected);
	strbuf_fini(&out);
	row_graph_drawer_destroy(drawer);
	hist_fini(&hist);
	frame_table_fini(&frames);
}

static void assert_graphs(const char *graph, const char *expected)
{
	struct profile *profile = profile_create();
	struct sample_keys *keys = sample_keys_create(&request);

	(void)builder_event(profile, "cycles");
	add(profile, keys, "here", "1,0,8,0,0 ", 3);
	add(profile, keys, "here", "0,0,4,0,0 ", 1);
	add(profile, keys, "there", "1,0,2,2,14 ", 4);
	add(profile, keys, NULL, NULL, 2);
	sample_keys_finish(keys);
	assert_graph(profile, keys, graph, expected);
	sample_keys_destroy(keys);
	profile_destroy(profile);
}

static void branches_begin_the_way_to_the_callers(void **state)
{
	(void)state;
	assert_graphs("callee", "            |\n"
				"            |--40.00%--here (predicted:75.0%)\n"
				"            |          from (cycles:7)\n"
				"            |          main\n"
				"            |\n"
				"            |--40.00%--there\n"
				"            |          from (cycles:2 iter:2 avg_cycles:10)\n"
				"            |          main\n"
				"            |\n"
				"             --20.00%--leaf\n"
				"                       main\n"
				"\n");
}

static void branches_end_the_way_from_the_callers(void **state)
{
	(void)state;
	assert_graphs("caller", "            |\n"
				"            ---main\n"
				"               |\n"
				"               |--80.00%--from (cycles:4 iter:1 avg_cycles:10)\n"
				"               |          |\n"
				"               |          |--40.00%--here (predicted:75.0%)\n"
				"               |          |\n"
				"               |           --40.00%--there\n"
				"               |\n"
				"                --20.00%--leaf\n"
				"\n");
}

static void lists_of_paths_have_no_remarks(void **state)
{
	(void)state;
	assert_graphs("folded,callee", "40.00% there;from;main\n"
				       "40.00% here;from;main\n"
				       "20.00% leaf;main\n");
}

static void samples_without_marks_have_no_branches(void **state)
{
	struct profile *profile = profile_create();
	struct hist hist = { .profile = profile };

	(void)state;
	assert_null(row_branches_create(&hist));
	profile_destroy(profile);
}

/* A hostile recording may have more frames of branches than marks. */
static void frames_without_a_mark_are_left_alone(void **state)
{
	struct profile *profile = profile_create();
	struct sample_keys *keys = sample_keys_create(&request);

	(void)state;
	(void)builder_event(profile, "cycles");
	add(profile, keys, "here", "", 1);
	sample_keys_finish(keys);
	assert_graph(profile, keys, "callee",
		     "            |\n"
		     "            ---here\n"
		     "               from\n"
		     "               main\n"
		     "\n");
	sample_keys_destroy(keys);
	profile_destroy(profile);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(branches_begin_the_way_to_the_callers),
		cmocka_unit_test(branches_end_the_way_from_the_callers),
		cmocka_unit_test(lists_of_paths_have_no_remarks),
		cmocka_unit_test(samples_without_marks_have_no_branches),
		cmocka_unit_test(frames_without_a_mark_are_left_alone),
	};

	return cmocka_run_group_tests_name("report/rows/row_branches", tests, NULL, NULL);
}
