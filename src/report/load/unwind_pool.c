/*
 * A batch is divided into chunks of 16 requests. A thread takes a chunk with the lock, unwinds it without, and marks it
 * done; the caller does so, too, while it has to wait. run() is the loop of a thread and shows its order: unwind, give
 * back pages, read ahead, sleep.
 */
#include "report/load/unwind_pool.h"

#include <assert.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/thread_pool.h"
#include "base/xalloc.h"
#include "format/mapped_file.h"

enum {
	CHUNK_REQUESTS = 16, /* some ten microseconds: few enough to share evenly */
	MOST_STALE_BYTES = 1 << 26,
	TOUCH_BYTES = 1 << 16, /* how many bytes the kernel maps when one of them is read */
};

/* Requests unwound by one thread. */
struct chunk {
	bool done;
	struct unwind_frame *frames; /* of all stacks in it */
	size_t frame_count, frame_capacity;
};

struct lane {
	struct unwind_pool *pool;
	struct dump_unwinder *unwinder;
};

struct batch {
	/* The caller writes these while no chunk is available. The thread that took a chunk writes the chunk and its stacks. */
	const struct unwind_request *requests;
	size_t count;
	struct unwind_stack *stacks;
	size_t stack_capacity;
	struct chunk *chunks;
	size_t chunk_capacity;
	size_t known_done; /* number of first chunks that the caller knows to be done */
	size_t chunk_count, taken_chunks, done_chunks; /* guarded by the lock, as each chunk's `done` */
};

struct unwind_pool {
	struct dump_unwinder *own;
	struct lane *lanes;
	size_t lane_count;
	struct thread_pool *threads; /* a thread for each lane */
	struct batch batches[UNWIND_POOL_BATCHES];
	size_t oldest, begun; /* range of batches[]; only the caller changes it, with the lock held */

	pthread_mutex_t lock; /* also guards the fields below */
	pthread_cond_t work, progress;
	const uint8_t *following; /* to be read ahead; NULL: none, or a thread already reads it */
	size_t following_size;
	const uint8_t *stale; /* pages to give back */
	size_t stale_size;    /* 0: none */
	bool over;

	atomic_uint changes; /* reading ahead stops when this changes: another batch has come */
};

static struct batch *batch_at(struct unwind_pool *pool, size_t number)
{
	return &pool->batches[(pool->oldest + number) % UNWIND_POOL_BATCHES];
}

/* --- unwinding ------------------------------------------------------------------ */

/* Until the chunk is done, frames are known by number only, since the array may move. */
static void keep_stack(struct chunk *chunk, struct unwind_stack *kept, const struct unwind_stack *stack)
{
	*kept = *stack;
	kept->frames = NULL;
	chunk->frames = array_grow(chunk->frames, &chunk->frame_capacity, chunk->frame_count + stack->count,
				   sizeof(*chunk->frames));
	memcpy(chunk->frames + chunk->frame_count, stack->frames, stack->count * sizeof(*stack->frames));
	chunk->frame_count += stack->count;
}

static void prefetch(const struct batch *batch, size_t number, const struct dump_unwinder *unwinder)
{
	if (number + 1 < batch->count && batch->requests[number + 1].sample)
		dump_unwinder_prefetch_stack(unwinder, batch->requests[number + 1].sample);
	if (number + 2 < batch->count && batch->requests[number + 2].sample)
		dump_unwinder_prefetch_registers(batch->requests[number + 2].sample);
}

static void unwind_chunk(struct batch *batch, size_t number, struct dump_unwinder *unwinder)
{
	struct chunk *chunk = &batch->chunks[number];
	const size_t first = number * CHUNK_REQUESTS;
	const size_t end = first + CHUNK_REQUESTS < batch->count ? first + CHUNK_REQUESTS : batch->count;
	size_t frame = 0;

	chunk->frame_count = 0;
	for (size_t i = first; i < end; i++) {
		const struct unwind_request *request = &batch->requests[i];
		const struct unwind_stack *stack = NULL;

		batch->stacks[i] = (struct unwind_stack){ .count = 0 };
		prefetch(batch, i, unwinder);
		if (request->sample)
			stack = dump_unwinder_walk(unwinder, request->sample, &request->state,
						   request->time_ns, false);
		if (stack)
			keep_stack(chunk, &batch->stacks[i], stack);
	}
	for (size_t i = first; i < end; i++) {
		batch->stacks[i].frames = chunk->frames ? chunk->frames + frame : NULL;
		batch->stacks[i].capacity = batch->stacks[i].count;
		frame += batch->stacks[i].count;
	}
}

