#include "report/load/profile_loader.h"

#include <linux/perf_event.h>
#include <string.h>

#include "support/cmocka.h"
#include "support/perf_data_builder.h"

enum { PERIOD_NS = 250000, HZ = 4000 };

struct fixture {
	struct perf_data_builder *builder;
	struct perf_event_attr attr;
	struct perf_file *file;
	struct loaded_profile loaded;
	struct running_time time;
	uint64_t time_ns;
	uint64_t gap_ns; /* from one sample to the next */
};

static int set_up(void **state)
{
	static struct fixture fixture;

	fixture = (struct fixture){ .builder = perf_data_builder_create(BUILD_NATIVE),
				    .attr = { .type = PERF_TYPE_SOFTWARE,
					      .size = sizeof(struct perf_event_attr),
					      .config = PERF_COUNT_SW_CPU_CLOCK,
					      .sample_freq = HZ,
					      .freq = 1,
					      .inherit = 1,
					      .enable_on_exec = 1,
					      .sample_id_all = 1,
					      .sample_type = PERF_SAMPLE_IP | PERF_SAMPLE_TID |
							     PERF_SAMPLE_TIME | PERF_SAMPLE_PERIOD },
				    .time_ns = 1000000000,
				    .gap_ns = PERIOD_NS };
	*state = &fixture;
	return 0;
}

static int tear_down(void **state)
{
	struct fixture *f = *state;

	loaded_profile_fini(&f->loaded);
	perf_file_close(f->file);
	perf_data_builder_destroy(f->builder);
	return 0;
}

static void begin(struct fixture *f, const char *name)
{
	perf_data_builder_add_event(f->builder, &(struct built_event){ .attr = f->attr, .name = name });
}

/* Thread `tid` runs until it has so many samples, at the fixture's distance. */
static void run(struct fixture *f, uint32_t tid, unsigned int samples)
{
	for (unsigned int i = 0; i < samples; i++) {
		f->time_ns += f->gap_ns;
		perf_data_builder_sample(f->builder, &(struct built_sample){ .misc = PERF_RECORD_MISC_USER,
									     .ip = 0x1000,
									     .pid = tid ? 7 : 0,
									     .tid = tid,
									     .time_ns = f->time_ns,
									     .period = PERIOD_NS });
	}
}

static void wait_ms(struct fixture *f, uint64_t time_ms)
{
	f->time_ns += time_ms * 1000000;
}

/* Sets "xprof record WORD..." as HEADER_CMDLINE: count, then size and text of each word. */
static void command_line(struct fixture *f, const char *const *words, uint32_t count)
{
	struct strbuf bytes;

	strbuf_init(&bytes);
	strbuf_add(&bytes, (const char *)&count, sizeof(count));
	for (uint32_t i = 0; i < count; i++) {
		const uint32_t size = (uint32_t)strlen(words[i]) + 1;

		strbuf_add(&bytes, (const char *)&size, sizeof(size));
		strbuf_add(&bytes, words[i], size);
	}
	perf_data_builder_feature(f->builder, 11 /* HEADER_CMDLINE */, bytes.bytes, bytes.size);
	strbuf_fini(&bytes);
}

static bool any_sample(const struct sample *sample, void *context)
{
	(void)sample;
	(void)context;
	return true;
}

static bool find(struct fixture *f, bool filtered)
{
	const struct load_options options = { .keep_sample = filtered ? any_sample : NULL,
					      .symbols = { .symfs = "/proc/nonexistent",
							   .kallsyms_path = "/proc/nonexistent" } };
	struct error err;

	perf_data_builder_finish_file(f->builder);
	f->file = perf_data_builder_open(f->builder);
	assert_int_equal(profile_load(f->file, &options, &f->loaded, &err), 0);
	f->time = f->loaded.facts.running;
	return f->time.is_known;
}

static void assert_about(double seconds, double expected)
{
	assert_true(seconds > expected * 0.99 && seconds < expected * 1.01);
}

/* A command of two threads that runs for 0.1 s altogether, sleeps for 0.4 s, and ends. */
static void run_and_wait(struct fixture *f)
{
	begin(f, "cpu-clock");
	run(f, 7, 200);
	wait_ms(f, 300);
	run(f, 8, 200);
	wait_ms(f, 100);
	perf_data_builder_exit(f->builder, 7, 1, 7, 1, f->time_ns);
}

static void periods_of_a_clock_are_what_ran(void **state)
{
	struct fixture *f = *state;

	run_and_wait(f);
	assert_true(find(f, false));
	assert_about(f->time.running_s, 0.1);
	assert_about(f->time.span_s, 0.5);
	assert_int_equal(f->time.threads, 2);
	assert_true(f->time.of_command);
	assert_false(f->time.is_estimate);
	assert_false(f->time.is_bound);
	assert_true(f->time.mostly_waited);
}

static void who_runs_all_the_time_does_not_wait(void **state)
{
	struct fixture *f = *state;

	begin(f, "cpu-clock");
	run(f, 7, 1000);
	assert_true(find(f, false));
	assert_false(f->time.mostly_waited);
}

