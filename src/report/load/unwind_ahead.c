#include "report/load/unwind_ahead.h"

#include <assert.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/thread_pool.h"
#include "base/xalloc.h"
#include "format/mapped_file.h"

enum {
	CHUNK_REQUESTS = 16, /* some ten microseconds: few enough to be shared evenly */
	MOST_STALE_BYTES = 1 << 26,
	TOUCH_BYTES = 1 << 16, /* as many bytes as the kernel maps when one of them is read */
};

/* Requests that are unwound by one thread. */
struct chunk {
	bool done;
	struct unwind_frame *frames; /* of all its stacks */
	size_t frame_count, frame_capacity;
};

struct lane {
	struct unwind_ahead *ahead;
	struct dump_unwinder *unwinder;
};

struct batch {
	/*
	 * Written by the caller while no chunk is available; each chunk and its stacks by the thread that
	 * took it.
	 */
	const struct unwind_request *requests;
	size_t count;
	struct unwind_stack *stacks;
	size_t stack_capacity;
	struct chunk *chunks;
	size_t chunk_capacity;
	size_t known_done; /* chunks, from the first on, that the caller has seen done */
	size_t chunk_count, taken_chunks, done_chunks; /* with the lock, as each chunk's `done` */
};

struct unwind_ahead {
	struct dump_unwinder *own;
	struct lane *lanes;
	size_t lane_count;
	struct thread_pool *pool; /* a thread for each lane */
	struct batch batches[UNWIND_AHEAD_BATCHES];
	size_t oldest, begun; /* of batches[]: changed by the caller, with the lock */

	pthread_mutex_t lock; /* of what follows, too */
	pthread_cond_t work, progress;
	const uint8_t *following; /* NULL: nothing to read, or some thread does */
	size_t following_size;
	const uint8_t *stale; /* pages */
	size_t stale_size;    /* 0: none */
	bool over;

	atomic_uint changes; /* reading on stops when there is another batch */
};

static struct batch *batch_at(struct unwind_ahead *ahead, size_t number)
{
	return &ahead->batches[(ahead->oldest + number) % UNWIND_AHEAD_BATCHES];
}

/* --- unwinding ------------------------------------------------------------------ */

/* Frames are kept by their number in the chunk until it is done: their room may move. */
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

/* With the lock: the next chunk of the oldest batch that has one left; NULL: none has. */
static struct batch *next_chunk(struct unwind_ahead *ahead, size_t *number)
{
	for (size_t i = 0; i < ahead->begun; i++) {
		struct batch *batch = batch_at(ahead, i);

		if (batch->taken_chunks < batch->chunk_count) {
			*number = batch->taken_chunks++;
			return batch;
		}
	}
	return NULL;
}

/* With the lock, which is given up while a chunk is unwound. False: there is none. */
static bool take_chunk(struct unwind_ahead *ahead, struct dump_unwinder *unwinder)
{
	size_t number;
	struct batch *batch = next_chunk(ahead, &number);

	if (!batch)
		return false;
	pthread_mutex_unlock(&ahead->lock);
	unwind_chunk(batch, number, unwinder);
	pthread_mutex_lock(&ahead->lock);
	batch->chunks[number].done = true;
	batch->done_chunks++;
	pthread_cond_signal(&ahead->progress);
	return true;
}

/* --- reading on ------------------------------------------------------------------- */

/* With the lock, which is given up meanwhile. The kernel maps several pages when the first of them is read. */
static void read_on(struct unwind_ahead *ahead)
{
	const volatile uint8_t *bytes = ahead->following;
	const size_t size = ahead->following_size;
	const unsigned int changes = atomic_load(&ahead->changes);

	ahead->following = NULL;
	pthread_mutex_unlock(&ahead->lock);
	for (size_t at = 0; at < size && atomic_load(&ahead->changes) == changes; at += TOUCH_BYTES)
		(void)bytes[at];
	pthread_mutex_lock(&ahead->lock);
}

/* With the lock, which is given up meanwhile. */
static void release(struct unwind_ahead *ahead)
{
	const uint8_t *pages = ahead->stale;
	const size_t size_bytes = ahead->stale_size;

	ahead->stale_size = 0;
	pthread_mutex_unlock(&ahead->lock);
	mapped_pages_release(pages, size_bytes);
	pthread_mutex_lock(&ahead->lock);
}

static void run(void *context)
{
	struct lane *lane = context;
	struct unwind_ahead *ahead = lane->ahead;

	pthread_mutex_lock(&ahead->lock);
	while (!ahead->over) {
		if (take_chunk(ahead, lane->unwinder))
			continue;
		if (ahead->stale_size)
			release(ahead);
		else if (ahead->following)
			read_on(ahead);
		else
			pthread_cond_wait(&ahead->work, &ahead->lock);
	}
	pthread_mutex_unlock(&ahead->lock);
}

/* --- the caller -------------------------------------------------------------------- */

