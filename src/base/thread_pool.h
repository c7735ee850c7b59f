#ifndef XPROF_BASE_THREAD_POOL_H
#define XPROF_BASE_THREAD_POOL_H

/*
 * All threads of this program are started here. A pool belongs to the thread that created it. Until thread_pool_wait() returns,
 * the caller must not touch what a task works on.
 *
 *	struct thread_pool *pool = thread_pool_create(1);
 *	thread_pool_submit(pool, write_header, &header);
 *	draw_table();
 *	thread_pool_wait(pool);
 */

#include <stddef.h>

struct thread_pool;

typedef void thread_pool_work(void *context);

/* Starts `threads` threads, or fewer if the system refuses more. */
struct thread_pool *thread_pool_create(size_t threads);
size_t thread_pool_threads(const struct thread_pool *pool);

/*
 * Queues a task; tasks begin in the order in which they are submitted. In a pool without threads, runs the task before
 * returning.
 */
void thread_pool_submit(struct thread_pool *pool, thread_pool_work *work, void *context);

/* Waits until all tasks are done. May be NULL. */
void thread_pool_wait(struct thread_pool *pool);

/* Waits until all tasks are done, then ends the threads. May be NULL. */
void thread_pool_destroy(struct thread_pool *pool);

typedef void parallel_for_work(void *context, size_t item);

/*
 * Processes items [0, count) on one thread per CPU, at most `max_threads`, the calling thread included. Items
 * must not write to shared data. Starting a thread pays off from some tens of microseconds of work on.
 */
void parallel_for(size_t count, size_t max_threads, parallel_for_work *work, void *context);

#endif
