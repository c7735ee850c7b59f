#include "record/event/call_graph.h"

#include "support/cmocka.h"

static void modes_and_sizes_are_read(void **state)
{
	struct call_graph graph;

	(void)state;
	assert_int_equal(call_graph_parse(&graph, "fp", NULL), 0);
	assert_int_equal(graph.mode, CALL_GRAPH_FP);
	assert_int_equal(call_graph_parse(&graph, "dwarf", NULL), 0);
	assert_int_equal(graph.mode, CALL_GRAPH_DWARF);
	assert_int_equal(graph.stack_dump_bytes, 16384);
	assert_int_equal(call_graph_parse(&graph, "dwarf,32K", NULL), 0);
	assert_int_equal(graph.stack_dump_bytes, 32768);
	assert_int_equal(graph.asked_bytes, 0);
	assert_int_equal(call_graph_parse(&graph, "auto", NULL), 0);
	assert_int_equal(graph.mode, CALL_GRAPH_AUTO);
	assert_int_equal(graph.stack_dump_bytes, 16384);
	assert_int_equal(call_graph_parse(&graph, "auto,8K", NULL), 0);
	assert_int_equal(graph.stack_dump_bytes, 8192);
}

static void a_dump_is_a_multiple_of_eight_bytes(void **state)
{
	struct call_graph graph;

	(void)state;
	assert_int_equal(call_graph_parse(&graph, "dwarf,1001", NULL), 0);
	assert_int_equal(graph.stack_dump_bytes, 1008);
}

static void a_dump_that_fits_no_record_is_cut_and_remembered(void **state)
{
	struct call_graph graph;

	(void)state;
	assert_int_equal(STACK_DUMP_MAX_BYTES, 64072);
	assert_int_equal(call_graph_parse(&graph, "dwarf,64072", NULL), 0);
	assert_int_equal(graph.asked_bytes, 0);
	assert_int_equal(call_graph_parse(&graph, "auto,65528", NULL), 0);
	assert_int_equal(graph.stack_dump_bytes, 64072);
	assert_int_equal(graph.asked_bytes, 65528);
}

static void other_words_and_sizes_are_refused(void **state)
{
	static const char *const texts[] = { "",         "lbr,", "dwarfs", "dwarf,", "dwarf,x", "dwarf,0",
					     "dwarf,-1", "fp,1", "aut",    "autos",  "auto," };
	struct call_graph graph;

	(void)state;
	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++)
		assert_int_equal(call_graph_parse(&graph, texts[i], NULL), -1);
}

static void the_best_is_auto_where_the_registers_are_known(void **state)
{
	struct call_graph best = call_graph_best();

	(void)state;
	assert_int_equal(best.mode, call_graph_user_regs() ? CALL_GRAPH_AUTO : CALL_GRAPH_FP);
	assert_int_equal(best.stack_dump_bytes, call_graph_user_regs() ? 16384 : 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(modes_and_sizes_are_read),
		cmocka_unit_test(a_dump_is_a_multiple_of_eight_bytes),
		cmocka_unit_test(a_dump_that_fits_no_record_is_cut_and_remembered),
		cmocka_unit_test(the_best_is_auto_where_the_registers_are_known),
		cmocka_unit_test(other_words_and_sizes_are_refused),
	};

	return cmocka_run_group_tests_name("record/event/call_graph", tests, NULL, NULL);
}
