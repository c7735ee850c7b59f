#include "report/load/unwind_pool.h"

#include <linux/perf_event.h>
#include <pthread.h>
#include <sched.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/xalloc.h"
#include "report/load/recorded_modules.h"
#include "support/cmocka.h"
#include "support/dumped_sample.h"

enum { BATCH = 700, LANES = 3 };

static struct fixture {
	pthread_mutex_t lock;
	struct process_table *processes;
	struct debug_file_search search;
	struct dso_modules *modules;
	struct perf_features features;
	struct dump_unwinder *own;
	struct unwind_pool *pool;
	struct dumped_sample *samples;
	struct unwind_request requests[UNWIND_POOL_BATCHES][BATCH];
} fixture;

static struct dump_unwinder *make_unwinder(void)
{
	return dump_unwinder_create(&(struct dump_unwinder_source){ .processes = fixture.processes,
								    .modules = fixture.modules,
								    .features = &fixture.features,
								    .lock = &fixture.lock },
				    NULL);
}

static int set_up(void **state)
{
	struct dump_unwinder *lanes[LANES];

	fixture = (struct fixture){ .processes = process_table_create() };
	fixture.features.arch = (char *)(uintptr_t) "x86_64";
	pthread_mutex_init(&fixture.lock, NULL);
	fixture.modules = recorded_modules_create(&fixture.search);
	fixture.own = make_unwinder();
	for (size_t i = 0; i < LANES; i++)
		lanes[i] = make_unwinder();
	fixture.pool = unwind_pool_create(fixture.own, lanes, LANES);
	fixture.samples = xcalloc((size_t)UNWIND_POOL_BATCHES * BATCH, sizeof(*fixture.samples));
	*state = &fixture;
	return fixture.pool ? 0 : -1;
}

static int tear_down(void **state)
{
	(void)state;
	unwind_pool_destroy(fixture.pool);
	dump_unwinder_destroy(fixture.own);
	dso_modules_destroy(fixture.modules);
	process_table_destroy(fixture.processes);
	pthread_mutex_destroy(&fixture.lock);
	free(fixture.samples);
	return 0;
}

static uint64_t pc_of(size_t batch, size_t number)
{
	return 0x400000 + batch * BATCH + number;
}

static void ask(struct unwind_request *requests, size_t batch, size_t number)
{
	struct dumped_sample *dumped = &fixture.samples[(batch % UNWIND_POOL_BATCHES) * BATCH + number];

	dumped_sample_init(dumped, pc_of(batch, number));
	requests[number] = (struct unwind_request){ .sample = &dumped->sample };
}

static void begin(size_t batch, size_t count)
{
	struct unwind_request *requests = fixture.requests[batch % UNWIND_POOL_BATCHES];

	for (size_t i = 0; i < count; i++)
		ask(requests, batch, i);
	unwind_pool_begin(fixture.pool, requests, count, NULL, 0);
}

static void take_all(size_t batch, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		const struct unwind_stack *stack = unwind_pool_stack(fixture.pool, i);

		assert_int_equal(stack->count, 1);
		assert_int_equal(stack->frames[0].address, pc_of(batch, i));
	}
	unwind_pool_end(fixture.pool);
}

static size_t count_of(size_t batch)
{
	return batch % 2 ? BATCH : batch; /* sometimes none */
}

static void every_sample_gets_its_own_stack(void **state)
{
	(void)state;
	for (size_t batch = 0; batch < 200; batch++) {
		begin(batch, count_of(batch));
		take_all(batch, count_of(batch));
	}
}

static void batches_are_unwound_while_those_before_are_taken(void **state)
{
	enum { COUNT = 200 };

	(void)state;
	for (size_t batch = 0; batch < COUNT + UNWIND_POOL_BATCHES - 1; batch++) {
		const size_t oldest = batch + 1 - UNWIND_POOL_BATCHES;

		if (batch < COUNT)
			begin(batch, count_of(batch));
		if (batch + 1 >= UNWIND_POOL_BATCHES)
			take_all(oldest, count_of(oldest));
	}
}

