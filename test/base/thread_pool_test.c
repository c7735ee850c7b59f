#include "base/thread_pool.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "support/cmocka.h"

static void add_up(void *context)
{
	uint64_t *sum = context;

	for (uint64_t i = 1; i <= 1000; i++)
		*sum += i;
}

static void all_tasks_are_done_when_they_were_waited_for(void **state)
{
	(void)state;
	for (size_t threads = 0; threads < 4; threads++) {
		struct thread_pool *pool = thread_pool_create(threads);
		uint64_t sums[100] = { 0 };

		for (size_t i = 0; i < 100; i++)
			thread_pool_submit(pool, add_up, &sums[i]);
		thread_pool_wait(pool);
		for (size_t i = 0; i < 100; i++)
			assert_int_equal(sums[i], 500500);
		thread_pool_submit(pool, add_up, &sums[7]);
		thread_pool_wait(pool);
		thread_pool_wait(pool);
		assert_int_equal(sums[7], 1001000);
		thread_pool_destroy(pool);
	}
}

static void destroying_a_pool_waits_for_its_tasks(void **state)
{
	uint64_t sums[20] = { 0 };
	struct thread_pool *pool = thread_pool_create(2);

	(void)state;
	for (size_t i = 0; i < 20; i++)
		thread_pool_submit(pool, add_up, &sums[i]);
	thread_pool_destroy(pool);
	for (size_t i = 0; i < 20; i++)
		assert_int_equal(sums[i], 500500);
	thread_pool_wait(NULL);
	thread_pool_destroy(NULL);
}

struct order {
	size_t count, items[50];
};

struct ordered {
	struct order *order;
	size_t number;
};

static void note(void *context)
{
	const struct ordered *item = context;

	item->order->items[item->order->count++] = item->number;
}

static void one_thread_does_tasks_in_the_order_of_submission(void **state)
{
	struct thread_pool *pool = thread_pool_create(1);
	struct order order = { .count = 0 };
	struct ordered items[50];

	(void)state;
	for (size_t i = 0; i < 50; i++) {
		items[i] = (struct ordered){ &order, i };
		thread_pool_submit(pool, note, &items[i]);
	}
	thread_pool_wait(pool);
	assert_int_equal(order.count, 50);
	for (size_t i = 0; i < 50; i++)
		assert_int_equal(order.items[i], i);
	thread_pool_destroy(pool);
}

/* Two tasks that wait for each other, so each needs a thread of its own. */
static void wait_for_partner(void *context)
{
	pthread_barrier_wait(context);
}

static void a_pool_of_two_does_two_tasks_at_once(void **state)
{
	struct thread_pool *pool = thread_pool_create(2);
	pthread_barrier_t both;

	(void)state;
	assert_int_equal(thread_pool_threads(pool), 2);
	pthread_barrier_init(&both, NULL, 2);
	thread_pool_submit(pool, wait_for_partner, &both);
	thread_pool_submit(pool, wait_for_partner, &both);
	thread_pool_destroy(pool);
	pthread_barrier_destroy(&both);
}

static void count_item(void *context, size_t item)
{
	atomic_uint *counts = context;

	atomic_fetch_add(&counts[item], 1);
}

static void parallel_for_does_each_item_once(void **state)
{
	(void)state;
	for (size_t threads = 0; threads < 5; threads++) {
		atomic_uint counts[1000] = { 0 };

		parallel_for(999, threads, count_item, counts);
		for (size_t i = 0; i < 999; i++)
			assert_int_equal(counts[i], 1);
		assert_int_equal(counts[999], 0);
		parallel_for(0, threads, count_item, counts);
		assert_int_equal(counts[0], 1);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(all_tasks_are_done_when_they_were_waited_for),
		cmocka_unit_test(destroying_a_pool_waits_for_its_tasks),
		cmocka_unit_test(one_thread_does_tasks_in_the_order_of_submission),
		cmocka_unit_test(a_pool_of_two_does_two_tasks_at_once),
		cmocka_unit_test(parallel_for_does_each_item_once),
	};

	return cmocka_run_group_tests_name("base/thread_pool", tests, NULL, NULL);
}