/* Needs the lock. The next chunk of the oldest batch that has one left; NULL if none has. */
static struct batch *next_chunk(struct unwind_pool *pool, size_t *number)
{
	for (size_t i = 0; i < pool->begun; i++) {
		struct batch *batch = batch_at(pool, i);

		if (batch->taken_chunks < batch->chunk_count) {
			*number = batch->taken_chunks++;
			return batch;
		}
	}
	return NULL;
}

/* Needs the lock, and releases it while unwinding. False if there is no chunk. */
static bool take_chunk(struct unwind_pool *pool, struct dump_unwinder *unwinder)
{
	size_t number;
	struct batch *batch = next_chunk(pool, &number);

	if (!batch)
		return false;
	pthread_mutex_unlock(&pool->lock);
	unwind_chunk(batch, number, unwinder);
	pthread_mutex_lock(&pool->lock);
	batch->chunks[number].done = true;
	batch->done_chunks++;
	pthread_cond_signal(&pool->progress);
	return true;
}

/* --- reading ahead ---------------------------------------------------------------- */

/* Needs the lock, and releases it meanwhile. The kernel maps several pages when the first of them is read. */
static void read_on(struct unwind_pool *pool)
{
	const volatile uint8_t *bytes = pool->following;
	const size_t size = pool->following_size;
	const unsigned int changes = atomic_load(&pool->changes);

	pool->following = NULL;
	pthread_mutex_unlock(&pool->lock);
	for (size_t at = 0; at < size && atomic_load(&pool->changes) == changes; at += TOUCH_BYTES)
		(void)bytes[at];
	pthread_mutex_lock(&pool->lock);
}

/* Needs the lock, and releases it meanwhile. */
static void release(struct unwind_pool *pool)
{
	const uint8_t *pages = pool->stale;
	const size_t size_bytes = pool->stale_size;

	pool->stale_size = 0;
	pthread_mutex_unlock(&pool->lock);
	mapped_pages_release(pages, size_bytes);
	pthread_mutex_lock(&pool->lock);
}

static void run(void *context)
{
	struct lane *lane = context;
	struct unwind_pool *pool = lane->pool;

	pthread_mutex_lock(&pool->lock);
	while (!pool->over) {
		if (take_chunk(pool, lane->unwinder))
			continue;
		if (pool->stale_size)
			release(pool);
		else if (pool->following)
			read_on(pool);
		else
			pthread_cond_wait(&pool->work, &pool->lock);
	}
	pthread_mutex_unlock(&pool->lock);
}

/* --- the caller -------------------------------------------------------------------- */

struct unwind_pool *unwind_pool_create(struct dump_unwinder *own, struct dump_unwinder **lanes,
				       size_t lane_count)
{
	struct unwind_pool *pool = xcalloc(1, sizeof(*pool));

	pool->own = own;
	pool->lanes = xcalloc(lane_count + 1, sizeof(*pool->lanes));
	pthread_mutex_init(&pool->lock, NULL);
	pthread_cond_init(&pool->work, NULL);
	pthread_cond_init(&pool->progress, NULL);
	pool->threads = thread_pool_create(lane_count);
	pool->lane_count = thread_pool_threads(pool->threads);
	for (size_t i = 0; pool->lane_count && i < lane_count; i++) {
		if (i >= pool->lane_count) {
			dump_unwinder_destroy(lanes[i]);
			continue;
		}
		pool->lanes[i] = (struct lane){ .pool = pool, .unwinder = lanes[i] };
		thread_pool_submit(pool->threads, run, &pool->lanes[i]);
	}
	if (pool->lane_count)
		return pool;
	unwind_pool_destroy(pool);
	return NULL;
}

static void batch_fini(struct batch *batch)
{
	for (size_t i = 0; i < batch->chunk_capacity; i++)
		free(batch->chunks[i].frames);
	free(batch->chunks);
	free(batch->stacks);
}

