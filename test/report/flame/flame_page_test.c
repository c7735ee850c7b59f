#include "report/flame/flame_page.h"

#include "support/cmocka.h"
#include "support/folded_graph.h"

static void assert_amount(uint64_t weight, const char *unit, const char *expected)
{
	struct strbuf out;

	strbuf_init(&out);
	flame_amount_add(&out, weight, unit);
	assert_string_equal(out.bytes, expected);
	strbuf_fini(&out);
}

static void clocks_count_time(void **state)
{
	(void)state;
	assert_amount(1861723432, "cpu-clock", "1.86 s");
	assert_amount(2298250000, "task-clock:u", "2.3 s");
	assert_amount(1250000, "cpu-clock:ppp", "1.25 ms");
	assert_amount(999, "cpu-clock", "999 ns");
	assert_amount(7200000000000, "cpu-clock", "7200 s");
	assert_amount(1250000, "offcpu-time", "1.25 ms");
	assert_amount(1250000, "nanoseconds", "1.25 ms");
}

static void other_events_are_counted(void **state)
{
	(void)state;
	assert_amount(2298250000, "cycles", "2.3 G cycles");
	assert_amount(9999, "page-faults", "9999 page-faults");
	assert_amount(12345, "cycles:u", "12.3 k cycles:u");
	assert_amount(999999, "cycles", "1 M cycles");
	assert_amount(UINT64_MAX, "cycles", "18.4 E cycles");
	assert_amount(20000, "cpu-clock-x", "20 k cpu-clock-x");
}

static void assert_self(const struct flame_graph *graph, uint32_t node, const char *name, uint64_t self)
{
	assert_string_equal(flame_graph_frame(graph, call_tree_at(graph->tree, node)->key).name, name);
	assert_int_equal(flame_self_weight(graph->tree, node), self);
}

static void what_is_inlined_counts_for_the_function_that_was_compiled(void **state)
{
	struct flame_graph graph;

	(void)state;
	folded_graph_init(&graph, "main 1\nmain;f_[i] 2\nmain;f_[i];g_[i] 4\nmain;f_[i];g_[i];h 8\n");
	assert_self(&graph, 0, "main", 7);
	assert_self(&graph, 1, "f", 0);
	assert_self(&graph, 2, "g", 0);
	assert_self(&graph, 3, "h", 8);
	flame_graph_fini(&graph);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(clocks_count_time),
		cmocka_unit_test(other_events_are_counted),
		cmocka_unit_test(what_is_inlined_counts_for_the_function_that_was_compiled),
	};

	return cmocka_run_group_tests_name("report/flame/flame_page", tests, NULL, NULL);
}
