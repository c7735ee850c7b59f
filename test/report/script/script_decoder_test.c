#include "report/script/script_decoder.h"

#include <linux/perf_event.h>

#include "format/perf_abi.h"
#include "support/cmocka.h"
#include "support/perf_data_builder.h"

enum { USUAL = PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME };

/* A file of "cycles" (id 5) and "faults" (id 6), whose samples are printed as the name of their event and their period. */
struct fixture {
	struct perf_data_builder *builder;
	struct perf_file *file;
	struct process_table *processes;
	struct symbolizer *symbolizer;
	struct script_writer writer;
	struct script_filter filter;
	struct script_losses losses;
};

static struct fixture fixture;

static void add_event(const char *name, uint64_t id, uint64_t sample_type)
{
	perf_data_builder_add_event(
		fixture.builder,
		&(struct built_event){ .attr = { .size = sizeof(struct perf_event_attr),
						 .sample_type = sample_type,
						 .read_format = PERF_FORMAT_ID | PERF_FORMAT_GROUP,
						 .sample_id_all = 1 },
				       .name = name,
				       .ids = { id },
				       .id_count = 1 });
}

static void begin(uint64_t sample_type)
{
	fixture.builder = perf_data_builder_create(BUILD_NATIVE);
	add_event("cycles", 5, sample_type);
	add_event("faults", 6, sample_type);
}

static void add_sample(const struct built_sample *sample)
{
	struct built_sample whole = *sample;

	whole.misc = PERF_RECORD_MISC_USER;
	whole.pid = whole.tid = 10;
	perf_data_builder_sample(fixture.builder, &whole);
}

static void open_writer(void)
{
	const struct symbolizer_options symbols = { .symfs = "/proc/nonexistent" };
	struct script_style style = { .fields = script_default_fields, .max_stack = 127 };

	fixture.processes = process_table_create();
	fixture.symbolizer = symbolizer_create(&symbols);
	assert_int_equal(script_fields_parse(&style.fields, "event,period", NULL), 0);
	script_writer_init(&fixture.writer, &style, fixture.file, fixture.processes);
	fixture.writer.places = script_places_create(
		&(struct script_sources){ .processes = fixture.processes,
					  .symbolizer = fixture.symbolizer,
					  .features = perf_file_features(fixture.file) });
}

static void close_writer(void)
{
	script_places_destroy(fixture.writer.places);
	script_writer_fini(&fixture.writer);
	symbolizer_destroy(fixture.symbolizer);
	process_table_destroy(fixture.processes);
}

static void decode_all(void)
{
	struct script_decoder *decoder =
		script_decoder_create(&fixture.writer, &fixture.filter, &fixture.losses);
	struct event event;

	while (perf_file_next(fixture.file, &event, NULL) == 1) {
		if (event.type == PERF_RECORD_SAMPLE)
			script_decoder_take(decoder, &event, 1);
		else if (event.type == RECORD_CALLCHAIN_DEFERRED)
			script_decoder_take_rest(decoder, &event);
	}
	script_decoder_finish(decoder);
	script_decoder_destroy(decoder);
}

static void assert_printed(const char *expected, struct script_losses losses)
{
	perf_data_builder_finish_file(fixture.builder);
	fixture.file = perf_data_builder_open(fixture.builder);
	fixture.losses = (struct script_losses){ 0 };
	open_writer();
	decode_all();
	assert_string_equal(fixture.writer.out.bytes, expected);
	assert_int_equal(fixture.losses.unknown_event_samples, losses.unknown_event_samples);
	assert_int_equal(fixture.losses.damaged_records, losses.damaged_records);
	close_writer();
	perf_file_close(fixture.file);
	perf_data_builder_destroy(fixture.builder);
}

static void a_sample_is_of_the_event_that_it_names(void **state)
{
	(void)state;
	begin(USUAL | PERF_SAMPLE_PERIOD);
	add_sample(&(struct built_sample){ .id = 6, .period = 70 });
	add_sample(&(struct built_sample){ .id = 5, .period = 80 });
	assert_printed("        70 faults: \n"
		       "        80 cycles: \n",
		       (struct script_losses){ 0 });
}

