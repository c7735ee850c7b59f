#include "report/script/script_fields.h"

#include <linux/perf_event.h>

#include "support/cmocka.h"

#define FIELD(name) ((uint64_t)1 << SCRIPT_##name)

static const struct perf_attr cycles = { .type = PERF_TYPE_HARDWARE,
					 .sample_type = PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME };
static const struct perf_attr tracepoint = {
	.type = PERF_TYPE_TRACEPOINT, .sample_type = PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_CALLCHAIN
};

static uint64_t parsed(const char *text, enum script_type type)
{
	struct script_fields fields = script_default_fields;
	struct error err;

	assert_int_equal(script_fields_parse(&fields, text, &err), 0);
	return fields.types[type].fields;
}

static void a_list_replaces_the_default(void **state)
{
	(void)state;
	assert_int_equal(parsed("comm,ip", SCRIPT_TYPE_HARDWARE), FIELD(COMM) | FIELD(IP));
	assert_int_equal(parsed("comm,ip", SCRIPT_TYPE_TRACEPOINT), FIELD(COMM) | FIELD(IP));
}

static void plus_and_minus_change_it(void **state)
{
	const uint64_t plain = script_default_fields.types[SCRIPT_TYPE_HARDWARE].fields;

	(void)state;
	assert_int_equal(parsed("+pid,-comm", SCRIPT_TYPE_HARDWARE), (plain | FIELD(PID)) & ~FIELD(COMM));
}

static void a_type_in_front_means_its_events_only(void **state)
{
	(void)state;
	assert_int_equal(parsed("sw:ip", SCRIPT_TYPE_SOFTWARE), FIELD(IP));
	assert_int_equal(parsed("sw:ip", SCRIPT_TYPE_HARDWARE),
			 script_default_fields.types[SCRIPT_TYPE_HARDWARE].fields);
	assert_int_equal(parsed("trace:+addr", SCRIPT_TYPE_TRACEPOINT),
			 script_default_fields.types[SCRIPT_TYPE_TRACEPOINT].fields | FIELD(ADDR));
}

static void fields_that_a_type_cannot_have_are_left_out_of_all_types(void **state)
{
	(void)state;
	assert_int_equal(parsed("comm,trace", SCRIPT_TYPE_HARDWARE), FIELD(COMM));
	assert_int_equal(parsed("comm,trace", SCRIPT_TYPE_TRACEPOINT), FIELD(COMM) | FIELD(TRACE));
}

static void assert_wrong(const char *text, const char *message)
{
	struct script_fields fields = script_default_fields;
	struct error err;

	assert_int_equal(script_fields_parse(&fields, text, &err), -1);
	assert_string_equal(err.message, message);
}

static void wrong_lists_are_explained(void **state)
{
	(void)state;
	assert_wrong("comm,+ip", "give either a plain list of fields, or + or - before each of them");
	assert_wrong(
		"nosuch",
		"'nosuch' is not a field; fields are comm, tid, pid, time, cpu, event, trace, ip, sym, dso, "
		"addr, symoff, period and others: see 'xprof help script'");
	assert_wrong("srccode", "only perf script has the field 'srccode'");
	assert_wrong("dsoff", "only perf script has the field 'dsoff'");
	assert_wrong("retire_lat", "only perf script has the field 'retire_lat'");
	assert_wrong("", "no field is left to print");
	assert_wrong("x:ip", "types of events are hw, sw, trace, raw, break and synth");
	assert_wrong("hw:trace", "events of that type have no 'trace'");
}

static void a_default_field_that_was_not_sampled_is_dropped(void **state)
{
	struct script_fields fields = script_default_fields;
	struct error err;

	(void)state;
	assert_int_equal(script_fields_check(&fields, &cycles, "cycles", false, &err), 0);
	assert_false(script_has(&fields, &cycles, SCRIPT_CPU));
	assert_true(script_has(&fields, &cycles, SCRIPT_TIME));
}

static void a_field_that_was_asked_for_and_not_sampled_is_an_error(void **state)
{
	struct script_fields fields = script_default_fields;
	struct error err;

	(void)state;
	assert_int_equal(script_fields_parse(&fields, "+cpu", &err), 0);
	assert_int_equal(script_fields_check(&fields, &cycles, "cycles", false, &err), -1);
	assert_string_equal(err.message, "the samples of 'cycles' have no 'cpu': it was not recorded");
	/* but samples that are decoded from a trace may have it */
	assert_int_equal(script_fields_check(&fields, &cycles, "cycles", true, &err), 0);
}

static void tracepoints_show_addresses_when_they_have_callchains(void **state)
{
	struct script_fields fields = script_default_fields;
	struct error err;

	(void)state;
	script_fields_add_callchain(&fields, &tracepoint, false);
	assert_true(script_has(&fields, &tracepoint, SCRIPT_DSO));
	fields = script_default_fields;
	script_fields_add_callchain(&fields, &tracepoint, true);
	assert_true(script_has(&fields, &tracepoint, SCRIPT_SYM));
	assert_false(script_has(&fields, &tracepoint, SCRIPT_DSO));
	assert_int_equal(script_fields_parse(&fields, "trace:comm", &err), 0);
	script_fields_add_callchain(&fields, &tracepoint, false);
	assert_false(script_has(&fields, &tracepoint, SCRIPT_IP));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_list_replaces_the_default),
		cmocka_unit_test(plus_and_minus_change_it),
		cmocka_unit_test(a_type_in_front_means_its_events_only),
		cmocka_unit_test(fields_that_a_type_cannot_have_are_left_out_of_all_types),
		cmocka_unit_test(wrong_lists_are_explained),
		cmocka_unit_test(a_default_field_that_was_not_sampled_is_dropped),
		cmocka_unit_test(a_field_that_was_asked_for_and_not_sampled_is_an_error),
		cmocka_unit_test(tracepoints_show_addresses_when_they_have_callchains),
	};

	return cmocka_run_group_tests_name("report/script/script_fields", tests, NULL, NULL);
}
