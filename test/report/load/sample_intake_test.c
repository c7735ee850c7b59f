#include "report/load/sample_intake.h"

#include <linux/perf_event.h>
#include <string.h>

#include "support/cmocka.h"
#include "support/perf_data_builder.h"

enum { USUAL = PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_CPU | PERF_SAMPLE_PERIOD };

static struct fixture {
	struct perf_data_builder *builder;
	struct perf_file *file;
	pthread_mutex_t lock;
	struct process_table *processes;
	struct profile *profile;
	struct stack_resolver *resolver;
	struct sample_intake *intake;
} fixture;

static int set_up(void **state)
{
	fixture = (struct fixture){ .builder = perf_data_builder_create(BUILD_NATIVE),
				    .processes = process_table_create(),
				    .profile = profile_create() };
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
	profile_destroy(f->profile);
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
	(void)profile_event(f->profile, name, false, 1);
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
	struct queued_sample queued = { .event = *event, .file_event = perf_file_event_of(f->file, event) };
	struct sample sample;

	if (sample_intake_decode(f->intake, &queued, &sample) < 0)
		return;
	queued.time_ns = sample.time_ns;
	sample_intake_take(f->intake, &queued, &sample);
}

/* All of the file's records. */
static void take_all(struct fixture *f, struct sample_intake_options options)
{
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
	take_all(f, (struct sample_intake_options){ .keep_sample = NULL });
	assert_int_equal(profile_sample_count(f->profile), 1);
	sample = profile_sample_at(f->profile, 0);
	thread = profile_thread_at(f->profile, sample->thread);
	assert_int_equal(sample->cpu, 3);
	assert_int_equal(sample->weight, 500);
	assert_int_equal(thread->pid, 7);
	assert_string_equal(profile_text(f->profile, thread->comm), "worker");
	assert_string_equal(profile_text(f->profile, sample->cgroup), "/a.slice");
}

static void samples_are_counted_from_the_first_time_to_the_last(void **state)
{
	struct fixture *f = *state;
	const struct sample_intake_counts *counts;

	add_event(f, "cycles", USUAL, 0);
	add_sample(f, 7, 20);
	add_sample(f, 7, 40);
	add_sample(f, 7, 30);
	take_all(f, (struct sample_intake_options){ .keep_sample = NULL });
	counts = sample_intake_counts(f->intake);
	assert_int_equal(counts->samples, 3);
	assert_int_equal(counts->first_time_ns, 20);
	assert_int_equal(counts->last_time_ns, 40);
}

static bool is_of_process_8(const struct sample *sample, void *context)
{
	(void)context;
	return sample->pid == 8;
}

static void what_is_not_kept_does_not_count(void **state)
{
	struct fixture *f = *state;

	add_event(f, "cycles", USUAL, 0);
	add_sample(f, 7, 20);
	add_sample(f, 8, 30);
	take_all(f, (struct sample_intake_options){ .keep_sample = is_of_process_8, .learn = true });
	assert_int_equal(sample_intake_counts(f->intake)->samples, 1);
	assert_int_equal(sample_intake_counts(f->intake)->first_time_ns, 30);
	assert_int_equal(profile_event_at(f->profile, 0)->weight, 500);
}

static void a_damaged_sample_is_counted_as_that(void **state)
{
	struct fixture *f = *state;

	add_event(f, "cycles", USUAL, 0);
	perf_data_builder_begin(f->builder, PERF_RECORD_SAMPLE, PERF_RECORD_MISC_USER);
	perf_data_builder_u64(f->builder, 0x400100);
	perf_data_builder_end(f->builder);
	add_sample(f, 7, 20);
	take_all(f, (struct sample_intake_options){ .keep_sample = NULL });
	assert_int_equal(sample_intake_counts(f->intake)->damaged_samples, 1);
	assert_int_equal(sample_intake_counts(f->intake)->samples, 1);
}

/* { nr, { value, id } … } */
static void counters_that_were_read_count_by_what_they_have_advanced(void **state)
{
	const uint64_t first[] = { 2, 100, 11, 50, 99 }, second[] = { 2, 130, 11, 60, 99 };
	struct built_sample built = {
		.ip = 1, .pid = 7, .tid = 7, .time_ns = 5, .read_words = first, .read_word_count = 5
	};
	struct fixture *f = *state;

	add_event(f, "cycles", USUAL | PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_READ, 11);
	perf_data_builder_sample(f->builder, &built);
	built.read_words = second;
	perf_data_builder_sample(f->builder, &built);
	take_all(f, (struct sample_intake_options){ .keep_sample = NULL });
	assert_int_equal(profile_event_at(f->profile, 0)->samples, 2);
	assert_int_equal(profile_event_at(f->profile, 0)->weight, 130);
	assert_int_equal(sample_intake_counts(f->intake)->unknown_event_samples, 2); /* of id 99 */
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(a_sample_counts_with_its_thread_cpu_and_cgroup),
		TEST(samples_are_counted_from_the_first_time_to_the_last),
		TEST(what_is_not_kept_does_not_count),
		TEST(a_damaged_sample_is_counted_as_that),
		TEST(counters_that_were_read_count_by_what_they_have_advanced),
	};

	return cmocka_run_group_tests_name("report/load/sample_intake", tests, NULL, NULL);
}