static void a_sample_of_no_known_event_is_counted(void **state)
{
	(void)state;
	begin(USUAL | PERF_SAMPLE_PERIOD);
	add_sample(&(struct built_sample){ .id = 7, .period = 70 });
	assert_printed("", (struct script_losses){ .unknown_event_samples = 1 });
}

static void a_sample_that_is_cut_short_is_counted(void **state)
{
	(void)state;
	begin(USUAL | PERF_SAMPLE_PERIOD);
	perf_data_builder_begin(fixture.builder, PERF_RECORD_SAMPLE, PERF_RECORD_MISC_USER);
	perf_data_builder_u64(fixture.builder, 5);
	perf_data_builder_end(fixture.builder);
	assert_printed("", (struct script_losses){ .damaged_records = 1 });
}

/* struct read_format with PERF_FORMAT_GROUP and PERF_FORMAT_ID: how many, then value and id of each. */
static void each_counter_that_was_read_is_a_sample_by_what_it_has_advanced(void **state)
{
	const uint64_t first[] = { 2, 100, 5, 3, 6 }, second[] = { 3, 150, 5, 3, 6, 9, 99 };

	(void)state;
	begin(USUAL | PERF_SAMPLE_READ);
	add_sample(&(struct built_sample){ .id = 5, .read_words = first, .read_word_count = 5 });
	add_sample(&(struct built_sample){ .id = 5, .read_words = second, .read_word_count = 7 });
	assert_printed("       100 cycles: \n"
		       "         3 faults: \n"
		       "        50 cycles: \n",
		       (struct script_losses){ .unknown_event_samples = 1 });
}

static void add_waiting(uint64_t period)
{
	const uint64_t chain[] = { PERF_CONTEXT_KERNEL, 0xffffffff81000000, (uint64_t)-640, 77 };

	add_sample(&(struct built_sample){
		.id = 5, .period = period, .callchain = chain, .callchain_count = 4 });
}

static void a_sample_waits_for_the_rest_of_its_chain(void **state)
{
	(void)state;
	begin(USUAL | PERF_SAMPLE_PERIOD | PERF_SAMPLE_CALLCHAIN);
	add_waiting(70);
	add_sample(&(struct built_sample){ .id = 5, .period = 80 });
	perf_data_builder_begin(fixture.builder, RECORD_CALLCHAIN_DEFERRED, PERF_RECORD_MISC_USER);
	perf_data_builder_u64(fixture.builder, 77);
	perf_data_builder_u64(fixture.builder, 0);
	perf_data_builder_trailer(fixture.builder, 10, 10, 8);
	perf_data_builder_end(fixture.builder);
	add_sample(&(struct built_sample){ .id = 5, .period = 90 });
	assert_printed("        80 cycles: \n"
		       "        70 cycles: \n"
		       "        90 cycles: \n",
		       (struct script_losses){ 0 });
}

static void what_still_waits_at_the_end_is_printed_as_it_is(void **state)
{
	(void)state;
	begin(USUAL | PERF_SAMPLE_PERIOD | PERF_SAMPLE_CALLCHAIN);
	add_waiting(70);
	add_sample(&(struct built_sample){ .id = 5, .period = 80 });
	assert_printed("        80 cycles: \n"
		       "        70 cycles: \n",
		       (struct script_losses){ 0 });
}

static void what_does_not_pass_is_not_printed(void **state)
{
	(void)state;
	begin(USUAL | PERF_SAMPLE_PERIOD);
	add_sample(&(struct built_sample){ .id = 5, .period = 80 });
	assert_int_equal(number_list_parse(&fixture.filter.choice.pids, "11", NULL), 0);
	assert_printed("", (struct script_losses){ 0 });
	sample_choice_fini(&fixture.filter.choice);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_sample_is_of_the_event_that_it_names),
		cmocka_unit_test(a_sample_of_no_known_event_is_counted),
		cmocka_unit_test(a_sample_that_is_cut_short_is_counted),
		cmocka_unit_test(each_counter_that_was_read_is_a_sample_by_what_it_has_advanced),
		cmocka_unit_test(a_sample_waits_for_the_rest_of_its_chain),
		cmocka_unit_test(what_still_waits_at_the_end_is_printed_as_it_is),
		cmocka_unit_test(what_does_not_pass_is_not_printed),
	};

	return cmocka_run_group_tests_name("report/script/script_decoder", tests, NULL, NULL);
}
