#include "report/unwind_ahead.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"

enum {
	CHUNK_REQUESTS = 16, /* some ten microseconds: few enough to be shared evenly */
	TOUCH_BYTES = 4096,
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
	pthread_t thread;
};

struct unwind_ahead {
	struct dump_unwinder *own;
	struct lane *lanes;
	size_t lane_count;

	/* Of a batch: written by who asks while no chunk is to be had, and each chunk and its stacks by who has it. */
	const struct unwind_request *requests;
	size_t count;
	struct unwind_stack *stacks;
	size_t stack_capacity;
	struct chunk *chunks;
	size_t chunk_capacity;
	size_t known_done; /* chunks, from the first on, that who asks has seen done */

	pthread_mutex_t lock; /* of what follows, and of `done` */
	pthread_cond_t work, progress;
	size_t chunk_count, taken_chunks, done_chunks;
	const uint8_t *following; /* NULL: nothing to read, or some thread does */
	size_t following_size;
	bool over;

	atomic_uint batch; /* its number: reading on stops when there is another */
};

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

static void prefetch(const struct unwind_ahead *ahead, size_t number, const struct dump_unwinder *unwinder)
{
	if (number + 1 < ahead->count && ahead->requests[number + 1].sample)
		dump_unwinder_prefetch_stack(unwinder, ahead->requests[number + 1].sample);
	if (number + 2 < ahead->count && ahead->requests[number + 2].sample)
		dump_unwinder_prefetch_registers(ahead->requests[number + 2].sample);
}

static void unwind_chunk(struct unwind_ahead *ahead, size_t number, struct dump_unwinder *unwinder)
{
	struct chunk *chunk = &ahead->chunks[number];
	const size_t first = number * CHUNK_REQUESTS;
	const size_t end = first + CHUNK_REQUESTS < ahead->count ? first + CHUNK_REQUESTS : ahead->count;
	size_t frame = 0;

	chunk->frame_count = 0;
	for (size_t i = first; i < end; i++) {
		const struct unwind_request *request = &ahead->requests[i];
		const struct unwind_stack *stack = NULL;

		ahead->stacks[i] = (struct unwind_stack){ .count = 0 };
		prefetch(ahead, i, unwinder);
		if (request->sample)
			stack = dump_unwinder_walk(unwinder, request->sample, &request->state,
						   request->time_ns, false);
		if (stack)
			keep_stack(chunk, &ahead->stacks[i], stack);
	}
	for (size_t i = first; i < end; i++) {
		ahead->stacks[i].frames = chunk->frames + frame;
		ahead->stacks[i].capacity = ahead->stacks[i].count;
		frame += ahead->stacks[i].count;
	}
}

/* With the lock, which is given up while the chunk is unwound. */
static void take_chunk(struct unwind_ahead *ahead, struct dump_unwinder *unwinder)
{
	const size_t number = ahead->taken_chunks++;

	pthread_mutex_unlock(&ahead->lock);
	unwind_chunk(ahead, number, unwinder);
	pthread_mutex_lock(&ahead->lock);
	ahead->chunks[number].done = true;
	ahead->done_chunks++;
	pthread_cond_signal(&ahead->progress);
}

/* --- reading on ------------------------------------------------------------------- */

/* With the lock, which is given up meanwhile. The kernel maps several pages when the first of them is read. */
static void read_on(struct unwind_ahead *ahead)
{
	const volatile uint8_t *bytes = ahead->following;
	const size_t size = ahead->following_size;
	const unsigned int batch = atomic_load(&ahead->batch);

	ahead->following = NULL;
	pthread_mutex_unlock(&ahead->lock);
	for (size_t at = 0; at < size && atomic_load(&ahead->batch) == batch; at += TOUCH_BYTES)
		(void)bytes[at];
	pthread_mutex_lock(&ahead->lock);
}

static void *run(void *context)
{
	struct lane *lane = context;
	struct unwind_ahead *ahead = lane->ahead;

	pthread_mutex_lock(&ahead->lock);
	while (!ahead->over) {
		if (ahead->taken_chunks < ahead->chunk_count)
			take_chunk(ahead, lane->unwinder);
		else if (ahead->following)
			read_on(ahead);
		else
			pthread_cond_wait(&ahead->work, &ahead->lock);
	}
	pthread_mutex_unlock(&ahead->lock);
	return NULL;
}

/* --- who asks ---------------------------------------------------------------------- */

