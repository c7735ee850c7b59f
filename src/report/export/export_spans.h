#ifndef XPROF_REPORT_EXPORT_EXPORT_SPANS_H
#define XPROF_REPORT_EXPORT_EXPORT_SPANS_H

/*
 * A track's samples as spans of functions that open and close, for formats that show calls over time. A sample of a clock
 * stands for the time before it, as long as its period; so the sum of a function's spans is exactly its weight in nanoseconds.
 * Between samples less than a period apart, functions that both have stay open. One thread walks along the samples,
 * several write the events.
 */

#include "report/export/export_parts.h"
#include "report/export/export_tracks.h"

enum export_axis {
	/* positions are nanoseconds since the recording began; spans are as long as weights */
	EXPORT_AXIS_CLOCK,
	EXPORT_AXIS_WEIGHT, /* positions are sums of weights: for events other than clocks, or without times */
	EXPORT_AXIS_SAMPLES, /* positions are times; a span extends to the next sample if that is near */
};

/* Chooses the axis: EXPORT_AXIS_CLOCK if weights are times in which nothing else ran in the track. */
enum export_axis export_axis_of(const struct export_tracks *tracks);

/* A function that begins or ends. */
struct export_span_event {
	uint64_t at;
	uint32_t function; /* as numbered by the sink */
	bool begins;
	bool is_first; /* of the track */
	/* of one that ends: the samples inside, their weight, and that of those that end in this function */
	uint64_t samples, weight, self;
};

struct export_span_sink {
	struct export_parts *parts;
	void *context;
	uint32_t (*number)(void *context,
			   uint32_t node); /* of the function at a node of the profile's stacks */
	/* Appends consecutive events to the text. Called for each part by another thread, also while `number` is. */
	void (*write)(void *context, size_t part, const struct export_span_event *events, size_t count,
		      struct strbuf *text);
};

/* Begins callers before their callees and ends them after. Returns the end of the last span. */
uint64_t export_spans_walk(const struct export_tracks *tracks, size_t track, enum export_axis axis,
			   const struct export_span_sink *sink);

#endif
