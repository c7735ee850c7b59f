/*
 * place() gives each sample a span, so that none overlap; switch_to() closes and opens the functions that differ between a sample
 * and the previous one. The nodes of the profile's stacks are a tree with parents before children, so the common beginning of two
 * stacks ends at their nearest common node. Events are collected while those before are written, in parts.
 */
#include "report/export/export_spans.h"

#include <stdlib.h>
#include <string.h>

#include "base/saturating.h"
#include "base/xalloc.h"
#include "report/export/export_samples.h"

enum {
	PART_EVENTS = 1 << 12,
	FEW_EVENTS = 1 << 10, /* not worth a thread */
};

struct open_span {
	uint32_t node, function;
	uint64_t samples, weight, self;
};

struct events {
	struct export_span_event *items;
	size_t count;
};

struct walk {
	const struct export_tracks *tracks;
	const struct export_track *track;
	size_t number; /* of the track */
	enum export_axis axis;
	const struct export_span_sink *sink;
	struct open_span *open; /* outermost first */
	size_t depth, capacity;
	struct events collected, written; /* `written`: other threads are writing them */
	size_t most_events;
	bool has_events;
	uint32_t *path; /* nodes to open */
	size_t path_capacity;
	uint64_t end;    /* of the previous sample */
	uint64_t gap_ns; /* between samples of the track, on average */
};

enum export_axis export_axis_of(const struct export_tracks *tracks)
{
	const struct export_input *input = tracks->input;

	return tracks->has_times && input->options->per != EXPORT_PER_PROCESS &&
			       strcmp(export_samples_unit(input, input->event), "nanoseconds") == 0 ?
		       EXPORT_AXIS_CLOCK :
		       EXPORT_AXIS_WEIGHT;
}

static uint64_t time_of(const struct walk *walk, size_t sample)
{
	return export_tracks_sample(walk->tracks, walk->number, sample)->time_ns - walk->tracks->first_ns;
}

static uint64_t average_gap(const struct walk *walk)
{
	const size_t count = walk->track->count;

	return walk->axis != EXPORT_AXIS_SAMPLES || count < 2 ?
		       1 :
		       (time_of(walk, count - 1) - time_of(walk, 0)) / (count - 1) + 1;
}

/* The span of the sample. It does not begin before the end of the previous one. */
static void place(const struct walk *walk, size_t number, uint64_t *from, uint64_t *to)
{
	const uint64_t weight = export_tracks_sample(walk->tracks, walk->number, number)->weight;
	uint64_t time;

	*from = walk->end;
	switch (walk->axis) {
	case EXPORT_AXIS_CLOCK:
		time = time_of(walk, number);
		if (time > weight && time - weight > walk->end && time - weight - walk->end >= weight)
			*from = time - weight;
		*to = *from;
		saturating_add(to, weight);
		return;
	case EXPORT_AXIS_WEIGHT:
		*to = *from;
		saturating_add(to, weight);
		return;
	case EXPORT_AXIS_SAMPLES:
		*from = time_of(walk, number);
		*to = *from + walk->gap_ns;
		if (number + 1 < walk->track->count && time_of(walk, number + 1) - *from < 4 * walk->gap_ns)
			*to = time_of(walk, number + 1);
		return;
	}
}

static size_t part_count(const struct walk *walk)
{
	const size_t most = export_parts_most(walk->sink->parts),
		     wanted = walk->written.count / FEW_EVENTS + 1;

	return wanted < most ? wanted : most;
}

static void write_part(void *context, size_t part, struct strbuf *text)
{
	const struct walk *walk = context;
	const struct events *events = &walk->written;
	/* The first part is half as long as the others, because the thread that writes it also collects events. */
	const size_t shares = 2 * part_count(walk) - 1;
	const size_t first = part ? events->count * (2 * part - 1) / shares : 0,
		     end = events->count * (2 * part + 1) / shares;

	walk->sink->write(walk->sink->context, part, events->items + first, end - first, text);
}