struct unwind_ahead *unwind_ahead_create(struct dump_unwinder *own, struct dump_unwinder **lanes,
					 size_t lane_count)
{
	struct unwind_ahead *ahead = xcalloc(1, sizeof(*ahead));

	ahead->own = own;
	ahead->lanes = xcalloc(lane_count + 1, sizeof(*ahead->lanes));
	pthread_mutex_init(&ahead->lock, NULL);
	pthread_cond_init(&ahead->work, NULL);
	pthread_cond_init(&ahead->progress, NULL);
	for (size_t i = 0; i < lane_count; i++) {
		struct lane *lane = &ahead->lanes[ahead->lane_count];

		*lane = (struct lane){ .ahead = ahead, .unwinder = lanes[i] };
		if (pthread_create(&lane->thread, NULL, run, lane) == 0)
			ahead->lane_count++;
		else if (ahead->lane_count)
			dump_unwinder_destroy(lanes[i]);
		else
			break;
	}
	if (ahead->lane_count)
		return ahead;
	unwind_ahead_destroy(ahead);
	return NULL;
}

void unwind_ahead_destroy(struct unwind_ahead *ahead)
{
	if (!ahead)
		return;
	pthread_mutex_lock(&ahead->lock);
	ahead->over = true;
	atomic_fetch_add(&ahead->batch, 1);
	pthread_cond_broadcast(&ahead->work);
	pthread_mutex_unlock(&ahead->lock);
	for (size_t i = 0; i < ahead->lane_count; i++) {
		pthread_join(ahead->lanes[i].thread, NULL);
		dump_unwinder_destroy(ahead->lanes[i].unwinder);
	}
	for (size_t i = 0; i < ahead->chunk_capacity; i++)
		free(ahead->chunks[i].frames);
	pthread_cond_destroy(&ahead->progress);
	pthread_cond_destroy(&ahead->work);
	pthread_mutex_destroy(&ahead->lock);
	free(ahead->chunks);
	free(ahead->stacks);
	free(ahead->lanes);
	free(ahead);
}

static void make_room(struct unwind_ahead *ahead, size_t chunk_count)
{
	const size_t old = ahead->chunk_capacity;

	ahead->stacks =
		array_grow(ahead->stacks, &ahead->stack_capacity, ahead->count, sizeof(*ahead->stacks));
	ahead->chunks =
		array_grow(ahead->chunks, &ahead->chunk_capacity, chunk_count, sizeof(*ahead->chunks));
	if (ahead->chunk_capacity > old)
		memset(ahead->chunks + old, 0, (ahead->chunk_capacity - old) * sizeof(*ahead->chunks));
	for (size_t i = 0; i < chunk_count; i++)
		ahead->chunks[i].done = false;
}

void unwind_ahead_begin(struct unwind_ahead *ahead, const struct unwind_request *requests, size_t count,
			const uint8_t *following, size_t following_size)
{
	const size_t chunk_count = (count + CHUNK_REQUESTS - 1) / CHUNK_REQUESTS;

	ahead->requests = requests;
	ahead->count = count;
	ahead->known_done = 0;
	make_room(ahead, chunk_count);
	pthread_mutex_lock(&ahead->lock);
	atomic_fetch_add(&ahead->batch, 1);
	ahead->chunk_count = chunk_count;
	ahead->taken_chunks = ahead->done_chunks = 0;
	ahead->following = following;
	ahead->following_size = following_size;
	pthread_cond_broadcast(&ahead->work);
	pthread_mutex_unlock(&ahead->lock);
}

/* With the lock. Instead of waiting, who asks takes a chunk, too. */
static void help_or_wait(struct unwind_ahead *ahead)
{
	if (ahead->taken_chunks < ahead->chunk_count)
		take_chunk(ahead, ahead->own);
	else
		pthread_cond_wait(&ahead->progress, &ahead->lock);
}

static void wait_for(struct unwind_ahead *ahead, size_t chunk)
{
	pthread_mutex_lock(&ahead->lock);
	while (!ahead->chunks[chunk].done)
		help_or_wait(ahead);
	while (ahead->known_done < ahead->chunk_count && ahead->chunks[ahead->known_done].done)
		ahead->known_done++;
	pthread_mutex_unlock(&ahead->lock);
}

const struct unwind_stack *unwind_ahead_stack(struct unwind_ahead *ahead, size_t number)
{
	const size_t chunk = number / CHUNK_REQUESTS;

	if (chunk >= ahead->known_done)
		wait_for(ahead, chunk);
	return &ahead->stacks[number];
}

void unwind_ahead_end(struct unwind_ahead *ahead)
{
	pthread_mutex_lock(&ahead->lock);
	while (ahead->done_chunks < ahead->chunk_count)
		help_or_wait(ahead);
	ahead->chunk_count = ahead->taken_chunks = ahead->done_chunks = 0;
	pthread_mutex_unlock(&ahead->lock);
}
