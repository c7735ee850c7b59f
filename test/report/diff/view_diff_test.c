#include "report/diff/view_diff.h"

#include <string.h>

#include "support/cmocka.h"
#include "support/profile_builder.h"
#include "support/profile_pair.h"

/* Two profiles of "cycles": 1,000 samples before, 1,000 after; `grows` grows through one caller. */
struct fixture {
	struct profile_pair pair;
	struct diff_result result;
	struct diff_table_options options;
	struct strbuf out;
};

static void add(struct fixture *fixture, const char *stack, uint64_t before, uint64_t after)
{
	if (before)
		builder_add(fixture->pair.profile[COMPARE_BEFORE], 0, "web 1/1", stack, before, 10 * before);
	if (after)
		builder_add(fixture->pair.profile[COMPARE_AFTER], 0, "web 1/1", stack, after, 10 * after);
}

static void setup(struct fixture *fixture)
{
	strbuf_init(&fixture->out);
	profile_pair_init(&fixture->pair, "cycles");
	add(fixture, "web`main;web`old;web`grows", 100, 90);
	add(fixture, "web`main;web`new;web`start;web`grows", 100, 310);
	add(fixture, "web`main;web`shrinks", 799, 599);
	add(fixture, "[k]`same", 1, 1);
	profile_pair_match(&fixture->pair, DIFF_BY_DSO | DIFF_BY_SYMBOL, NULL);
	diff_result_init(&fixture->result, fixture->pair.diff,
			 &(struct diff_request){ .normalize = DIFF_SHARE,
						 .compute = DIFF_DELTA,
						 .order = DIFF_ORDER_COMPUTED,
						 .confidence = 0.95,
						 .divisor = { 1, 1 },
						 .factor = { 1, 1 },
						 .design_effect = { 1, 1 } });
	fixture->options = (struct diff_table_options){
		.result = &fixture->result,
		.diff = fixture->pair.diff,
		.number = diff_number_of(DIFF_SHARE, false),
		.event = { "cycles", "cycles" },
		.keys = DIFF_BY_DSO | DIFF_BY_SYMBOL,
	};
}

static void assert_drawn(struct fixture *fixture, const char *expected)
{
	strbuf_reset(&fixture->out);
	view_diff_render(&fixture->options, &fixture->out);
	assert_string_equal(fixture->out.bytes, expected);
}

static void teardown(struct fixture *fixture)
{
	diff_result_fini(&fixture->result);
	profile_pair_fini(&fixture->pair);
	strbuf_fini(&fixture->out);
}

static void what_may_be_chance_is_left_out_and_said(void **state)
{
	struct fixture fixture;

	(void)state;
	setup(&fixture);
	assert_drawn(&fixture, "# event cycles, shares of all that was sampled\n"
			       "# 2 of 3 rows differ by more than sampling error (confidence 95%)\n"
			       "#\n"
			       "# Baseline    Delta             Interval  Shared Object  Symbol\n"
			       "# ........  ........  ..................  .............  ...........\n"
			       "#\n"
			       "    20.00%  +20.00%   +16.04% .. +23.87%  web            [.] grows\n"
			       "    79.90%  -20.00%   -23.88% .. -16.04%  web            [.] shrinks\n"
			       "# 1 more rows that may differ by chance only; --all shows them\n");
	teardown(&fixture);
}

static void all_rows_are_shown_when_asked_for_and_marked(void **state)
{
	struct fixture fixture;

	(void)state;
	setup(&fixture);
	fixture.options.all = fixture.options.quiet = true;
	fixture.options.separator = ',';
	fixture.options.period = true;
	assert_drawn(&fixture, "20.00%,+20.00% ,+16.04% .. +23.87%,2000,4000,web,[.] grows\n"
			       "0.10%,+0.00%~,-0.47% .. +0.47%,10,10,[kernel.kallsyms],[k] same\n"
			       "79.90%,-20.00% ,-23.88% .. -16.04%,7990,5990,web,[.] shrinks\n");
	fixture.options.top = 1;
	assert_drawn(&fixture, "20.00%,+20.00% ,+16.04% .. +23.87%,2000,4000,web,[.] grows\n");
	teardown(&fixture);
}