/* Finishes the events that were written meanwhile, and begins with those that were collected. */
static void write_events(struct walk *walk)
{
	const struct events done = walk->written;

	export_parts_end(walk->sink->parts);
	walk->written = walk->collected;
	walk->collected = (struct events){ done.items, 0 };
	export_parts_begin(walk->sink->parts, part_count(walk), write_part, walk);
}

static struct export_span_event *add_event(struct walk *walk)
{
	if (walk->collected.count == walk->most_events)
		write_events(walk);
	return &walk->collected.items[walk->collected.count++];
}

static void close_down_to(struct walk *walk, size_t depth)
{
	while (walk->depth > depth) {
		const struct open_span *span = &walk->open[--walk->depth];

		*add_event(walk) = (struct export_span_event){ .at = walk->end,
							       .function = span->function,
							       .samples = span->samples,
							       .weight = span->weight,
							       .self = span->self };
	}
}

static void open_node(struct walk *walk, uint32_t node, uint64_t at)
{
	const uint32_t function = walk->sink->number(walk->sink->context, node);

	*ARRAY_ADD(walk->open, walk->depth, walk->capacity) =
		(struct open_span){ .node = node, .function = function };
	*add_event(walk) = (struct export_span_event){
		.at = at, .function = function, .begins = true, .is_first = !walk->has_events
	};
	walk->has_events = true;
}

static void switch_to(struct walk *walk, uint32_t leaf, uint64_t at)
{
	const struct profile *profile = walk->tracks->input->view.profile;
	size_t depth = 0;

	if (at != walk->end)
		close_down_to(walk, 0);
	/* Walk up from the leaf to a node that is open: a node at depth d can only be the d-th open one. */
	for (; leaf != PROFILE_NONE; leaf = profile_stack_at(profile, leaf)->parent) {
		const size_t level = profile_stack_at(profile, leaf)->depth;

		if (level < walk->depth && walk->open[level].node == leaf)
			break;
		walk->path = array_grow(walk->path, &walk->path_capacity, depth + 1, sizeof(*walk->path));
		walk->path[depth++] = leaf;
	}
	close_down_to(walk, leaf == PROFILE_NONE ? 0 : (size_t)profile_stack_at(profile, leaf)->depth + 1);
	while (depth)
		open_node(walk, walk->path[--depth], at);
}

static void count(struct walk *walk, uint64_t weight)
{
	for (size_t i = 0; i < walk->depth; i++) {
		saturating_add(&walk->open[i].weight, weight);
		walk->open[i].samples++;
	}
	if (walk->depth)
		saturating_add(&walk->open[walk->depth - 1].self, weight);
}

uint64_t export_spans_walk(const struct export_tracks *tracks, size_t track, enum export_axis axis,
			   const struct export_span_sink *sink)
{
	struct walk walk = {
		.tracks = tracks, .track = &tracks->items[track], .number = track, .axis = axis, .sink = sink
	};

	walk.gap_ns = average_gap(&walk);
	walk.most_events = PART_EVENTS * export_parts_most(sink->parts);
	walk.collected.items = xmalloc(walk.most_events * sizeof(*walk.collected.items));
	walk.written.items = xmalloc(walk.most_events * sizeof(*walk.written.items));
	for (size_t i = 0; i < walk.track->count; i++) {
		const struct logged_sample *sample = export_tracks_sample(tracks, track, i);
		uint64_t from, to = walk.end;

		place(&walk, i, &from, &to);
		switch_to(&walk, sample->stack, from);
		count(&walk, sample->weight);
		walk.end = to;
	}
	close_down_to(&walk, 0);
	write_events(&walk);
	export_parts_end(sink->parts);
	free(walk.collected.items);
	free(walk.written.items);
	free(walk.open);
	free(walk.path);
	return walk.end;
}