/* As on virtual machines with coarse timers: each sample stands for more time than its period. */
static void where_timers_are_coarse_periods_are_not_believed(void **state)
{
	struct fixture *f = *state;

	f->gap_ns = 2 * PERIOD_NS;
	begin(f, "cpu-clock");
	run(f, 7, 400);
	wait_ms(f, 300);
	run(f, 7, 1);
	assert_true(find(f, false));
	assert_true(f->time.is_bound);
	assert_false(f->time.mostly_waited);
}

static void a_few_samples_give_a_bound(void **state)
{
	struct fixture *f = *state;

	begin(f, "cpu-clock");
	run(f, 7, 1);
	wait_ms(f, 1000);
	run(f, 7, 1);
	assert_true(find(f, false));
	assert_true(f->time.is_bound);
	assert_about(f->time.running_s, 0.03);
	assert_true(f->time.mostly_waited);
}

static void cycles_count_by_their_rate(void **state)
{
	struct fixture *f = *state;

	f->attr.type = PERF_TYPE_HARDWARE;
	f->attr.config = PERF_COUNT_HW_CPU_CYCLES;
	begin(f, "cycles");
	run(f, 7, 400);
	wait_ms(f, 900);
	run(f, 7, 1);
	assert_true(find(f, false));
	assert_true(f->time.is_estimate);
	assert_about(f->time.running_s, 0.1);
	assert_true(f->time.mostly_waited);
}

static void cycles_with_a_fixed_period_are_no_time(void **state)
{
	struct fixture *f = *state;

	f->attr.type = PERF_TYPE_HARDWARE;
	f->attr.config = PERF_COUNT_HW_CPU_CYCLES;
	f->attr.freq = 0;
	begin(f, "cycles");
	run(f, 7, 400);
	assert_false(find(f, false));
}

static void without_the_kernels_share_nothing_is_known(void **state)
{
	struct fixture *f = *state;

	f->attr.exclude_kernel = 1;
	run_and_wait(f);
	assert_false(find(f, false));
}

static void where_samples_are_missing_nothing_is_known(void **state)
{
	struct fixture *f = *state;

	run_and_wait(f);
	perf_data_builder_lost(f->builder, 0, 1, f->time_ns);
	assert_false(find(f, false));
}

static void a_part_of_the_samples_says_nothing(void **state)
{
	struct fixture *f = *state;

	run_and_wait(f);
	assert_false(find(f, true));
}

static void whole_cpus_are_no_command(void **state)
{
	struct fixture *f = *state;

	f->attr.enable_on_exec = 0;
	run_and_wait(f);
	assert_false(find(f, false));
}

static void cpus_that_idle_do_not_wait(void **state)
{
	struct fixture *f = *state;

	run_and_wait(f);
	run(f, 0, 1);
	assert_false(find(f, false));
}

static void processes_that_were_there_before_are_no_command(void **state)
{
	struct fixture *f = *state;

	f->attr.enable_on_exec = 0;
	command_line(f, (const char *const[]){ "xprof", "record", "-gp", "7" }, 4);
	run_and_wait(f);
	assert_true(find(f, false));
	assert_false(f->time.of_command);
}

static void what_is_left_out_by_options_is_not_called_waiting(void **state)
{
	static const char *const options[] = { "-ga", "--filter=x", "--switch-output", "-C0", "--uid" };

	(void)state;
	for (size_t i = 0; i < sizeof(options) / sizeof(*options); i++) {
		struct fixture *f;

		set_up((void **)&f);
		command_line(f, (const char *const[]){ "xprof", "record", options[i], "--", "ls" }, 5);
		run_and_wait(f);
		assert_false(find(f, false));
		tear_down((void **)&f);
	}
}

static void options_of_the_command_are_its_own(void **state)
{
	struct fixture *f = *state;

	command_line(f, (const char *const[]){ "xprof", "record", "-g", "--", "ls", "-a" }, 6);
	run_and_wait(f);
	assert_true(find(f, false));
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(periods_of_a_clock_are_what_ran),
		TEST(who_runs_all_the_time_does_not_wait),
		TEST(where_timers_are_coarse_periods_are_not_believed),
		TEST(a_few_samples_give_a_bound),
		TEST(cycles_count_by_their_rate),
		TEST(cycles_with_a_fixed_period_are_no_time),
		TEST(without_the_kernels_share_nothing_is_known),
		TEST(where_samples_are_missing_nothing_is_known),
		TEST(a_part_of_the_samples_says_nothing),
		TEST(whole_cpus_are_no_command),
		TEST(cpus_that_idle_do_not_wait),
		TEST(processes_that_were_there_before_are_no_command),
		cmocka_unit_test(what_is_left_out_by_options_is_not_called_waiting),
		TEST(options_of_the_command_are_its_own),
	};

	return cmocka_run_group_tests_name("report/load/running_time", tests, NULL, NULL);
}
