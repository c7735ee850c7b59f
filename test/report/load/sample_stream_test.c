#include "report/load/sample_stream.h"

#include <linux/perf_event.h>
#include <stdlib.h>

#include "base/strbuf.h"
#include "format/perf_abi.h"
#include "support/cmocka.h"
#include "support/perf_data_builder.h"

enum { USUAL = PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME };

/* A file with "cycles" (id 5) and "faults" (id 6), and the samples of the stream as text. */
struct fixture {
	struct perf_data_builder *builder;
	struct perf_file *file;
	struct sample_stream_options options;
	struct stream_losses losses;
	enum stream_way way; /* for every record */
	uint64_t fails_at;   /* number of the record that fails; 0: none */
	struct strbuf text;
};

static int set_up(void **state)
{
	struct fixture *f = calloc(1, sizeof(*f));

	f->builder = perf_data_builder_create(BUILD_NATIVE);
	strbuf_init(&f->text);
	*state = f;
	return 0;
}

static int tear_down(void **state)
{
	struct fixture *f = *state;

	perf_file_close(f->file);
	perf_data_builder_destroy(f->builder);
	strbuf_fini(&f->text);
	free(f);
	return 0;
}

static void add_event(struct fixture *f, const char *name, uint64_t id, uint64_t sample_type)
{
	perf_data_builder_add_event(
		f->builder,
		&(struct built_event){ .attr = { .size = sizeof(struct perf_event_attr),
						 .sample_type = sample_type,
						 .read_format = PERF_FORMAT_ID | PERF_FORMAT_GROUP,
						 .sample_id_all = 1 },
				       .name = name,
				       .ids = { id },
				       .id_count = 1 });
}

static void begin(struct fixture *f, uint64_t sample_type)
{
	add_event(f, "cycles", 5, sample_type);
	add_event(f, "faults", 6, sample_type);
}

static void add_built(struct fixture *f, const struct built_sample *sample)
{
	struct built_sample whole = *sample;

	whole.misc = PERF_RECORD_MISC_USER;
	whole.pid = whole.tid = whole.tid ? whole.tid : 10;
	perf_data_builder_sample(f->builder, &whole);
}

static void add_sample(struct fixture *f, uint64_t id, uint64_t time_ns, uint64_t period)
{
	add_built(f, &(struct built_sample){ .id = id, .time_ns = time_ns, .period = period });
}

/* Adds a sample whose chain ends with a cookie. */
static void add_waiting(struct fixture *f, uint64_t time_ns, uint64_t period, uint64_t cookie)
{
	const uint64_t chain[] = { PERF_CONTEXT_KERNEL, 0xffffffff81000000, (uint64_t)-640, cookie };

	add_built(f, &(struct built_sample){ .id = 5,
					     .time_ns = time_ns,
					     .period = period,
					     .callchain = chain,
					     .callchain_count = 4 });
}

/* Adds the rest of thread 10's chains: one word. */
static void add_rest(struct fixture *f, uint64_t time_ns, uint64_t cookie)
{
	perf_data_builder_begin(f->builder, RECORD_CALLCHAIN_DEFERRED, PERF_RECORD_MISC_USER);
	perf_data_builder_u64(f->builder, cookie);
	perf_data_builder_u64(f->builder, 1);
	perf_data_builder_u64(f->builder, 0x400100);
	perf_data_builder_trailer(f->builder, 10, 10, time_ns);
	perf_data_builder_end(f->builder);
}

static void add_damaged(struct fixture *f)
{
	perf_data_builder_begin(f->builder, PERF_RECORD_SAMPLE, PERF_RECORD_MISC_USER);
	perf_data_builder_u64(f->builder, 5);
	perf_data_builder_end(f->builder);
}

static enum stream_way see(void *context, const struct event *event, uint64_t number, struct error *err)
{
	const struct fixture *f = context;

	(void)event;
	if (number != f->fails_at)
		return f->way;
	error_set(err, "stop at %d", (int)number);
	return STREAM_FAILED;
}

static int happened(void *context, const struct event *event, uint64_t time_ns, struct error *err)
{
	struct fixture *f = context;

	(void)err;
	strbuf_addf(&f->text, event->type == PERF_RECORD_FINISHED_ROUND ? "round@%d " : "record@%d ",
		    (int)time_ns);
	return 0;
}

static void add_text(struct fixture *f, const struct stream_sample *sample)
{
	if (!sample->is_readable)
		strbuf_adds(&f->text, "unreadable ");
	else if (!sample->is_kept)
		strbuf_adds(&f->text, "left-out ");
	else
		strbuf_addf(&f->text, "%s%s:%d@%d ", sample->desc->name, sample->is_joined ? "+rest" : "",
			    (int)sample->period, (int)sample->time_ns);
}