static uint8_t *written_pages(size_t size_bytes)
{
	uint8_t *pages = mmap(NULL, size_bytes, PROT_READ | PROT_WRITE,
			      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

	assert_ptr_not_equal(pages, MAP_FAILED);
	pages[0] = pages[size_bytes - 1] = 1;
	return pages;
}

/* Whether pages, which belong to no file, were given back: they are zero again then. */
static bool is_given_back(const volatile uint8_t *pages, size_t size_bytes)
{
	return pages[0] == 0 && pages[size_bytes - 1] == 0;
}

static void pages_are_given_back_when_there_is_nothing_to_unwind(void **state)
{
	enum { SIZE = 1 << 20, LARGE = 65 << 20 };
	uint8_t *pages = written_pages(SIZE), *others = written_pages(LARGE);

	(void)state;
	pages[SIZE / 2] = 1;
	unwind_pool_release(fixture.pool, pages, SIZE / 2);
	unwind_pool_release(fixture.pool, pages + SIZE / 2, SIZE / 2);
	unwind_pool_release(fixture.pool, others,
			    LARGE); /* given back at once: too large to wait for a thread */
	assert_true(is_given_back(others, LARGE));
	alarm(60);
	while (!is_given_back(pages, SIZE) || ((volatile uint8_t *)pages)[SIZE / 2])
		sched_yield();
	alarm(0);
	munmap(pages, SIZE);
	munmap(others, LARGE);
}

static void what_cannot_be_unwound_has_no_frames(void **state)
{
	(void)state;
	for (size_t i = 0; i < 3; i++)
		ask(fixture.requests[0], 0, i);
	fixture.samples[0].sample.user_regs_mask = 0xff; /* without the pc */
	fixture.requests[0][1].sample = NULL;            /* its stack is never requested */
	unwind_pool_begin(fixture.pool, fixture.requests[0], 3, NULL, 0);
	assert_int_equal(unwind_pool_stack(fixture.pool, 0)->count, 0);
	assert_int_equal(unwind_pool_stack(fixture.pool, 2)->count, 1);
	unwind_pool_end(fixture.pool);
}

static void where_nothing_can_be_unwound_there_are_no_frames_at_all(void **state)
{
	(void)state;
	ask(fixture.requests[0], 0, 0);
	fixture.samples[0].sample.user_regs_mask = 0xff; /* without the pc */
	unwind_pool_begin(fixture.pool, fixture.requests[0], 1, NULL, 0);
	assert_int_equal(unwind_pool_stack(fixture.pool, 0)->count, 0);
	assert_null(unwind_pool_stack(fixture.pool, 0)->frames);
	unwind_pool_end(fixture.pool);
}

/* The caller may stop before it has taken everything, and while a thread still reads ahead. */
static void a_batch_may_end_without_being_taken(void **state)
{
	static const uint8_t following[1 << 20];

	(void)state;
	for (size_t batch = 0; batch < 50; batch++) {
		for (size_t i = 0; i < BATCH; i++)
			ask(fixture.requests[0], batch, i);
		unwind_pool_begin(fixture.pool, fixture.requests[0], BATCH, following, sizeof(following));
		assert_int_equal(unwind_pool_stack(fixture.pool, BATCH - 1)->frames[0].address,
				 pc_of(batch, BATCH - 1));
		unwind_pool_end(fixture.pool);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(every_sample_gets_its_own_stack, set_up, tear_down),
		cmocka_unit_test_setup_teardown(pages_are_given_back_when_there_is_nothing_to_unwind, set_up,
						tear_down),
		cmocka_unit_test_setup_teardown(batches_are_unwound_while_those_before_are_taken, set_up,
						tear_down),
		cmocka_unit_test_setup_teardown(what_cannot_be_unwound_has_no_frames, set_up, tear_down),
		cmocka_unit_test_setup_teardown(where_nothing_can_be_unwound_there_are_no_frames_at_all,
						set_up, tear_down),
		cmocka_unit_test_setup_teardown(a_batch_may_end_without_being_taken, set_up, tear_down),
	};

	return cmocka_run_group_tests_name("report/load/unwind_pool", tests, NULL, NULL);
}