void unwind_pool_destroy(struct unwind_pool *pool)
{
	if (!pool)
		return;
	pthread_mutex_lock(&pool->lock);
	pool->over = true;
	atomic_fetch_add(&pool->changes, 1);
	pthread_cond_broadcast(&pool->work);
	pthread_mutex_unlock(&pool->lock);
	thread_pool_destroy(pool->threads);
	for (size_t i = 0; i < pool->lane_count; i++)
		dump_unwinder_destroy(pool->lanes[i].unwinder);
	for (size_t i = 0; i < UNWIND_POOL_BATCHES; i++)
		batch_fini(&pool->batches[i]);
	pthread_cond_destroy(&pool->progress);
	pthread_cond_destroy(&pool->work);
	pthread_mutex_destroy(&pool->lock);
	free(pool->lanes);
	free(pool);
}

static void make_room(struct batch *batch)
{
	const size_t old = batch->chunk_capacity;

	batch->stacks =
		array_grow(batch->stacks, &batch->stack_capacity, batch->count, sizeof(*batch->stacks));
	batch->chunks =
		array_grow(batch->chunks, &batch->chunk_capacity, batch->chunk_count, sizeof(*batch->chunks));
	if (batch->chunk_capacity > old)
		memset(batch->chunks + old, 0, (batch->chunk_capacity - old) * sizeof(*batch->chunks));
	for (size_t i = 0; i < batch->chunk_count; i++)
		batch->chunks[i].done = false;
}

void unwind_pool_begin(struct unwind_pool *pool, const struct unwind_request *requests, size_t count,
		       const uint8_t *following, size_t following_size)
{
	struct batch *batch = batch_at(pool, pool->begun); /* not yet visible to other threads */

	assert(pool->begun < UNWIND_POOL_BATCHES);
	batch->requests = requests;
	batch->count = count;
	batch->chunk_count = (count + CHUNK_REQUESTS - 1) / CHUNK_REQUESTS;
	batch->known_done = batch->taken_chunks = batch->done_chunks = 0;
	make_room(batch);
	pthread_mutex_lock(&pool->lock);
	atomic_fetch_add(&pool->changes, 1);
	pool->begun++;
	pool->following = following;
	pool->following_size = following_size;
	pthread_cond_broadcast(&pool->work);
	pthread_mutex_unlock(&pool->lock);
}

void unwind_pool_release(struct unwind_pool *pool, const uint8_t *pages, size_t size_bytes)
{
	pthread_mutex_lock(&pool->lock);
	if (pool->stale_size && pool->stale + pool->stale_size != pages)
		release(pool); /* pages of another file */
	if (!pool->stale_size)
		pool->stale = pages;
	pool->stale_size += size_bytes;
	if (pool->stale_size > MOST_STALE_BYTES)
		release(pool);
	else
		pthread_cond_signal(&pool->work);
	pthread_mutex_unlock(&pool->lock);
}

/* Needs the lock. Takes a chunk if there is one, instead of waiting. */
static void help_or_wait(struct unwind_pool *pool)
{
	if (!take_chunk(pool, pool->own))
		pthread_cond_wait(&pool->progress, &pool->lock);
}

static void wait_for(struct unwind_pool *pool, struct batch *batch, size_t chunk)
{
	pthread_mutex_lock(&pool->lock);
	while (!batch->chunks[chunk].done)
		help_or_wait(pool);
	while (batch->known_done < batch->chunk_count && batch->chunks[batch->known_done].done)
		batch->known_done++;
	pthread_mutex_unlock(&pool->lock);
}

const struct unwind_stack *unwind_pool_stack(struct unwind_pool *pool, size_t number)
{
	struct batch *batch = batch_at(pool, 0);
	const size_t chunk = number / CHUNK_REQUESTS;

	if (chunk >= batch->known_done)
		wait_for(pool, batch, chunk);
	return &batch->stacks[number];
}

void unwind_pool_end(struct unwind_pool *pool)
{
	struct batch *batch = batch_at(pool, 0);

	assert(pool->begun > 0);
	pthread_mutex_lock(&pool->lock);
	while (batch->done_chunks < batch->chunk_count)
		help_or_wait(pool);
	pool->oldest = (pool->oldest + 1) % UNWIND_POOL_BATCHES;
	pool->begun--;
	pthread_mutex_unlock(&pool->lock);
}
