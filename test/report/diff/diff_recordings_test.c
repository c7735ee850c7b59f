#include "report/diff/diff_recordings.h"

#include <linux/perf_event.h>
#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "report/diff/diff_header.h"
#include "support/cmocka.h"
#include "support/perf_data_builder.h"
#include "support/temp_tree.h"

enum { USUAL = PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_PERIOD };

/* The numbers that differ between the recordings. */
struct recipe {
	const char *name; /* of the file */
	const char *event;
	uint64_t frequency_hz;
	const char *dso;  /* a path */
	uint64_t samples; /* a millisecond apart, and a millisecond long */
	uint64_t lost;
};

struct fixture {
	struct temp_tree tree;
	char *paths[4];
	size_t path_count;
	struct diff_recordings side;
};

static struct fixture fixture;

static int setup(void **state)
{
	fixture = (struct fixture){ 0 };
	temp_tree_create(&fixture.tree);
	*state = &fixture;
	return 0;
}

static int teardown(void **state)
{
	struct fixture *f = *state;

	diff_recordings_close(&f->side);
	while (f->path_count)
		free(f->paths[--f->path_count]);
	temp_tree_remove(&f->tree);
	return 0;
}

static const char *record(struct fixture *f, const struct recipe *recipe)
{
	const struct built_event event = { .attr = { .type = PERF_TYPE_SOFTWARE,
						     .size = PERF_ATTR_SIZE_VER5,
						     .sample_type = USUAL,
						     .freq = 1,
						     .sample_freq = recipe->frequency_hz,
						     .sample_id_all = 1 },
					   .name = recipe->event };
	struct perf_data_builder *builder = perf_data_builder_create(BUILD_NATIVE);

	perf_data_builder_add_event(builder, &event);
	perf_data_builder_mmap2(builder, &(struct built_mmap){ .pid = 7,
							       .tid = 7,
							       .start = 0x1000,
							       .length = 0x1000,
							       .prot = 5,
							       .misc = PERF_RECORD_MISC_USER,
							       .path = recipe->dso });
	for (uint64_t i = 0; i < recipe->samples; i++)
		perf_data_builder_sample(builder, &(struct built_sample){ .misc = PERF_RECORD_MISC_USER,
									  .ip = 0x1000,
									  .pid = 7,
									  .tid = 7,
									  .time_ns = 1000000 * (i + 1),
									  .period = 1000000 });
	if (recipe->lost)
		perf_data_builder_lost_samples(builder, recipe->lost, 1000000);
	perf_data_builder_finish_file(builder);
	temp_tree_bytes(&f->tree, recipe->name, builder->out.bytes, builder->out.size);
	perf_data_builder_destroy(builder);
	f->paths[f->path_count] = xasprintf("%s/%s", f->tree.root, recipe->name);
	return f->paths[f->path_count++];
}

static const struct recipe usual = { "a.data", "cpu-clock", 1000, "/nonexistent/prog", 1001, 0 };

static int open_all(struct fixture *f, struct error *err)
{
	return diff_recordings_open(&f->side, &(struct recording_request){ .quiet = true }, err);
}

static void commas_separate_files_unless_a_name_has_them(void **state)
{
	struct fixture *f = *state;
	struct recipe named = usual;

	named.name = "a,b.data";
	diff_recordings_add(&f->side, record(f, &named));
	assert_int_equal(f->side.count, 1);
	diff_recordings_add(&f->side, "nothing.1,nothing.2");
	assert_int_equal(f->side.count, 3);
	assert_string_equal(f->side.list[2].path, "nothing.2");
	assert_int_equal(open_all(f, NULL), -1);
}

static void what_recordings_have_is_added_up(void **state)
{
	struct fixture *f = *state;
	struct profile_event event;
	struct recipe second = usual;
	double divisor;

	second.name = "b.data";
	second.samples = 501;
	diff_recordings_add(&f->side, record(f, &usual));
	diff_recordings_add(&f->side, record(f, &second));
	assert_int_equal(open_all(f, NULL), 0);
	assert_false(diff_recordings_have_callchains(&f->side));
	assert_int_equal(diff_recordings_choose_event(&f->side, 0, NULL), 0);
	event = diff_recordings_event(&f->side);
	assert_int_equal(event.samples, 1502);
	assert_int_equal(event.weight, 1502000000);
	assert_true(event.weight_squares == 1502e12);

	assert_int_equal(diff_recordings_divide(&f->side, DIFF_TIME, 0, NULL, &divisor, NULL), 0);
	assert_true(f->side.list[0].divisor == 1 && f->side.list[1].divisor == 0.5);
	assert_true(divisor == 1.5);
	assert_int_equal(diff_recordings_divide(&f->side, DIFF_WORK, 20, NULL, &divisor, NULL), 0);
	assert_true(divisor == 40);
	assert_int_equal(diff_recordings_divide(&f->side, DIFF_WORK, 0, "cpu-clock", &divisor, NULL), 0);
	assert_true(f->side.list[1].divisor == 501e6);
	assert_int_equal(diff_recordings_divide(&f->side, DIFF_WORK, 0, "cycles", &divisor, NULL), -1);
	assert_int_equal(diff_recordings_divide(&f->side, DIFF_SHARE, 0, NULL, &divisor, NULL), 0);
	assert_true(divisor == 2);
}

