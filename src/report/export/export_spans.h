#ifndef XPROF_REPORT_EXPORT_EXPORT_SPANS_H
#define XPROF_REPORT_EXPORT_EXPORT_SPANS_H

/*
 * A track's samples as spans of functions that open and close, for formats which show calls over time. A sample of a clock
 * stands for the time up to it, as long as its period; the sum of a function's spans is then its weight, to the last
 * nanosecond. Samples less than a period apart adjoin, and what they have in common stays open.
 */

#include "report/export/export_tracks.h"

enum export_axis {
	EXPORT_AXIS_CLOCK, /* positions are nanoseconds since the recording began, spans as long as weights */
	EXPORT_AXIS_WEIGHT, /* positions are sums of weights: of other events than clocks, or without times */
	EXPORT_AXIS_SAMPLES, /* positions are times; a span goes on to the next sample if that is near */
};

/* Is the weight of these tracks' samples time in which nothing else ran in the track? Then spans lie where they were. */
enum export_axis export_axis_of(const struct export_tracks *tracks);

struct export_span {
	uint32_t node;    /* of the profile's stacks */
	uint64_t weight;  /* of all samples in it */
	uint64_t self;    /* of those that end in it */
	uint64_t samples; /* as many of both kinds */
};

struct export_span_sink {
	void (*open)(void *context, uint32_t node, uint64_t at);
	void (*close)(void *context, const struct export_span *span, uint64_t at);
	void *context;
};

/* Callers open before what they call, and close after it. Returns where the last span ends. */
uint64_t export_spans_walk(const struct export_tracks *tracks, size_t track, enum export_axis axis,
			   const struct export_span_sink *sink);

#endif
