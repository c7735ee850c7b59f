#include "record/event/event_filter.h"
#include "record/event/event_parser.h"

#include <linux/perf_event.h>
#include <stdio.h>

#include "support/cmocka.h"
#include "support/temp_tree.h"

static struct temp_tree tree;
static const char *tracefs[] = { tree.root, NULL };
static const struct event_sources sources = { .pmu_directory = "/proc/nonexistent", .tracefs = tracefs };

static int set_up(void **state)
{
	(void)state;
	temp_tree_create(&tree);
	temp_tree_file(&tree, "events/sched/sched_switch/id", "316\n");
	temp_tree_file(&tree, "events/sched/sched_switch/format",
		       "name: sched_switch\nID: 316\nformat:\n"
		       "\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n\n"
		       "\tfield:char prev_comm[16];\toffset:8;\tsize:16;\tsigned:0;\n"
		       "\tfield:pid_t prev_pid;\toffset:24;\tsize:4;\tsigned:1;\n\n"
		       "print fmt: \"prev_comm=%s\", REC->prev_comm\n");
	return 0;
}

static int tear_down(void **state)
{
	(void)state;
	temp_tree_remove(&tree);
	return 0;
}

/* As with the options -e EVENTS --filter TEXT. */
static int apply(struct event_specs *specs, const char *events, const char *text, struct error *err)
{
	struct event_filters filters = { 0 };
	int result;

	assert_int_equal(event_specs_parse(specs, events, &sources, err), 0);
	assert_int_equal(event_filters_add(&filters, text, 1, err), 0);
	result = event_filters_apply(&filters, 1, specs, 0, &sources, err);
	event_filters_fini(&filters);
	return result;
}

static void assert_accepted(const char *text)
{
	struct event_specs specs = { 0 };
	struct error err = { .message = "" };

	if (apply(&specs, "sched:sched_switch", text, &err) < 0)
		fail_msg("%s: %s", text, err.message);
	assert_string_equal(specs.items[0].filter, text);
	event_specs_fini(&specs);
}

static void assert_refused(const char *events, const char *text, const char *expected)
{
	struct event_specs specs = { 0 };
	struct error err = { .message = "" };

	assert_int_equal(apply(&specs, events, text, &err), -1);
	assert_string_equal(err.message, expected);
	event_specs_fini(&specs);
}

static void fields_may_be_compared_and_joined(void **state)
{
	(void)state;
	assert_accepted("prev_pid==1");
	assert_accepted("prev_pid & 7 || common_pid != 0x10");
	assert_accepted("(prev_comm ~ \"x* && y\" && !(prev_pid > 3))||prev_comm == bash");
	assert_accepted("comm == bash && cpu < 2");
}

static void a_field_that_is_not_there_is_named_with_those_that_are(void **state)
{
	(void)state;
	assert_refused(
		"sched:sched_switch", "common_pid > 0 && prev_pit == 1",
		"--filter: filter 'common_pid > 0 && prev_pit == 1' of sched:sched_switch: there is no field "
		"'prev_pit'; did you mean prev_pid? There are common_pid, prev_comm, prev_pid");
	assert_refused(
		"sched:sched_switch", "x==1",
		"--filter: filter 'x==1' of sched:sched_switch: there is no field 'x'; there are common_pid, "
		"prev_comm, prev_pid");
}

static void only_tracepoints_are_filtered(void **state)
{
	(void)state;
	assert_refused("cpu-clock", "prev_pid==1",
		       "--filter: event 'cpu-clock' is not a tracepoint, and the kernel filters only those");
}

static void a_filter_is_for_the_events_in_front_of_it(void **state)
{
	struct event_filters filters = { 0 };
	struct event_specs specs = { 0 };
	struct error err = { .message = "" };

	(void)state;
	assert_int_equal(event_filters_add(&filters, "prev_pid==1", 0, &err), -1);
	assert_string_equal(err.message, "it filters the events of the -e before it, and there is none");
	event_specs_parse(&specs, "sched:sched_switch,sched:sched_switch:u", &sources, NULL);
	event_filters_add(&filters, "prev_pid==1", 2, NULL);
	event_filters_add(&filters, "common_pid<9", 2, NULL);
	assert_int_equal(event_filters_apply(&filters, 1, &specs, 0, &sources, NULL), 0);
	assert_null(specs.items[1].filter);
	assert_int_equal(event_filters_apply(&filters, 2, &specs, 1, &sources, NULL), 0);
	assert_null(specs.items[0].filter);
	assert_string_equal(specs.items[1].filter, "(prev_pid==1) && (common_pid<9)");
	event_filters_exclude_process(&specs, 42);
	assert_string_equal(specs.items[0].filter, "common_pid != 42");
	event_filters_fini(&filters);
	event_specs_fini(&specs);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(fields_may_be_compared_and_joined),
		cmocka_unit_test(a_field_that_is_not_there_is_named_with_those_that_are),
		cmocka_unit_test(only_tracepoints_are_filtered),
		cmocka_unit_test(a_filter_is_for_the_events_in_front_of_it),
	};

	return cmocka_run_group_tests_name("record/event/event_filter", tests, set_up, tear_down);
}
