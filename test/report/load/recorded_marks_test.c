#include "report/load/recorded_marks.h"

#include <string.h>

#include "format/off_cpu_wait.h"
#include "report/load/profile_loader.h"
#include "support/cmocka.h"
#include "support/perf_data_builder.h"

enum { USUAL = PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_CPU | PERF_SAMPLE_PERIOD };

struct fixture {
	struct perf_data_builder *builder;
	struct mark_log *log;
};

static int setup(void **state)
{
	static struct fixture fixture;

	fixture = (struct fixture){ perf_data_builder_create(BUILD_NATIVE), mark_log_create(NULL) };
	*state = &fixture;
	return 0;
}

static int teardown(void **state)
{
	struct fixture *f = *state;

	perf_data_builder_destroy(f->builder);
	mark_log_destroy(f->log);
	return 0;
}

static void add_event(struct fixture *f, const char *name, uint64_t config, uint64_t sample_type)
{
	perf_data_builder_add_event(f->builder, &(struct built_event){ .attr = { .type = PERF_TYPE_SOFTWARE,
										 .config = config,
										 .size = PERF_ATTR_SIZE_VER5,
										 .sample_type = sample_type,
										 .sample_period = 1,
										 .sample_id_all = 1 },
								       .name = name });
}

static bool keep_early(const struct sample *sample, void *context)
{
	(void)context;
	return sample->time_ns < 300;
}

static void load(struct fixture *f, bool early)
{
	const struct load_options options = { .symbols = { .symfs = "/proc/nonexistent",
							   .kallsyms_path = "/proc/nonexistent" },
					      .marks = f->log,
					      .keep_sample = early ? keep_early : NULL };
	struct loaded_profile loaded;
	struct perf_file *file;

	perf_data_builder_finish_file(f->builder);
	file = perf_data_builder_open(f->builder);
	assert_int_equal(profile_load(file, &options, &loaded, NULL), 0);
	loaded_profile_fini(&loaded);
	perf_file_close(file);
	assert_int_equal(mark_log_finish(f->log, NULL), 0);
}

static void switches_and_losses_are_marks(void **state)
{
	struct fixture *f = *state;

	add_event(f, "cpu-clock", PERF_COUNT_SW_CPU_CLOCK, USUAL);
	f->builder->trailer_cpu = 3;
	perf_data_builder_switch(f->builder, true, 7, 8, 100);
	perf_data_builder_switch(f->builder, false, 7, 8, 200);
	perf_data_builder_begin(f->builder, PERF_RECORD_SWITCH_CPU_WIDE,
				PERF_RECORD_MISC_SWITCH_OUT | PERF_RECORD_MISC_SWITCH_OUT_PREEMPT);
	perf_data_builder_u64(f->builder, 0);
	perf_data_builder_trailer(f->builder, 7, 9, 300);
	perf_data_builder_end(f->builder);
	perf_data_builder_lost(f->builder, 0, 5, 400);
	perf_data_builder_lost_samples(f->builder, 5, 500);
	load(f, false);
	assert_int_equal(mark_log_count(f->log), 4);
	assert_int_equal(mark_log_at(f->log, 0)->kind, MARK_OUT);
	assert_int_equal(mark_log_at(f->log, 0)->begin_ns, 100);
	assert_int_equal(mark_log_at(f->log, 0)->tid, 8);
	assert_int_equal(mark_log_at(f->log, 0)->cpu, 3);
	assert_int_equal(mark_log_at(f->log, 0)->state, 0);
	assert_int_equal(mark_log_at(f->log, 1)->kind, MARK_IN);
	assert_string_equal(mark_log_text(f->log, mark_log_at(f->log, 2)->state), "preempted");
	assert_int_equal(mark_log_at(f->log, 3)->kind, MARK_LOST);
	assert_int_equal(mark_log_at(f->log, 3)->count, 5);
}

static void what_is_left_out_by_time_makes_no_mark(void **state)
{
	struct fixture *f = *state;

	add_event(f, "cpu-clock", PERF_COUNT_SW_CPU_CLOCK, USUAL);
	perf_data_builder_switch(f->builder, true, 7, 8, 100);
	perf_data_builder_switch(f->builder, false, 7, 8, 300);
	load(f, true);
	assert_int_equal(mark_log_count(f->log), 1);
}

static void records_without_a_time_make_no_mark(void **state)
{
	struct fixture *f = *state;

	add_event(f, "cpu-clock", PERF_COUNT_SW_CPU_CLOCK, PERF_SAMPLE_TID);
	perf_data_builder_switch(f->builder, true, 7, 8, 100);
	perf_data_builder_lost(f->builder, 0, 5, 400);
	load(f, false);
	assert_int_equal(mark_log_count(f->log), 0);
}

static void add_wait(struct fixture *f, enum off_cpu_state state)
{
	const struct off_cpu_wait wait = { .state = state,
					   .kind = OFF_CPU_KIND_FUTEX,
					   .wakers[0].kind = OFF_CPU_WAKER_THREAD,
					   .wakers[0].comm = "make",
					   .begin_ns = 1000,
					   .blocked_ns = 30,
					   .waiting_ns = 4 };
	struct strbuf raw;

	strbuf_init(&raw);
	off_cpu_wait_encode(&wait, &raw);
	perf_data_builder_sample(f->builder, &(struct built_sample){ .pid = 7,
								     .tid = 8,
								     .time_ns = 2000,
								     .period = 34,
								     .raw = raw.bytes,
								     .raw_size = (uint32_t)raw.size });
	strbuf_fini(&raw);
}

static void waits_lie_where_their_raw_data_says(void **state)
{
	struct fixture *f = *state;

	add_event(f, OFF_CPU_EVENT_NAME, PERF_COUNT_SW_BPF_OUTPUT, USUAL | PERF_SAMPLE_RAW);
	add_wait(f, OFF_CPU_SLEEPING);
	add_wait(f, OFF_CPU_RUNQUEUE);
	load(f, false);
	assert_int_equal(mark_log_count(f->log), 2);
	assert_int_equal(mark_log_at(f->log, 0)->kind, MARK_WAIT);
	assert_int_equal(mark_log_at(f->log, 0)->begin_ns, 1000);
	assert_int_equal(mark_log_at(f->log, 0)->end_ns, 1030);
	assert_string_equal(mark_log_text(f->log, mark_log_at(f->log, 0)->wait), "futex");
	assert_string_equal(mark_log_text(f->log, mark_log_at(f->log, 0)->waker), "make");
	assert_int_equal(mark_log_at(f->log, 1)->begin_ns, 1030);
	assert_int_equal(mark_log_at(f->log, 1)->end_ns, 1034);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(switches_and_losses_are_marks, setup, teardown),
		cmocka_unit_test_setup_teardown(what_is_left_out_by_time_makes_no_mark, setup, teardown),
		cmocka_unit_test_setup_teardown(records_without_a_time_make_no_mark, setup, teardown),
		cmocka_unit_test_setup_teardown(waits_lie_where_their_raw_data_says, setup, teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
