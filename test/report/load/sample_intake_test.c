#include "report/load/sample_intake.h"

#include <linux/perf_event.h>
#include <string.h>

#include "support/cmocka.h"
#include "support/perf_data_builder.h"

enum { LEFT_OUT = 9 }; /* a process whose samples are left out */
enum { USUAL = PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_CPU | PERF_SAMPLE_PERIOD };

static struct fixture {
	struct perf_data_builder *builder;
	struct perf_file *file;
	pthread_mutex_t lock;
	struct process_table *processes;
	struct raw_profile *profile;
	struct stack_resolver *resolver;
	struct sample_intake *intake;
} fixture;

static int set_up(void **state)
{
	fixture = (struct fixture){ .builder = perf_data_builder_create(BUILD_NATIVE),
				    .processes = process_table_create(),
				    .profile = raw_profile_create() };
	pthread_mutex_init(&fixture.lock, NULL);
	fixture.resolver = stack_resolver_create(fixture.processes, fixture.profile,
						 &(struct stack_resolver_options){ .max_stack = 127 });
	*state = &fixture;
	return 0;
}

static int tear_down(void **state)
{
	struct fixture *f = *state;

	sample_intake_destroy(f->intake);
	stack_resolver_destroy(f->resolver);
	process_table_destroy(f->processes);
	raw_profile_destroy(f->profile);
	pthread_mutex_destroy(&f->lock);
	perf_file_close(f->file);
	perf_data_builder_destroy(f->builder);
	return 0;
}

static void add_event(struct fixture *f, const char *name, uint64_t sample_type, uint64_t id)
{
	perf_data_builder_add_event(
		f->builder,
		&(struct built_event){ .attr = { .size = PERF_ATTR_SIZE_VER5,
						 .sample_type = sample_type,
						 .read_format = PERF_FORMAT_GROUP | PERF_FORMAT_ID },
				       .name = name,
				       .ids = { id },
				       .id_count = id != 0 });
	(void)raw_profile_event(f->profile, name);
}

static void add_sample(struct fixture *f, uint32_t pid, uint64_t time_ns)
{
	perf_data_builder_sample(f->builder, &(struct built_sample){ .misc = PERF_RECORD_MISC_USER,
								     .ip = 0x400100,
								     .pid = pid,
								     .tid = pid,
								     .time_ns = time_ns,
								     .cpu = 3,
								     .period = 500,
								     .cgroup = 9 });
}

static void take(struct fixture *f, const struct event *event)
{
	struct stream_sample sample = { .event = perf_file_event_of(f->file, event) };

	assert_int_equal(
		sample_decode(&sample.sample, event, &perf_file_event(f->file, sample.event)->attr, NULL), 0);
	sample.time_ns = sample.sample.time_ns;
	sample.period = sample.sample.period;
	sample.is_kept = sample.sample.pid != LEFT_OUT;
	sample_intake_add(f->intake, &sample);
}

/* Takes all records of the file. */
static void take_all(struct fixture *f, bool join_stacks)
{
	const struct unwind_options stacks = { .join_stacks = join_stacks };
	struct sample_intake_options options = { .stacks = &stacks };
	struct event event;

	perf_data_builder_finish_file(f->builder);
	f->file = perf_data_builder_open(f->builder);
	options.file = f->file;
	options.processes = f->processes;
	options.profile = f->profile;
	options.resolver = f->resolver;
	options.lock = &f->lock;
	f->intake = sample_intake_create(&options);
	while (perf_file_next(f->file, &event, NULL) == 1) {
		if (event.type == PERF_RECORD_SAMPLE)
			take(f, &event);
		else if (event.type == PERF_RECORD_CGROUP)
			assert_int_equal(sample_intake_learn_cgroup(f->intake, &event), 0);
		else
			assert_int_equal(process_table_apply(f->processes, &event, 0, NULL), 0);
	}
	sample_intake_finish(f->intake);
}

static void a_sample_counts_with_its_thread_cpu_and_cgroup(void **state)
{
	struct fixture *f = *state;
	const struct profile_sample *sample;
	const struct profile_thread *thread;

	add_event(f, "cycles", USUAL | PERF_SAMPLE_CGROUP, 0);
	perf_data_builder_comm(f->builder, 7, 7, "worker", 0);
	perf_data_builder_begin(f->builder, PERF_RECORD_CGROUP, 0);
	perf_data_builder_u64(f->builder, 9);
	perf_data_builder_text(f->builder, "/a.slice");
	perf_data_builder_end(f->builder);
	add_sample(f, 7, 20);
	take_all(f, false);
	assert_int_equal(raw_profile_sample_count(f->profile), 1);
	sample = raw_profile_sample_at(f->profile, 0);
	thread = raw_profile_thread_at(f->profile, sample->thread);
	assert_int_equal(sample->cpu, 3);
	assert_int_equal(sample->weight, 500);
	assert_int_equal(thread->pid, 7);
	assert_string_equal(raw_profile_text(f->profile, thread->comm), "worker");
	assert_string_equal(raw_profile_text(f->profile, sample->cgroup), "/a.slice");
}

static void samples_are_counted_from_the_first_time_to_the_last(void **state)
{
	struct fixture *f = *state;
	const struct sample_intake_counts *counts;

	add_event(f, "cycles", USUAL, 0);
	add_sample(f, 7, 20);
	add_sample(f, 7, 40);
	add_sample(f, 7, 30);
	take_all(f, false);
	counts = sample_intake_counts(f->intake);
	assert_int_equal(counts->samples, 3);
	assert_int_equal(counts->first_time_ns, 20);
	assert_int_equal(counts->last_time_ns, 40);
}

static void what_is_not_kept_does_not_count(void **state)
{
	struct fixture *f = *state;

	add_event(f, "cycles", USUAL, 0);
	add_sample(f, LEFT_OUT, 20);
	add_sample(f, 8, 30);
	take_all(f, true);
	assert_int_equal(sample_intake_counts(f->intake)->samples, 1);
	assert_int_equal(sample_intake_counts(f->intake)->first_time_ns, 30);
	assert_int_equal(raw_profile_event_at(f->profile, 0)->weight, 500);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(a_sample_counts_with_its_thread_cpu_and_cgroup),
		TEST(samples_are_counted_from_the_first_time_to_the_last),
		TEST(what_is_not_kept_does_not_count),
	};

	return cmocka_run_group_tests_name("report/load/sample_intake", tests, NULL, NULL);
}
