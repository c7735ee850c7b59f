/*
 * One array, in the order of the file. A walk over it returns the samples that may leave and moves the others to the front.
 * Bytes that are not stable are in two arenas: those of samples that stay are copied to the second one, then the two are
 * swapped.
 */
#include "report/load/sample_queue.h"

#include <stdlib.h>

#include "base/arena.h"
#include "base/xalloc.h"

/*
 * Limits of the queue. Without them, files without rounds would be queued whole. Records are out of order by milliseconds
 * only, so when the queue is full, its older half can safely leave. With rounds, the contents of a large machine's rings
 * have to fit.
 */
enum {
	FULL_SAMPLES = 1 << 20,
	FULL_BYTES = 256 * 1024 * 1024,
	ROUNDLESS_FULL_SAMPLES = 1 << 19,
	/* half of them are in memory twice while the other half leaves */
	ROUNDLESS_FULL_BYTES = 24 * 1024 * 1024,
	PREFETCH_DISTANCE = 3, /* samples whose cache lines a core can wait for at a time */
};

struct sample_queue {
	bool stable, has_rounds;
	struct queued_sample *samples;
	size_t count, capacity;
	/*
	 * Bytes of samples that are not stable. `spare`: of those that stay while others leave, then of those that have
	 * left.
	 */
	struct arena bytes, spare;
	uint64_t latest_ns; /* of all samples added */
	uint64_t round_ns;  /* latest_ns when the last round was finished */
	uint64_t taken_ns;

	bool is_leaving;
	size_t next,
		kept; /* index of the next sample to look at, and number of samples before it that stay, in their order */
	uint64_t until_ns; /* samples up to this time may leave */
	size_t at_most;    /* so many may leave; SIZE_MAX: all */
};

struct sample_queue *sample_queue_create(bool stable)
{
	struct sample_queue *queue = xcalloc(1, sizeof(*queue));

	queue->stable = stable;
	arena_init(&queue->bytes);
	arena_init(&queue->spare);
	return queue;
}

void sample_queue_destroy(struct sample_queue *queue)
{
	if (!queue)
		return;
	arena_fini(&queue->bytes);
	arena_fini(&queue->spare);
	free(queue->samples);
	free(queue);
}

static void let_leave(struct sample_queue *queue, uint64_t until_ns, size_t at_most)
{
	queue->is_leaving = true;
	queue->next = queue->kept = 0;
	queue->until_ns = until_ns;
	queue->at_most = at_most;
}

static void let_some_leave(struct sample_queue *queue, uint64_t until_ns, size_t at_most)
{
	let_leave(queue, until_ns, at_most);
	arena_reset(&queue->spare);
}

void sample_queue_finish_round(struct sample_queue *queue)
{
	queue->has_rounds = true;
	let_some_leave(queue, queue->round_ns, SIZE_MAX);
	queue->round_ns = queue->latest_ns;
}

/* No sample stays, so nothing is written over the bytes of samples that left before, which may still be in use. */
void sample_queue_finish(struct sample_queue *queue)
{
	let_leave(queue, UINT64_MAX, SIZE_MAX);
}

/* --- adding ------------------------------------------------------------------------- */

static void copy_bytes(struct arena *arena, struct queued_sample *sample)
{
	sample->event.payload = arena_copy(arena, sample->event.payload, sample->event.payload_size);
}

static bool is_full(const struct sample_queue *queue)
{
	if (!queue->has_rounds)
		return queue->count >= ROUNDLESS_FULL_SAMPLES ||
		       queue->bytes.used_bytes >= ROUNDLESS_FULL_BYTES;
	return queue->count >= FULL_SAMPLES || queue->bytes.used_bytes >= FULL_BYTES;
}

bool sample_queue_add(struct sample_queue *queue, const struct queued_sample *sample)
{
	queue->samples =
		array_grow(queue->samples, &queue->capacity, queue->count + 1, sizeof(*queue->samples));
	queue->samples[queue->count] = *sample;
	if (!queue->stable)
		copy_bytes(&queue->bytes, &queue->samples[queue->count]);
	queue->count++;
	if (sample->time_ns > queue->latest_ns)
		queue->latest_ns = sample->time_ns;
	if (is_full(queue))
		let_some_leave(queue, UINT64_MAX, queue->count / 2);
	return queue->is_leaving;
}

/* --- leaving ------------------------------------------------------------------------ */

/*
 * Prefetches what will soon be read of a sample, from memory that was not touched for a round: its fields and registers,
 * and the size behind its stack dump.
 */
static void prefetch(const struct sample_queue *queue, size_t number)
{
	enum { FIELD_BYTES = 320, LINE_BYTES = 64 };
	const struct event *event;

	if (number >= queue->count)
		return;
	event = &queue->samples[number].event;
	for (size_t at = 0; at < FIELD_BYTES && at < event->payload_size; at += LINE_BYTES)
		__builtin_prefetch(event->payload + at);
	__builtin_prefetch(event->payload + event->payload_size - 1);
}

static void keep(struct sample_queue *queue, const struct queued_sample *sample)
{
	struct queued_sample *kept = &queue->samples[queue->kept++];

	*kept = *sample;
	if (!queue->stable)
		copy_bytes(&queue->spare, kept);
}

/* If the queue was full, half of it left by position in the file and not by time, so taken_ns stays. */
static void finish_leaving(struct sample_queue *queue)
{
	const struct arena left = queue->bytes;

	queue->is_leaving = false;
	queue->count = queue->kept;
	queue->bytes = queue->spare;
	queue->spare = left;
	if (queue->at_most && queue->until_ns > queue->taken_ns)
		queue->taken_ns = queue->until_ns < queue->latest_ns ? queue->until_ns : queue->latest_ns;
}

const struct queued_sample *sample_queue_next(struct sample_queue *queue)
{
	if (!queue->is_leaving)
		return NULL;
	while (queue->next < queue->count) {
		const struct queued_sample *sample = &queue->samples[queue->next];

		prefetch(queue, queue->next++ + PREFETCH_DISTANCE);
		if (!queue->at_most || sample->time_ns > queue->until_ns) {
			keep(queue, sample);
			continue;
		}
		if (queue->at_most != SIZE_MAX)
			queue->at_most--;
		return sample;
	}
	finish_leaving(queue);
	return NULL;
}

uint64_t sample_queue_taken_ns(const struct sample_queue *queue)
{
	return queue->taken_ns;
}