static int stream(struct fixture *f, struct error *err)
{
	const struct stream_sample *sample;
	struct sample_stream *stream;
	int more;

	perf_data_builder_finish_file(f->builder);
	f->file = perf_data_builder_open(f->builder);
	f->options.file = f->file;
	f->options.read = see;
	f->options.happened = happened;
	f->options.context = f;
	stream = sample_stream_create(&f->options);
	while ((more = sample_stream_next(stream, &sample, err)) == 1)
		add_text(f, sample);
	f->losses = sample_stream_losses(stream);
	sample_stream_destroy(stream);
	return more;
}

static void assert_streamed(struct fixture *f, const char *expected)
{
	struct error err;

	assert_int_equal(stream(f, &err), 0);
	assert_string_equal(f->text.size ? f->text.bytes : "", expected);
}

/* --- order ------------------------------------------------------------------------- */

/* Two rings: one has times 10 and 40, the other 20 and 30, and a command's name at 25. */
static void add_two_rings(struct fixture *f)
{
	begin(f, USUAL | PERF_SAMPLE_PERIOD);
	add_sample(f, 5, 10, 1);
	add_sample(f, 5, 40, 4);
	add_sample(f, 6, 20, 2);
	perf_data_builder_comm(f->builder, 10, 10, "name", 25);
	add_sample(f, 6, 30, 3);
}

static void in_order_of_time_other_records_come_between_samples(void **state)
{
	struct fixture *f = *state;

	add_two_rings(f);
	assert_streamed(f, "cycles:1@10 faults:2@20 record@25 faults:3@30 cycles:4@40 ");
}

static void when_they_are_known_samples_come_as_they_stand_in_the_file(void **state)
{
	struct fixture *f = *state;

	add_two_rings(f);
	f->options.order = STREAM_WHEN_KNOWN;
	assert_streamed(f, "cycles:1@10 cycles:4@40 faults:2@20 faults:3@30 ");
}

/* Samples of the next round may be older than the last sample of this one. */
static void add_rounds(struct fixture *f)
{
	begin(f, USUAL | PERF_SAMPLE_PERIOD);
	add_sample(f, 5, 30, 1);
	perf_data_builder_finished_round(f->builder);
	add_sample(f, 5, 20, 2);
	add_sample(f, 5, 40, 3);
	perf_data_builder_finished_round(f->builder);
}

static void a_round_comes_behind_what_it_lets_go(void **state)
{
	struct fixture *f = *state;

	add_rounds(f);
	assert_streamed(f, "round@0 cycles:2@20 cycles:1@30 round@30 cycles:3@40 ");
}

static void a_sample_is_known_when_the_round_behind_its_own_is_over(void **state)
{
	struct fixture *f = *state;

	add_rounds(f);
	f->options.order = STREAM_WHEN_KNOWN;
	assert_streamed(f, "round@0 cycles:1@30 cycles:2@20 round@0 cycles:3@40 ");
}

static void a_record_whose_turn_is_now_counts_by_its_number(void **state)
{
	struct fixture *f = *state;

	add_two_rings(f);
	f->way = STREAM_NOW;
	assert_streamed(f, "cycles:1@1 cycles:4@2 faults:2@3 record@4 faults:3@5 ");
}

static void a_record_that_the_reader_is_done_with_goes_no_further(void **state)
{
	struct fixture *f = *state;

	add_two_rings(f);
	f->way = STREAM_DONE;
	assert_streamed(f, "");
}

static void the_readers_error_ends_the_stream_at_once(void **state)
{
	struct fixture *f = *state;
	struct error err;

	add_two_rings(f);
	f->fails_at = 3;
	assert_int_equal(stream(f, &err), -1);
	assert_string_equal(err.message, "stop at 3");
	assert_int_equal(f->text.size, 0);
}

static void samples_without_a_time_know_all_that_is_known_so_far(void **state)
{
	struct fixture *f = *state;

	add_event(f, "cycles", 5, USUAL | PERF_SAMPLE_PERIOD);
	add_event(f, "faults", 6, (USUAL & ~PERF_SAMPLE_TIME) | PERF_SAMPLE_PERIOD);
	add_sample(f, 5, 10, 1);
	perf_data_builder_sample(
		f->builder, &(struct built_sample){ .event = 1, .id = 6, .pid = 10, .tid = 10, .period = 2 });
	assert_streamed(f, "faults:2@-1 cycles:1@10 ");
}

/* --- what becomes of a sample ---------------------------------------------------------- */

static void a_sample_of_no_known_event_is_counted(void **state)
{
	struct fixture *f = *state;

	begin(f, USUAL | PERF_SAMPLE_PERIOD);
	add_sample(f, 7, 10, 70);
	assert_streamed(f, "");
	assert_int_equal(f->losses.unknown_event_samples, 1);
}

static void a_sample_that_is_cut_short_is_counted(void **state)
{
	struct fixture *f = *state;

	begin(f, USUAL | PERF_SAMPLE_PERIOD);
	add_damaged(f);
	assert_streamed(f, "");
	assert_int_equal(f->losses.damaged_samples, 1);
}

