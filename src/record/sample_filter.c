/* Walks the rings (ring_buffer.h) once before their samples are read, and notes the names of threads in them. */
#include "record/sample_filter.h"

#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"

struct sample_filter {
	struct comm_filter *comms;
	size_t ring_count, time_offset;
	uint64_t *noted; /* of each ring: the position (as its head) up to which names were noted */
	uint8_t bounce[RING_RECORD_MAX_BYTES]; /* a record that wraps around its ring's end */
};

struct sample_filter *sample_filter_create(struct comm_filter *comms, size_t ring_count, size_t time_offset)
{
	struct sample_filter *filter = xcalloc(1, sizeof(*filter));

	filter->comms = comms;
	filter->ring_count = ring_count;
	filter->time_offset = time_offset;
	filter->noted = xcalloc(ring_count, sizeof(*filter->noted));
	return filter;
}

void sample_filter_destroy(struct sample_filter *filter)
{
	if (!filter)
		return;
	free(filter->noted);
	free(filter);
}

static void note_record(const uint8_t *record, size_t size, void *context)
{
	const struct sample_filter *filter = context;

	comm_filter_note(filter->comms, record, size);
}

void sample_filter_note_rings(struct sample_filter *filter, const struct ring_buffer *rings)
{
	for (size_t i = 0; i < filter->ring_count; i++) {
		struct ring_walk walk = { .offset = 0 };
		const uint8_t *run;
		size_t run_size;
		uint64_t tail;

		if (!rings[i].control)
			continue;
		walk.spans = ring_buffer_peek(&rings[i]);
		tail = walk.spans.head - walk.spans.first_size - walk.spans.second_size;
		if (filter->noted[i] > tail)
			walk.offset = (size_t)(filter->noted[i] - tail);
		while (ring_walk_next(&walk, filter->bounce, &run, &run_size, note_record, filter) > 0)
			;
		filter->noted[i] = walk.spans.head;
	}
}

bool sample_filter_accepts(const struct sample_filter *filter, const uint8_t *sample, size_t size)
{
	uint64_t time_ns;
	uint32_t tid;

	if (filter->time_offset + sizeof(time_ns) > size)
		return false;
	memcpy(&tid, sample + filter->time_offset - sizeof(tid), sizeof(tid));
	memcpy(&time_ns, sample + filter->time_offset, sizeof(time_ns));
	return comm_filter_accepts(filter->comms, tid, time_ns);
}

void sample_filter_end_round(struct sample_filter *filter)
{
	comm_filter_end_round(filter->comms);
}
