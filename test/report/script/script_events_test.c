#include "report/script/script_events.h"

#include <linux/perf_event.h>

#include "support/cmocka.h"
#include "support/perf_data_builder.h"

enum { USUAL = PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_PERIOD };

struct fixture {
	struct perf_data_builder *builder;
	struct perf_file *file;
	struct script_events events;
	struct script_style style;
	struct error err;
};

static struct fixture fixture;

static int setup(void **state)
{
	fixture = (struct fixture){ .builder = perf_data_builder_create(BUILD_NATIVE),
				    .style = { .fields = script_default_fields } };
	fixture.events.with_callchains = true;
	*state = &fixture;
	return 0;
}

static int teardown(void **state)
{
	(void)state;
	perf_file_close(fixture.file);
	perf_data_builder_destroy(fixture.builder);
	return 0;
}

static void add_event(uint32_t type, uint64_t sample_type)
{
	const uint64_t id = fixture.builder->event_count + 1;

	perf_data_builder_add_event(fixture.builder,
				    &(struct built_event){ .attr = { .size = sizeof(struct perf_event_attr),
								     .type = type,
								     .sample_type = sample_type,
								     .sample_id_all = 1 },
							   .name = type == PERF_TYPE_HARDWARE ? "cycles" :
												"events",
							   .ids = { id },
							   .id_count = 1 });
}

static int learn(void)
{
	perf_data_builder_finish_file(fixture.builder);
	fixture.file = perf_data_builder_open(fixture.builder);
	fixture.events.file = fixture.file;
	return script_events_learn(&fixture.events, &fixture.style, &fixture.err);
}

static void ask_for(const char *fields)
{
	assert_int_equal(script_fields_parse(&fixture.style.fields, fields, NULL), 0);
}

static bool prints(size_t event, enum script_field field)
{
	return script_has(&fixture.style.fields, &perf_file_event(fixture.file, event)->attr, field);
}

static void fields_of_a_default_that_were_not_sampled_are_left_out(void **state)
{
	(void)state;
	add_event(PERF_TYPE_HARDWARE, USUAL);
	assert_int_equal(learn(), 0);
	assert_int_equal(fixture.events.count, 1);
	assert_true(prints(0, SCRIPT_PERIOD));
	assert_false(prints(0, SCRIPT_CPU));
}

static void of_a_type_the_first_event_alone_is_asked(void **state)
{
	(void)state;
	add_event(PERF_TYPE_HARDWARE, USUAL | PERF_SAMPLE_CPU);
	add_event(PERF_TYPE_HARDWARE, USUAL);
	ask_for("+cpu");
	assert_int_equal(learn(), 0);
	assert_true(prints(1, SCRIPT_CPU));
}

static void each_type_is_asked_for_what_the_user_has_named(void **state)
{
	(void)state;
	add_event(PERF_TYPE_HARDWARE, USUAL | PERF_SAMPLE_CPU);
	add_event(PERF_TYPE_RAW, USUAL);
	ask_for("+cpu");
	assert_int_equal(learn(), -1);
	assert_string_equal(fixture.err.message,
			    "the samples of 'events' have no 'cpu': it was not recorded");
}

static void a_cpu_is_chosen_only_where_samples_say_theirs(void **state)
{
	(void)state;
	add_event(PERF_TYPE_HARDWARE, USUAL);
	fixture.events.by_cpu = true;
	assert_int_equal(learn(), -1);
	assert_string_equal(fixture.err.message,
			    "built: its samples do not say on which CPU they were taken: leave out -C");
}

static void call_chains_are_printed_once_any_event_has_them(void **state)
{
	(void)state;
	add_event(PERF_TYPE_HARDWARE, USUAL);
	add_event(PERF_TYPE_RAW, USUAL | PERF_SAMPLE_CALLCHAIN);
	assert_int_equal(learn(), 0);
	assert_true(fixture.style.callchains);
}

static void without_call_chains_none_are_printed(void **state)
{
	(void)state;
	fixture.style.callchains = true;
	add_event(PERF_TYPE_HARDWARE, USUAL);
	assert_int_equal(learn(), 0);
	assert_false(fixture.style.callchains);
}

static void unwanted_call_chains_are_not_printed(void **state)
{
	(void)state;
	fixture.events.with_callchains = false;
	add_event(PERF_TYPE_HARDWARE, USUAL | PERF_SAMPLE_CALLCHAIN);
	assert_int_equal(learn(), 0);
	assert_false(fixture.style.callchains);
}

static void records_are_timeless_where_samples_are(void **state)
{
	(void)state;
	add_event(PERF_TYPE_HARDWARE, USUAL & ~(uint64_t)PERF_SAMPLE_TIME);
	assert_int_equal(learn(), 0);
	assert_true(fixture.events.timeless);
}

static void records_are_timeless_where_samples_alone_have_times(void **state)
{
	(void)state;
	add_event(PERF_TYPE_HARDWARE, USUAL);
	fixture.builder->events[0].attr.sample_id_all = 0;
	assert_int_equal(learn(), 0);
	assert_true(fixture.events.timeless);
}

static void records_with_times_are_not_timeless(void **state)
{
	(void)state;
	add_event(PERF_TYPE_HARDWARE, USUAL);
	assert_int_equal(learn(), 0);
	assert_false(fixture.events.timeless);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(fields_of_a_default_that_were_not_sampled_are_left_out),
		TEST(of_a_type_the_first_event_alone_is_asked),
		TEST(each_type_is_asked_for_what_the_user_has_named),
		TEST(a_cpu_is_chosen_only_where_samples_say_theirs),
		TEST(call_chains_are_printed_once_any_event_has_them),
		TEST(without_call_chains_none_are_printed),
		TEST(unwanted_call_chains_are_not_printed),
		TEST(records_are_timeless_where_samples_are),
		TEST(records_are_timeless_where_samples_alone_have_times),
		TEST(records_with_times_are_not_timeless),
	};

	return cmocka_run_group_tests_name("report/script/script_events", tests, NULL, NULL);
}
