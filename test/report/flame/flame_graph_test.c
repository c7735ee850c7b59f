#include "report/flame/flame_graph.h"

#include <inttypes.h>
#include <string.h>

#include "support/cmocka.h"
#include "support/folded_graph.h"
#include "support/profile_builder.h"

/* One line per node: two blanks per level, kind, name, DSO, total and own weight. */
static void describe(const struct flame_graph *graph, struct strbuf *out)
{
	uint32_t number = call_tree_first(graph->tree), up;

	for (; number != CALL_TREE_NONE; number = flame_graph_next(graph, number, true)) {
		const struct call_node *node = call_tree_at(graph->tree, number);
		struct flame_frame frame = flame_graph_frame(graph, node->key);

		for (up = node->parent; up != CALL_TREE_NONE; up = call_tree_at(graph->tree, up)->parent)
			strbuf_adds(out, "  ");
		strbuf_addf(out, "%d %s%s%s %" PRIu64 " %" PRIu64 "\n", (int)frame.kind, frame.name,
			    *frame.dso ? "@" : "", frame.dso, node->total_weight, node->self_weight);
	}
}

static void assert_graph(struct flame_graph *graph, const char *expected)
{
	struct strbuf out;

	strbuf_init(&out);
	flame_graph_sort(graph);
	describe(graph, &out);
	assert_string_equal(out.bytes, expected);
	strbuf_fini(&out);
	flame_graph_fini(graph);
}

static void assert_drawn(struct profile *profile, const struct flame_recipe *recipe, bool reversed,
			 const char *expected)
{
	struct selection selection = { .event = 0 };
	struct frame_table frames;
	struct flame_graph graph;

	frame_table_init(&frames, profile);
	flame_graph_init(&graph, reversed);
	flame_graph_add_profile(
		&graph,
		&(struct view_input){ .profile = profile, .frames = &frames, .selection = &selection },
		recipe, NULL);
	assert_graph(&graph, expected);
	frame_table_fini(&frames);
	profile_destroy(profile);
}

static struct profile *two_stacks(void)
{
	struct profile *p = profile_create();
	uint32_t cycles = builder_event(p, "cycles");

	builder_add(p, cycles, "web 1/2 0", "web`main;libc.so`read;[k]`sys_read", 1, 10);
	builder_add(p, cycles, "web 1/3 1", "web`main;lib.so`0x10", 4, 90);
	builder_add(p, cycles, "web 1/3 1", "web`main", 1, 5);
	return p;
}

static const struct flame_recipe by_comm = { .by = { FLAME_BY_COMM }, .by_count = 1 };

static void frames_lie_on_their_command_the_largest_first(void **state)
{
	(void)state;
	assert_drawn(two_stacks(), &by_comm, false,
		     "0 web 105 0\n"
		     "  1 main@web 105 5\n"
		     "    6 [lib.so]@lib.so 90 90\n"
		     "    1 read@libc.so 10 0\n"
		     "      2 sys_read@[kernel.kallsyms] 10 10\n");
}

static void reversed_stacks_begin_with_the_leaf(void **state)
{
	(void)state;
	assert_drawn(two_stacks(), &(struct flame_recipe){ .by_count = 0 }, true,
		     "6 [lib.so]@lib.so 90 0\n"
		     "  1 main@web 90 90\n"
		     "2 sys_read@[kernel.kallsyms] 10 0\n"
		     "  1 read@libc.so 10 0\n"
		     "    1 main@web 10 10\n"
		     "1 main@web 5 5\n");
}