static void a_recording_of_another_event_does_not_belong(void **state)
{
	struct fixture *f = *state;
	struct recipe other = usual;
	struct error err;

	other.name = "b.data";
	other.event = "cycles";
	diff_recordings_add(&f->side, record(f, &usual));
	diff_recordings_add(&f->side, record(f, &other));
	assert_int_equal(open_all(f, NULL), 0);
	assert_int_equal(diff_recordings_choose_event(&f->side, 0, &err), -1);
	assert_non_null(strstr(err.message, "b.data"));
}

static void a_moment_is_no_time_to_divide_by(void **state)
{
	struct fixture *f = *state;
	struct recipe moment = usual;
	double divisor;

	moment.samples = 1;
	diff_recordings_add(&f->side, record(f, &moment));
	assert_int_equal(open_all(f, NULL), 0);
	assert_int_equal(diff_recordings_choose_event(&f->side, 0, NULL), 0);
	assert_int_equal(diff_recordings_divide(&f->side, DIFF_TIME, 0, NULL, &divisor, NULL), -1);
}

/* --- the header --------------------------------------------------------------- */

static void assert_header(struct fixture *f, const struct recipe *before, const struct recipe *after,
			  const char *expected)
{
	struct diff_recordings other = { 0 };
	struct diff_inputs inputs = { .sides = { &f->side, &other } };
	const struct recording_request request = { .quiet = true, .load.symbols.symfs = "/nonexistent" };
	struct strbuf out;
	const char *single;

	diff_recordings_add(&f->side, record(f, before));
	diff_recordings_add(&other, record(f, after));
	assert_int_equal(diff_recordings_open(&f->side, &request, NULL), 0);
	assert_int_equal(diff_recordings_open(&other, &request, NULL), 0);
	strbuf_init(&out);
	diff_header_add(&out, &inputs);
	single = strstr(out.bytes, "# beware: one recording of each");
	assert_non_null(single);
	if (expected)
		assert_non_null(strstr(out.bytes, expected));
	else
		assert_null(strstr(strchr(single, '\n'), "beware"));
	strbuf_fini(&out);
	diff_recordings_close(&other);
}

static void recordings_that_are_alike_need_no_warning_but_that_they_are_single(void **state)
{
	struct recipe other = usual;

	other.name = "b.data";
	assert_header(*state, &usual, &other, NULL);
}

static void other_events_and_rates_are_told(void **state)
{
	struct recipe other = usual;

	other.name = "b.data";
	other.event = "page-faults";
	other.frequency_hz = 99;
	assert_header(*state, &usual, &other,
		      "# beware: different events: cpu-clock and page-faults do not count the same\n"
		      "# beware: sampled at 1000 Hz and at 99 Hz: numbers of samples cannot be compared\n");
}

static void losses_are_told(void **state)
{
	struct recipe other = usual;

	other.name = "b.data";
	other.lost = 1001;
	assert_header(*state, &usual, &other, "# beware: 50.0% of the samples after were lost");
}

static void a_program_that_the_other_does_not_have_is_told(void **state)
{
	struct recipe other = usual;

	other.name = "b.data";
	other.dso = "/nonexistent/prog.new";
	assert_header(
		*state, &usual, &other,
		"# beware: 100.0% of the samples before are in prog, which the other recording does not have\n"
		"# beware: 100.0% of the samples after are in prog.new, which the other recording does not have\n"
		"# beware: if these are the same program: --rename prog=prog.new\n");
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(commas_separate_files_unless_a_name_has_them),
		TEST(what_recordings_have_is_added_up),
		TEST(a_recording_of_another_event_does_not_belong),
		TEST(a_moment_is_no_time_to_divide_by),
		TEST(recordings_that_are_alike_need_no_warning_but_that_they_are_single),
		TEST(other_events_and_rates_are_told),
		TEST(losses_are_told),
		TEST(a_program_that_the_other_does_not_have_is_told),
	};

	return cmocka_run_group_tests_name("report/diff/diff_recordings", tests, NULL, NULL);
}
