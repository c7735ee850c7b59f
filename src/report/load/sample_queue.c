#include "report/load/sample_queue.h"

#include <stdlib.h>

#include "base/arena.h"
#include "base/xalloc.h"

/*
 * Files without rounds would be queued whole. Records are out of order by milliseconds, so beyond this the older
 * half is safe to take. With rounds it is what the rings of a large machine hold that has to fit.
 */
enum {
	FULL_SAMPLES = 1 << 20,
	FULL_BYTES = 256 * 1024 * 1024,
	ROUNDLESS_FULL_SAMPLES = 1 << 19,
	ROUNDLESS_FULL_BYTES =
		24 * 1024 * 1024, /* half of them are twice there while the other half is taken */
	PREFETCH_DISTANCE = 3,    /* samples: about as many lines as a core can wait for */
};

struct sample_queue {
	bool stable, has_rounds;
	struct queued_sample *samples;
	size_t count, capacity;
	struct arena bytes, spare; /* of samples that are not stable; spare is empty between two calls */
	uint64_t latest_ns;        /* of all samples so far */
	uint64_t round_ns;         /* latest_ns when the last round was finished */
	uint64_t taken_ns;
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

static void copy_bytes(struct arena *arena, struct queued_sample *sample)
{
	sample->event.payload = arena_copy(arena, sample->event.payload, sample->event.payload_size);
}

void sample_queue_add(struct sample_queue *queue, const struct queued_sample *sample)
{
	queue->samples =
		array_grow(queue->samples, &queue->capacity, queue->count + 1, sizeof(*queue->samples));
	queue->samples[queue->count] = *sample;
	if (!queue->stable)
		copy_bytes(&queue->bytes, &queue->samples[queue->count]);
	queue->count++;
	if (sample->time_ns > queue->latest_ns)
		queue->latest_ns = sample->time_ns;
}

/*
 * What will be read of a sample some time later, from memory that nobody has looked at for a round: its fields, with
 * the registers, and behind a stack dump how long that is.
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

/* What stays keeps its order; its bytes move to the other arena. */
static void take(struct sample_queue *queue, uint64_t until_ns, size_t at_most, sample_queue_visit *visit,
		 void *context)
{
	struct arena emptied = queue->bytes;
	size_t kept = 0, i;

	for (i = 0; i < queue->count; i++) {
		struct queued_sample *sample = &queue->samples[i];

		prefetch(queue, i + PREFETCH_DISTANCE);
		if (at_most && sample->time_ns <= until_ns) {
			visit(sample, context);
			at_most--;
			continue;
		}
		queue->samples[kept] = *sample;
		if (!queue->stable)
			copy_bytes(&queue->spare, &queue->samples[kept]);
		kept++;
	}
	visit(NULL, context);
	queue->count = kept;
	if (until_ns > queue->taken_ns)
		queue->taken_ns = until_ns < queue->latest_ns ? until_ns : queue->latest_ns;
	arena_reset(&emptied);
	queue->bytes = queue->spare;
	queue->spare = emptied;
}

void sample_queue_finish_round(struct sample_queue *queue, sample_queue_visit *visit, void *context)
{
	queue->has_rounds = true;
	take(queue, queue->round_ns, SIZE_MAX, visit, context);
	queue->round_ns = queue->latest_ns;
}

void sample_queue_finish(struct sample_queue *queue, sample_queue_visit *visit, void *context)
{
	take(queue, UINT64_MAX, SIZE_MAX, visit, context);
}

bool sample_queue_is_full(const struct sample_queue *queue)
{
	if (!queue->has_rounds)
		return queue->count >= ROUNDLESS_FULL_SAMPLES ||
		       queue->bytes.used_bytes >= ROUNDLESS_FULL_BYTES;
	return queue->count >= FULL_SAMPLES || queue->bytes.used_bytes >= FULL_BYTES;
}

void sample_queue_take_half(struct sample_queue *queue, sample_queue_visit *visit, void *context)
{
	uint64_t taken_ns = queue->taken_ns;

	take(queue, UINT64_MAX, queue->count / 2, visit, context);
	queue->taken_ns = taken_ns; /* these went by their place in the file, not by time */
}

uint64_t sample_queue_taken_ns(const struct sample_queue *queue)
{
	return queue->taken_ns;
}