static void groups_are_nested_in_the_order_given(void **state)
{
	(void)state;
	assert_drawn(two_stacks(),
		     &(struct flame_recipe){ .by = { FLAME_BY_CPU, FLAME_BY_PID },
					     .by_count = 2,
					     .weight = STACK_WEIGHT_SAMPLES },
		     false,
		     "0 CPU 1 5 0\n"
		     "  0 process 1 5 0\n"
		     "    1 main@web 5 1\n"
		     "      6 [lib.so]@lib.so 4 4\n"
		     "0 CPU 0 1 0\n"
		     "  0 process 1 1 0\n"
		     "    1 main@web 1 0\n"
		     "      1 read@libc.so 1 0\n"
		     "        2 sys_read@[kernel.kallsyms] 1 1\n");
}

static void equal_names_in_two_libraries_are_two_frames(void **state)
{
	struct profile *p = profile_create();
	uint32_t cycles = builder_event(p, "cycles");

	(void)state;
	builder_add(p, cycles, "web 1/1", "a.so`malloc", 1, 1);
	builder_add(p, cycles, "web 1/1", "b.so`malloc", 1, 1);
	assert_drawn(p, &by_comm, false,
		     "0 web 2 0\n"
		     "  1 malloc@a.so 1 1\n"
		     "  1 malloc@b.so 1 1\n");
}

static void assert_folded(const char *text, uint64_t left_out, const char *expected)
{
	struct flame_graph graph;

	assert_int_equal(folded_graph_init(&graph, text), left_out);
	assert_graph(&graph, expected);
}

/* A line shares whole frames with the one before: "bc" begins with "b" and is another frame. */
static void folded_lines_that_begin_like_the_one_before_share_its_frames(void **state)
{
	(void)state;
	assert_folded("a;b;c 1\na;bc 2\na 4\na;b 8\na;b;c;d 16\na;b;c 32\nab;c 64\n", 0,
		      "1 ab 64 0\n"
		      "  1 c 64 64\n"
		      "1 a 63 4\n"
		      "  1 b 57 8\n"
		      "    1 c 49 33\n"
		      "      1 d 16 16\n"
		      "  1 bc 2 2\n");
}

static void folded_lines_are_stacks_and_their_marks_are_kinds(void **state)
{
	(void)state;
	assert_folded("node;js_[j];sys_read_[k] 5\n"
		      "node;[libuv.so] 3\r\n"
		      "node;js_[j];small_[i] 2",
		      0,
		      "1 node 10 0\n"
		      "  3 js 7 0\n"
		      "    2 sys_read 5 5\n"
		      "    4 small 2 2\n"
		      "  6 [libuv.so] 3 3\n");
}

static void folded_names_may_have_blanks_and_weights_fractions(void **state)
{
	(void)state;
	assert_folded("a b;operator new (int) 1.6\n", 0, "1 a b 2 0\n  1 operator new (int) 2 2\n");
}

static void folded_lines_without_a_weight_are_counted_and_left_out(void **state)
{
	(void)state;
	assert_folded("# a comment\n\na;b\na;b x1\na;b 99999999999999999999999\na;b -4\na 1\n", 4,
		      "1 a 1 1\n");
}

static void folded_names_are_made_harmless(void **state)
{
	(void)state;
	assert_folded("a\xff;b\xe2\x80\xae"
		      "c 1\n",
		      0, "1 a? 1 0\n  1 b?c 1 1\n");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(frames_lie_on_their_command_the_largest_first),
		cmocka_unit_test(reversed_stacks_begin_with_the_leaf),
		cmocka_unit_test(groups_are_nested_in_the_order_given),
		cmocka_unit_test(equal_names_in_two_libraries_are_two_frames),
		cmocka_unit_test(folded_lines_are_stacks_and_their_marks_are_kinds),
		cmocka_unit_test(folded_lines_that_begin_like_the_one_before_share_its_frames),
		cmocka_unit_test(folded_names_may_have_blanks_and_weights_fractions),
		cmocka_unit_test(folded_lines_without_a_weight_are_counted_and_left_out),
		cmocka_unit_test(folded_names_are_made_harmless),
	};

	return cmocka_run_group_tests_name("report/flame/flame_graph", tests, NULL, NULL);
}