/* Only `new` and `start` were not sampled before; `same` may be chance. */
static void rows_of_the_baseline_alone_are_shown_and_counted(void **state)
{
	struct json_writer json;
	struct fixture fixture;
	uint32_t rows = 0;

	(void)state;
	setup(&fixture);
	fixture.options.baseline_only = fixture.options.children = true;
	view_diff_render(&fixture.options, &fixture.out);
	assert_non_null(strstr(fixture.out.bytes, "# 2 of 3 rows differ"));
	assert_non_null(strstr(fixture.out.bytes, "# 1 more rows that may differ by chance only"));
	assert_null(strstr(fixture.out.bytes, "[.] start"));
	strbuf_reset(&fixture.out);
	json_init(&json, &fixture.out);
	view_diff_json_add_event(&json, &fixture.options);
	for (const char *at = fixture.out.bytes; (at = strstr(at, "\"dso\"")); at++)
		rows++;
	assert_int_equal(rows, 3);
	assert_null(strstr(fixture.out.bytes, "\"start\""));
	teardown(&fixture);
}

static void callees_have_columns_of_their_own(void **state)
{
	struct fixture fixture;

	(void)state;
	setup(&fixture);
	fixture.options.children = fixture.options.quiet = true;
	fixture.options.separator = ',';
	assert_drawn(
		&fixture,
		"20.00%,+20.00% ,+16.04% .. +23.87%,20.00%,+20.00% ,+16.04% .. +23.87%,web,[.] grows\n"
		",,,10.00%,+21.00% ,+17.56% .. +24.40%,web,[.] new\n"
		",,,10.00%,+21.00% ,+17.56% .. +24.40%,web,[.] start\n"
		"79.90%,-20.00% ,-23.88% .. -16.04%,79.90%,-20.00% ,-23.88% .. -16.04%,web,[.] shrinks\n");
	teardown(&fixture);
}

/* The one that calls less often hardly differs; start() was called by new() alone. */
static void callers_that_changed_stand_below_a_row(void **state)
{
	struct fixture fixture;

	(void)state;
	setup(&fixture);
	fixture.options.callers = fixture.options.quiet = true;
	fixture.options.top = 1;
	assert_drawn(&fixture, "    20.00%  +20.00%   +16.04% .. +23.87%  web            [.] grows\n"
			       "             --+21.00%--start\n"
			       "                        new\n"
			       "                        main\n");
	teardown(&fixture);
}

static void json_has_everything_that_is_known_of_a_row(void **state)
{
	struct json_writer json;
	struct fixture fixture;

	(void)state;
	setup(&fixture);
	json_init(&json, &fixture.out);
	view_diff_json_add_event(&json, &fixture.options);
	assert_non_null(strstr(
		fixture.out.bytes,
		"{\"dso\": \"[kernel.kallsyms]\", \"symbol\": \"same\", \"mode\": \"kernel\", \"self\": "
		"{\"before\": {\"samples\": 1, \"period\": 10}, \"after\": {\"samples\": 1, \"period\": 10}, "
		"\"value_before\": 0.001, \"value_after\": 0.001, \"delta\": 0, "));
	assert_non_null(strstr(
		fixture.out.bytes,
		"\"chance\": 1, \"chance_among_all\": 1, \"differs\": false, \"beyond_sampling\": false}"));
	assert_non_null(strstr(fixture.out.bytes, "\"name_before\": \"cycles\""));
	teardown(&fixture);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_may_be_chance_is_left_out_and_said),
		cmocka_unit_test(all_rows_are_shown_when_asked_for_and_marked),
		cmocka_unit_test(rows_of_the_baseline_alone_are_shown_and_counted),
		cmocka_unit_test(callees_have_columns_of_their_own),
		cmocka_unit_test(callers_that_changed_stand_below_a_row),
		cmocka_unit_test(json_has_everything_that_is_known_of_a_row),
	};

	return cmocka_run_group_tests_name("report/diff/view_diff", tests, NULL, NULL);
}
