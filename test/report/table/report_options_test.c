#include "report/table/report_options.h"

#include "cli/commands.h"
#include "support/cmocka.h"
#include "support/option_words.h"

/* Parses words separated by blanks into the defaults. */
static enum option_result parse(struct report_options *options, const char *words)
{
	*options = report_option_defaults;
	return option_words_parse(&cmd_report, options, words);
}

static void call_graphs_are_off_until_they_are_asked_for(void **state)
{
	struct report_options options;

	(void)state;
	assert_int_equal(parse(&options, ""), OPTION_PARSED);
	assert_int_equal(options.graph.style, ROW_GRAPH_OFF);
	assert_true(options.children);
	assert_int_equal(parse(&options, "-g"), OPTION_PARSED);
	assert_int_equal(options.graph.style, ROW_GRAPH_GRAPH);
	assert_true(options.graph_bare);
	assert_false(options.graph.order_set);
	assert_int_equal(parse(&options, "--call-graph=fractal,callee"), OPTION_PARSED);
	assert_int_equal(options.graph.style, ROW_GRAPH_FRACTAL);
	assert_false(options.graph_bare);
	assert_int_equal(parse(&options, "-g -gnone"), OPTION_PARSED);
	assert_int_equal(options.graph.style, ROW_GRAPH_OFF);
	assert_int_equal(parse(&options, "-g --no-call-graph"), OPTION_PARSED);
	assert_int_equal(options.graph.style, ROW_GRAPH_OFF);
	assert_int_equal(parse(&options, "-G"), OPTION_PARSED);
	assert_int_equal(options.graph.order, CALL_ORDER_CALLER);
	assert_int_equal(parse(&options, "-gsideways"), OPTION_WRONG);
}

static void a_percent_limit_also_prunes_call_graphs(void **state)
{
	struct report_options options;

	(void)state;
	assert_int_equal(parse(&options, "--percent-limit 2.5%"), OPTION_PARSED);
	assert_true(options.percent_limit == 2.5);
	assert_true(options.graph.min_percent == 2.5);
}

static void c_means_cpus_where_numbers_follow_and_comms_where_names_do(void **state)
{
	struct report_options options;

	(void)state;
	assert_int_equal(parse(&options, "-C 0-1,4"), OPTION_PARSED);
	assert_int_equal(options.samples.cpus.count, 3);
	assert_int_equal(options.samples.comms.count, 0);
	report_options_fini(&options);
	assert_int_equal(parse(&options, "-C make,cc1"), OPTION_PARSED);
	assert_int_equal(options.samples.cpus.count, 0);
	assert_int_equal(options.samples.comms.count, 2);
	report_options_fini(&options);
	assert_int_equal(parse(&options, "-C 4-"), OPTION_WRONG);
	report_options_fini(&options);
}

static void what_perf_users_type_is_taken(void **state)
{
	struct report_options options;

	(void)state;
	assert_int_equal(parse(&options,
			       "--stdio -f -v --no-inline --no-demangle -n --no-children -s sym -F overhead"),
			 OPTION_PARSED);
	assert_false(options.symbols.demangle);
	assert_false(options.children);
	assert_true(options.columns.samples);
	assert_int_equal(parse(&options, "--sort=dso --percentage relative --field-separator=, -k vmlinux"),
			 OPTION_PARSED);
	assert_int_equal(options.percentage, PERCENTAGE_RELATIVE);
	assert_int_equal(parse(&options, "--no-inline -s srcline --full-source-path"), OPTION_PARSED);
	assert_false(options.symbols.inlines);
	assert_true(options.full_source_path);
}

static void top_of_zero_is_all_and_not_the_default(void **state)
{
	struct report_options options;

	(void)state;
	assert_int_equal(parse(&options, ""), OPTION_PARSED);
	assert_false(options.top_set);
	assert_int_equal(parse(&options, "--top 0"), OPTION_PARSED);
	assert_true(options.top_set);
	assert_int_equal(options.top, 0);
	assert_int_equal(parse(&options, "--top 4294967296"), OPTION_WRONG);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(call_graphs_are_off_until_they_are_asked_for),
		cmocka_unit_test(a_percent_limit_also_prunes_call_graphs),
		cmocka_unit_test(c_means_cpus_where_numbers_follow_and_comms_where_names_do),
		cmocka_unit_test(what_perf_users_type_is_taken),
		cmocka_unit_test(top_of_zero_is_all_and_not_the_default),
	};

	return cmocka_run_group_tests_name("report/table/report_options", tests, NULL, NULL);
}
