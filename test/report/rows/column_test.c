#include "report/rows/column.h"

#include <stdio.h>
#include <string.h>

#include "support/cmocka.h"

static void describe(const struct column_list *list, char *text, size_t size)
{
	size_t i, used = 0;

	text[0] = '\0';
	for (i = 0; i < list->count; i++)
		used += (size_t)snprintf(text + used, size - used, "%s%s", i ? "," : "",
					 column_name(list->items[i]));
}

static void assert_layout(const struct layout_request *request, const char *sorts, const char *outputs,
			  const char *keys)
{
	struct layout layout;
	char text[256];

	assert_int_equal(layout_make(&layout, request, NULL), 0);
	describe(&layout.sorts, text, sizeof(text));
	assert_string_equal(text, sorts);
	describe(&layout.outputs, text, sizeof(text));
	assert_string_equal(text, outputs);
	describe(&layout.keys, text, sizeof(text));
	assert_string_equal(text, keys);
}

static void the_default_is_comm_dso_symbol_behind_the_share(void **state)
{
	(void)state;
	assert_layout(&(struct layout_request){ 0 }, "overhead,comm,dso,symbol", "overhead,comm,dso,symbol",
		      "comm,dso,symbol");
	assert_layout(&(struct layout_request){ .children = true },
		      "overhead_children,overhead,comm,dso,symbol",
		      "overhead_children,overhead,comm,dso,symbol", "comm,dso,symbol");
}

static void sort_keys_are_columns_in_their_order(void **state)
{
	(void)state;
	assert_layout(&(struct layout_request){ .sort = "sym,pid" }, "overhead,symbol,pid",
		      "overhead,symbol,pid", "symbol,pid");
	assert_layout(&(struct layout_request){ .sort = "+cpu" }, "overhead,comm,dso,symbol,cpu",
		      "overhead,comm,dso,symbol,cpu", "comm,dso,symbol,cpu");
	assert_layout(&(struct layout_request){ .sort = "DSO" }, "overhead,dso", "overhead,dso", "dso");
}

static void a_key_named_twice_is_one_column(void **state)
{
	(void)state;
	assert_layout(&(struct layout_request){ .sort = "sym,symbol,comm" }, "overhead,symbol,comm",
		      "overhead,symbol,comm", "symbol,comm");
}

static void fields_behind_a_plus_are_added(void **state)
{
	(void)state;
	assert_layout(&(struct layout_request){ .fields = "+period,cpu" },
		      "overhead,comm,dso,symbol,period,cpu", "overhead,period,cpu,comm,dso,symbol",
		      "cpu,comm,dso,symbol");
}

static void keys_that_only_perf_has_say_what_to_use(void **state)
{
	const char *const keys[] = { "ipc_lbr", "weight1", "dcacheline", "latency", "dso_size" };
	struct layout layout;
	struct error err;

	(void)state;
	for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++) {
		assert_int_equal(layout_make(&layout, &(struct layout_request){ .sort = keys[i] }, &err), -1);
		assert_non_null(strstr(err.message, "--sort: no column '"));
		assert_non_null(strstr(err.message, "': "));
	}
}

static void fields_alone_are_also_the_order(void **state)
{
	(void)state;
	assert_layout(&(struct layout_request){ .fields = "comm,overhead", .children = true },
		      "comm,overhead", "comm,overhead", "comm");
	assert_layout(&(struct layout_request){ .fields = "overhead,sym" }, "overhead,symbol",
		      "overhead,symbol", "symbol");
}

static void fields_with_a_sort_order_keep_its_keys_visible(void **state)
{
	(void)state;
	assert_layout(&(struct layout_request){ .fields = "overhead_sys,sample,sym", .sort = "cpu" },
		      "overhead,cpu,overhead_sys,sample,symbol", "overhead_sys,sample,symbol,cpu",
		      "symbol,cpu");
}

static void further_sums_stand_between_share_and_keys(void **state)
{
	(void)state;
	assert_layout(
		&(struct layout_request){
			.sort = "comm", .samples = true, .period = true, .cpu_utilization = true },
		"overhead,comm,overhead_sys,overhead_us,sample,period",
		"overhead,overhead_sys,overhead_us,sample,period,comm", "comm");
}