struct unwind_ahead *unwind_ahead_create(struct dump_unwinder *own, struct dump_unwinder **lanes,
					 size_t lane_count)
{
	struct unwind_ahead *ahead = xcalloc(1, sizeof(*ahead));

	ahead->own = own;
	ahead->lanes = xcalloc(lane_count + 1, sizeof(*ahead->lanes));
	pthread_mutex_init(&ahead->lock, NULL);
	pthread_cond_init(&ahead->work, NULL);
	pthread_cond_init(&ahead->progress, NULL);
	ahead->pool = thread_pool_create(lane_count);
	ahead->lane_count = thread_pool_threads(ahead->pool);
	for (size_t i = 0; ahead->lane_count && i < lane_count; i++) {
		if (i >= ahead->lane_count) {
			dump_unwinder_destroy(lanes[i]);
			continue;
		}
		ahead->lanes[i] = (struct lane){ .ahead = ahead, .unwinder = lanes[i] };
		thread_pool_submit(ahead->pool, run, &ahead->lanes[i]);
	}
	if (ahead->lane_count)
		return ahead;
	unwind_ahead_destroy(ahead);
	return NULL;
}

static void batch_fini(struct batch *batch)
{
	for (size_t i = 0; i < batch->chunk_capacity; i++)
		free(batch->chunks[i].frames);
	free(batch->chunks);
	free(batch->stacks);
}

void unwind_ahead_destroy(struct unwind_ahead *ahead)
{
	if (!ahead)
		return;
	pthread_mutex_lock(&ahead->lock);
	ahead->over = true;
	atomic_fetch_add(&ahead->changes, 1);
	pthread_cond_broadcast(&ahead->work);
	pthread_mutex_unlock(&ahead->lock);
	thread_pool_destroy(ahead->pool);
	for (size_t i = 0; i < ahead->lane_count; i++)
		dump_unwinder_destroy(ahead->lanes[i].unwinder);
	for (size_t i = 0; i < UNWIND_AHEAD_BATCHES; i++)
		batch_fini(&ahead->batches[i]);
	pthread_cond_destroy(&ahead->progress);
	pthread_cond_destroy(&ahead->work);
	pthread_mutex_destroy(&ahead->lock);
	free(ahead->lanes);
	free(ahead);
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

void unwind_ahead_begin(struct unwind_ahead *ahead, const struct unwind_request *requests, size_t count,
			const uint8_t *following, size_t following_size)
{
	struct batch *batch = batch_at(ahead, ahead->begun); /* not visible to other threads yet */

	assert(ahead->begun < UNWIND_AHEAD_BATCHES);
	batch->requests = requests;
	batch->count = count;
	batch->chunk_count = (count + CHUNK_REQUESTS - 1) / CHUNK_REQUESTS;
	batch->known_done = batch->taken_chunks = batch->done_chunks = 0;
	make_room(batch);
	pthread_mutex_lock(&ahead->lock);
	atomic_fetch_add(&ahead->changes, 1);
	ahead->begun++;
	ahead->following = following;
	ahead->following_size = following_size;
	pthread_cond_broadcast(&ahead->work);
	pthread_mutex_unlock(&ahead->lock);
}

void unwind_ahead_release(struct unwind_ahead *ahead, const uint8_t *pages, size_t size_bytes)
{
	pthread_mutex_lock(&ahead->lock);
	if (ahead->stale_size && ahead->stale + ahead->stale_size != pages)
		release(ahead); /* of another file */
	if (!ahead->stale_size)
		ahead->stale = pages;
	ahead->stale_size += size_bytes;
	if (ahead->stale_size > MOST_STALE_BYTES)
		release(ahead);
	else
		pthread_cond_signal(&ahead->work);
	pthread_mutex_unlock(&ahead->lock);
}

/* With the lock. Instead of waiting, the caller takes a chunk, too. */
static void help_or_wait(struct unwind_ahead *ahead)
{
	if (!take_chunk(ahead, ahead->own))
		pthread_cond_wait(&ahead->progress, &ahead->lock);
}

static void wait_for(struct unwind_ahead *ahead, struct batch *batch, size_t chunk)
{
	pthread_mutex_lock(&ahead->lock);
	while (!batch->chunks[chunk].done)
		help_or_wait(ahead);
	while (batch->known_done < batch->chunk_count && batch->chunks[batch->known_done].done)
		batch->known_done++;
	pthread_mutex_unlock(&ahead->lock);
}

const struct unwind_stack *unwind_ahead_stack(struct unwind_ahead *ahead, size_t number)
{
	struct batch *batch = batch_at(ahead, 0);
	const size_t chunk = number / CHUNK_REQUESTS;

	if (chunk >= batch->known_done)
		wait_for(ahead, batch, chunk);
	return &batch->stacks[number];
}

void unwind_ahead_end(struct unwind_ahead *ahead)
{
	struct batch *batch = batch_at(ahead, 0);

	assert(ahead->begun > 0);
	pthread_mutex_lock(&ahead->lock);
	while (batch->done_chunks < batch->chunk_count)
		help_or_wait(ahead);
	ahead->oldest = (ahead->oldest + 1) % UNWIND_AHEAD_BATCHES;
	ahead->begun--;
	pthread_mutex_unlock(&ahead->lock);
}
