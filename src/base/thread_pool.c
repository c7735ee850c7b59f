/* A queue of tasks, and the threads that take them out: see thread_pool.h. */
#include "base/thread_pool.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>

#include "base/usable_cpus.h"
#include "base/xalloc.h"

struct task {
	thread_pool_work *work;
	void *context;
};

struct thread_pool {
	pthread_t *threads;
	size_t thread_count;

	pthread_mutex_t lock; /* protects the members below */
	pthread_cond_t submitted, finished;
	struct task *tasks; /* in the order of submission */
	size_t task_count, task_capacity;
	size_t taken, done;
	bool closing;
};

/* Returns false if no more tasks will come. Called with the lock held. */
static bool wait_for_task(struct thread_pool *pool)
{
	while (pool->taken == pool->task_count && !pool->closing)
		pthread_cond_wait(&pool->submitted, &pool->lock);
	return pool->taken < pool->task_count;
}

static void *run(void *argument)
{
	struct thread_pool *pool = argument;

	pthread_mutex_lock(&pool->lock);
	while (wait_for_task(pool)) {
		const struct task task = pool->tasks[pool->taken++];

		pthread_mutex_unlock(&pool->lock);
		task.work(task.context);
		pthread_mutex_lock(&pool->lock);
		pool->done++;
		pthread_cond_signal(&pool->finished);
	}
	pthread_mutex_unlock(&pool->lock);
	return NULL;
}

struct thread_pool *thread_pool_create(size_t threads)
{
	struct thread_pool *pool = xcalloc(1, sizeof(*pool));

	pool->threads = xcalloc(threads + 1, sizeof(*pool->threads));
	pthread_mutex_init(&pool->lock, NULL);
	pthread_cond_init(&pool->submitted, NULL);
	pthread_cond_init(&pool->finished, NULL);
	while (pool->thread_count < threads &&
	       pthread_create(&pool->threads[pool->thread_count], NULL, run, pool) == 0)
		pool->thread_count++;
	return pool;
}

size_t thread_pool_threads(const struct thread_pool *pool)
{
	return pool->thread_count;
}

void thread_pool_submit(struct thread_pool *pool, thread_pool_work *work, void *context)
{
	if (!pool->thread_count) {
		work(context);
		return;
	}
	pthread_mutex_lock(&pool->lock);
	if (pool->taken == pool->task_count && pool->done == pool->taken)
		pool->taken = pool->done = pool->task_count = 0;
	*ARRAY_ADD(pool->tasks, pool->task_count, pool->task_capacity) = (struct task){ work, context };
	pthread_cond_signal(&pool->submitted);
	pthread_mutex_unlock(&pool->lock);
}

void thread_pool_wait(struct thread_pool *pool)
{
	if (!pool)
		return;
	pthread_mutex_lock(&pool->lock);
	while (pool->done < pool->task_count)
		pthread_cond_wait(&pool->finished, &pool->lock);
	pthread_mutex_unlock(&pool->lock);
}

void thread_pool_destroy(struct thread_pool *pool)
{
	if (!pool)
		return;
	pthread_mutex_lock(&pool->lock);
	pool->closing = true;
	pthread_cond_broadcast(&pool->submitted);
	pthread_mutex_unlock(&pool->lock);
	for (size_t i = 0; i < pool->thread_count; i++)
		pthread_join(pool->threads[i], NULL);
	pthread_cond_destroy(&pool->finished);
	pthread_cond_destroy(&pool->submitted);
	pthread_mutex_destroy(&pool->lock);
	free(pool->tasks);
	free(pool->threads);
	free(pool);
}

struct loop {
	atomic_size_t next;
	size_t count;
	parallel_for_work *work;
	void *context;
};

static void do_items(void *argument)
{
	struct loop *loop = argument;
	size_t item;

	while ((item = atomic_fetch_add(&loop->next, 1)) < loop->count)
		loop->work(loop->context, item);
}

void parallel_for(size_t count, size_t max_threads, parallel_for_work *work, void *context)
{
	struct loop loop = { .count = count, .work = work, .context = context };
	const size_t cpus = usable_cpus();
	size_t threads = count < max_threads ? count : max_threads;
	struct thread_pool *pool;

	if (threads > cpus)
		threads = cpus;
	pool = threads > 1 ? thread_pool_create(threads - 1) : NULL;
	for (size_t i = 0; pool && i < thread_pool_threads(pool); i++)
		thread_pool_submit(pool, do_items, &loop);
	do_items(&loop);
	thread_pool_destroy(pool);
}