static void an_unknown_name_is_quoted(void **state)
{
	struct layout layout;
	struct error err;

	(void)state;
	assert_int_equal(layout_make(&layout, &(struct layout_request){ .sort = "comm,foo-1" }, &err), -1);
	assert_non_null(strstr(err.message, "--sort: there is no 'foo-1'"));
	assert_int_equal(layout_make(&layout, &(struct layout_request){ .fields = "," }, &err), -1);
	assert_string_equal(err.message, "--fields: no column is named");
}

static void self_is_the_heading_beside_children_only(void **state)
{
	struct layout layout;

	(void)state;
	layout_make(&layout, &(struct layout_request){ .children = true }, NULL);
	assert_true(layout.named_self);
	assert_string_equal(column_heading(COLUMN_OVERHEAD, layout.named_self), "Self");
	layout_make(&layout, &(struct layout_request){ .children = true, .fields = "overhead" }, NULL);
	assert_false(layout.named_self);
	assert_string_equal(column_heading(COLUMN_OVERHEAD, layout.named_self), "Overhead");
}

static void a_word_that_is_no_column_is_a_field_of_tracepoints(void **state)
{
	struct layout layout;

	(void)state;
	assert_int_equal(
		layout_make(&layout,
			    &(struct layout_request){ .sort = "prev_comm,sched_switch.prev_pid/raw" }, NULL),
		0);
	assert_int_equal(layout.field_count, 2);
	assert_string_equal(layout.samples.fields[0].name, "prev_comm");
	assert_string_equal(layout.samples.fields[0].event, "");
	assert_string_equal(layout.samples.fields[1].name, "prev_pid");
	assert_string_equal(layout.samples.fields[1].event, "sched_switch");
	assert_true(layout.samples.fields[1].raw);
	assert_true(layout.samples.wanted[SAMPLE_KEY_FIELD + 1]);
	assert_int_equal(layout.keys.count, 1);
	assert_int_equal(layout.keys.items[0], COLUMN_KEY_SET);
}

static void a_word_that_can_be_no_field_is_an_error(void **state)
{
	static const char *const wrong[] = { "no such-field", "a.b.c/cooked", ".name", "name.", "a+b" };
	struct layout layout;

	(void)state;
	for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++)
		assert_int_equal(layout_make(&layout, &(struct layout_request){ .sort = wrong[i] }, NULL),
				 -1);
}

static void more_fields_than_there_is_room_for_are_an_error(void **state)
{
	struct layout layout;

	(void)state;
	assert_int_equal(layout_make(&layout, &(struct layout_request){ .sort = "trace_fields,a.*" }, NULL),
			 -1);
}

static void keys_in_braces_are_one_level(void **state)
{
	struct layout layout;

	(void)state;
	assert_int_equal(layout_make(&layout, &(struct layout_request){ .sort = "{comm,dso},sym,cpu" }, NULL),
			 0);
	assert_int_equal(layout.levels[COLUMN_COMM], layout.levels[COLUMN_DSO]);
	assert_int_not_equal(layout.levels[COLUMN_DSO], layout.levels[COLUMN_SYMBOL]);
	assert_int_not_equal(layout.levels[COLUMN_SYMBOL], layout.levels[COLUMN_CPU]);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_word_that_is_no_column_is_a_field_of_tracepoints),
		cmocka_unit_test(a_word_that_can_be_no_field_is_an_error),
		cmocka_unit_test(more_fields_than_there_is_room_for_are_an_error),
		cmocka_unit_test(keys_in_braces_are_one_level),
		cmocka_unit_test(the_default_is_comm_dso_symbol_behind_the_share),
		cmocka_unit_test(sort_keys_are_columns_in_their_order),
		cmocka_unit_test(a_key_named_twice_is_one_column),
		cmocka_unit_test(fields_behind_a_plus_are_added),
		cmocka_unit_test(keys_that_only_perf_has_say_what_to_use),
		cmocka_unit_test(fields_alone_are_also_the_order),
		cmocka_unit_test(fields_with_a_sort_order_keep_its_keys_visible),
		cmocka_unit_test(further_sums_stand_between_share_and_keys),
		cmocka_unit_test(an_unknown_name_is_quoted),
		cmocka_unit_test(self_is_the_heading_beside_children_only),
	};

	return cmocka_run_group_tests_name("report/rows/column", tests, NULL, NULL);
}
