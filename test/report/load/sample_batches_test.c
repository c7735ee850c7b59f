#include "report/load/sample_batches.h"

#include <linux/perf_event.h>
#include <pthread.h>
#include <stdlib.h>

#include "base/xalloc.h"
#include "report/load/recorded_modules.h"
#include "support/cmocka.h"
#include "support/dumped_sample.h"
#include "support/perf_data_builder.h"

enum { SAMPLES = 3000 }; /* several batches, and part of one */

static struct fixture {
	struct perf_data_builder *builder;
	struct perf_file *file;
	pthread_mutex_t lock;
	struct process_table *processes;
	struct debug_file_search search;
	struct dso_modules *modules;
	struct perf_features features;
	struct raw_profile *profile;
	struct dump_unwinder *unwinder;
	struct stack_resolver *resolver;
	struct sample_batches *batches;
	struct dumped_sample *samples;
	size_t added; /* next one expected, as they come in order */
} fixture;

static uint64_t pc_of(size_t number)
{
	return 0x400000 + number;
}

static void added(void *context, const struct pending_sample *pending)
{
	struct fixture *f = context;
	const struct profile_sample *sample = raw_profile_sample_at(f->profile, pending->number);
	const struct profile_stack *leaf = raw_profile_stack_at(f->profile, sample->stack);

	assert_int_equal(pending->time_ns, f->added);
	assert_int_equal(raw_profile_location_at(f->profile, leaf->location)->address, pc_of(f->added));
	f->added++;
}

static void make(bool threads)
{
	struct fixture *f = &fixture;

	f->batches = sample_batches_create(&(struct sample_batches_options){ .file = f->file,
									     .processes = f->processes,
									     .profile = f->profile,
									     .resolver = f->resolver,
									     .unwinder = f->unwinder,
									     .lock = &f->lock,
									     .threads = threads,
									     .added = added,
									     .context = f });
}

static int set_up(void **state)
{
	struct fixture *f = &fixture;
	const struct built_event event = { .attr = { .type = PERF_TYPE_SOFTWARE,
						     .size = PERF_ATTR_SIZE_VER5,
						     .sample_type = PERF_SAMPLE_IP } };

	*f = (struct fixture){ .builder = perf_data_builder_create(BUILD_NATIVE),
			       .processes = process_table_create(),
			       .profile = raw_profile_create(),
			       .samples = xcalloc(SAMPLES, sizeof(*f->samples)) };
	perf_data_builder_add_event(f->builder, &event);
	perf_data_builder_finish_file(f->builder);
	f->file = perf_data_builder_open(f->builder);
	f->features.arch = (char *)(uintptr_t) "x86_64";
	pthread_mutex_init(&f->lock, NULL);
	f->modules = recorded_modules_create(&f->search);
	f->unwinder = dump_unwinder_create(&(struct dump_unwinder_source){ .processes = f->processes,
									   .modules = f->modules,
									   .features = &f->features,
									   .lock = &f->lock },
					   NULL);
	f->resolver = stack_resolver_create(f->processes, f->profile,
					    &(struct stack_resolver_options){ .max_stack = 127,
									      .max_frames = UINT32_MAX,
									      .unwinder = f->unwinder });
	(void)raw_profile_event(f->profile, "event");
	*state = f;
	return 0;
}

static int tear_down(void **state)
{
	struct fixture *f = *state;

	sample_batches_destroy(f->batches);
	stack_resolver_destroy(f->resolver);
	dump_unwinder_destroy(f->unwinder);
	dso_modules_destroy(f->modules);
	process_table_destroy(f->processes);
	raw_profile_destroy(f->profile);
	pthread_mutex_destroy(&f->lock);
	perf_file_close(f->file);
	perf_data_builder_destroy(f->builder);
	free(f->samples);
	return 0;
}

/* Every third sample has no dump. */
static void add(struct fixture *f, size_t number)
{
	struct dumped_sample *dumped = &f->samples[number];
	struct pending_sample *pending;

	dumped_sample_init(dumped, pc_of(number));
	if (number % 3 == 2)
		dumped->sample.user_stack_size = dumped->sample.user_regs_abi = 0;
	pending = sample_batches_add(f->batches, &dumped->sample, 0, number);
	pending->is_counted = true;
	pending->weight = 5;
	pending->sum = (struct profile_sample){ .count = 1, .weight = 5 };
}

static void add_all(struct fixture *f)
{
	for (size_t i = 0; i < SAMPLES; i++)
		add(f, i);
	sample_batches_finish(f->batches);
	assert_int_equal(f->added, SAMPLES);
	assert_int_equal(raw_profile_event_at(f->profile, 0)->weight, 5 * SAMPLES);
}

static void samples_are_added_in_their_order(void **state)
{
	make(false);
	add_all(*state);
}

static void threads_change_nothing(void **state)
{
	make(true);
	add_all(*state);
}

static void a_sample_that_is_only_learned_from_is_not_added(void **state)
{
	struct fixture *f = *state;

	make(true);
	dumped_sample_init(&f->samples[0], pc_of(7));
	sample_batches_add(f->batches, &f->samples[0].sample, 0, 7)->is_counted = false;
	sample_batches_finish(f->batches);
	assert_int_equal(f->added, 0);
	assert_int_equal(raw_profile_sample_count(f->profile), 0);
}

/* With a mapped file, samples may wait during a pause. Those unfinished in the end are dropped, as after an error. */
static void what_is_not_finished_is_forgotten(void **state)
{
	struct fixture *f = *state;

	make(true);
	for (size_t i = 0; i < SAMPLES; i++) {
		add(f, i);
		sample_batches_pause(f->batches);
	}
	assert_true(f->added <= SAMPLES);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(samples_are_added_in_their_order, set_up, tear_down),
		cmocka_unit_test_setup_teardown(threads_change_nothing, set_up, tear_down),
		cmocka_unit_test_setup_teardown(a_sample_that_is_only_learned_from_is_not_added, set_up,
						tear_down),
		cmocka_unit_test_setup_teardown(what_is_not_finished_is_forgotten, set_up, tear_down),
	};

	return cmocka_run_group_tests_name("report/load/sample_batches", tests, NULL, NULL);
}
