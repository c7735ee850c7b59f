#include "record/event/event_term.h"

#include <linux/perf_event.h>
#include <stdlib.h>

#include "support/cmocka.h"

static void assert_wrong(const char *terms, const char *expected)
{
	struct event_spec spec = { 0 };
	struct error err = { 0 };

	assert_int_equal(event_terms_apply(&spec, terms, &err), -1);
	assert_string_equal(err.message, expected);
	free(spec.name);
}

static void terms_set_what_they_are_called_after(void **state)
{
	struct event_spec spec = { 0 };

	(void)state;
	assert_int_equal(
		event_terms_apply(&spec, "period=0x10,name=mine,inherit,time=1,branch_type=any_call|u", NULL),
		0);
	assert_int_equal(spec.period, 16);
	assert_string_equal(spec.name, "mine");
	assert_true(spec.inherit_given && spec.inherit);
	assert_int_equal(spec.branch_filter, PERF_SAMPLE_BRANCH_ANY_CALL | PERF_SAMPLE_BRANCH_USER);
	free(spec.name);
}

static void a_dump_is_a_multiple_of_eight_bytes(void **state)
{
	struct event_spec spec = { 0 };

	(void)state;
	assert_int_equal(event_terms_apply(&spec, "stack-size=1001", NULL), 0);
	assert_int_equal(spec.stack_dump_bytes, 1008);
}

static void what_is_wrong_is_said_with_the_term(void **state)
{
	(void)state;
	assert_wrong("period=x", "term 'period': 'x' is not a number");
	assert_wrong("freq", "term 'freq' needs a value");
	assert_wrong("stack-size=70000",
		     "term 'stack-size': '70000' is not a size for stack dumps: use 8 to 64072 bytes");
	assert_wrong("time=0", "term 'time': every sample has a time; leave the term out");
	assert_wrong("aux-output",
		     "term 'aux-output': xprof does not record hardware traces; use 'perf record'");
	assert_wrong(
		"call-graph=up",
		"term 'call-graph': 'up' is neither auto[,BYTES] nor fp[,defer] nor lbr nor dwarf[,BYTES]");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(terms_set_what_they_are_called_after),
		cmocka_unit_test(a_dump_is_a_multiple_of_eight_bytes),
		cmocka_unit_test(what_is_wrong_is_said_with_the_term),
	};

	return cmocka_run_group_tests_name("record/event/event_term", tests, NULL, NULL);
}