static void readers_that_want_unreadable_samples_get_them_instead(void **state)
{
	struct fixture *f = *state;

	begin(f, USUAL | PERF_SAMPLE_PERIOD);
	add_sample(f, 7, 10, 70);
	add_damaged(f);
	f->options.unreadable = true;
	assert_streamed(f, "unreadable unreadable ");
	assert_int_equal(f->losses.unknown_event_samples, 0);
	assert_int_equal(f->losses.damaged_samples, 0);
}

/* struct read_format with PERF_FORMAT_GROUP and PERF_FORMAT_ID: the number of counters, then value and id of each. */
static void add_reads(struct fixture *f)
{
	const uint64_t first[] = { 2, 100, 5, 3, 6 }, second[] = { 3, 150, 5, 3, 6, 9, 99 };

	begin(f, USUAL | PERF_SAMPLE_READ);
	add_built(f, &(struct built_sample){
			     .id = 5, .time_ns = 10, .read_words = first, .read_word_count = 5 });
	add_built(f, &(struct built_sample){
			     .id = 5, .time_ns = 20, .read_words = second, .read_word_count = 7 });
}

static void each_counter_that_was_read_is_a_sample_by_what_it_has_advanced(void **state)
{
	struct fixture *f = *state;

	add_reads(f);
	f->options.counters = true;
	assert_streamed(f, "cycles:100@10 faults:3@10 cycles:50@20 ");
	assert_int_equal(f->losses.unknown_event_samples, 1);
}

static void readers_that_do_not_want_counters_get_one_sample(void **state)
{
	struct fixture *f = *state;

	add_reads(f);
	assert_streamed(f, "cycles:0@10 cycles:0@20 ");
}

static bool is_early(void *context, const struct stream_sample *sample)
{
	(void)context;
	return sample->time_ns < 15;
}

static void what_is_left_out_is_given_once_and_as_that(void **state)
{
	struct fixture *f = *state;

	add_reads(f);
	f->options.counters = true;
	f->options.keep = is_early;
	assert_streamed(f, "cycles:100@10 faults:3@10 left-out ");
}

/* --- chains whose rest comes later ------------------------------------------------------- */

static void begin_chains(struct fixture *f)
{
	begin(f, USUAL | PERF_SAMPLE_PERIOD | PERF_SAMPLE_CALLCHAIN);
}

static void a_sample_waits_for_the_rest_of_its_chain(void **state)
{
	struct fixture *f = *state;

	begin_chains(f);
	add_waiting(f, 10, 70, 77);
	add_waiting(f, 15, 75, 77);
	add_sample(f, 5, 20, 80);
	add_rest(f, 25, 77);
	add_sample(f, 5, 30, 90);
	assert_streamed(f, "cycles:80@20 cycles+rest:70@10 cycles+rest:75@15 cycles:90@30 ");
}

static void the_rest_of_another_cookie_says_that_ones_own_is_lost(void **state)
{
	struct fixture *f = *state;

	begin_chains(f);
	add_waiting(f, 10, 70, 77);
	add_rest(f, 25, 78);
	assert_streamed(f, "cycles:70@10 ");
}

static void what_still_waits_at_the_end_comes_as_it_is(void **state)
{
	struct fixture *f = *state;

	begin_chains(f);
	add_waiting(f, 10, 70, 77);
	add_sample(f, 5, 20, 80);
	assert_streamed(f, "cycles:80@20 cycles:70@10 ");
}

static void a_rest_that_is_cut_short_is_counted(void **state)
{
	struct fixture *f = *state;

	begin_chains(f);
	perf_data_builder_begin(f->builder, RECORD_CALLCHAIN_DEFERRED, PERF_RECORD_MISC_USER);
	perf_data_builder_u64(f->builder, 77);
	perf_data_builder_end(f->builder);
	assert_streamed(f, "");
	assert_int_equal(f->losses.damaged_rests, 1);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(in_order_of_time_other_records_come_between_samples),
		TEST(when_they_are_known_samples_come_as_they_stand_in_the_file),
		TEST(a_round_comes_behind_what_it_lets_go),
		TEST(a_sample_is_known_when_the_round_behind_its_own_is_over),
		TEST(a_record_whose_turn_is_now_counts_by_its_number),
		TEST(a_record_that_the_reader_is_done_with_goes_no_further),
		TEST(the_readers_error_ends_the_stream_at_once),
		TEST(samples_without_a_time_know_all_that_is_known_so_far),
		TEST(a_sample_of_no_known_event_is_counted),
		TEST(a_sample_that_is_cut_short_is_counted),
		TEST(readers_that_want_unreadable_samples_get_them_instead),
		TEST(each_counter_that_was_read_is_a_sample_by_what_it_has_advanced),
		TEST(readers_that_do_not_want_counters_get_one_sample),
		TEST(what_is_left_out_is_given_once_and_as_that),
		TEST(a_sample_waits_for_the_rest_of_its_chain),
		TEST(the_rest_of_another_cookie_says_that_ones_own_is_lost),
		TEST(what_still_waits_at_the_end_comes_as_it_is),
		TEST(a_rest_that_is_cut_short_is_counted),
	};

	return cmocka_run_group_tests_name("report/load/sample_stream", tests, NULL, NULL);
}
