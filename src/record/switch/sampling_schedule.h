#ifndef XPROF_RECORD_SAMPLING_SCHEDULE_H
#define XPROF_RECORD_SAMPLING_SCHEDULE_H

/*
 * Computes when the samplers of a recording start and stop, from -D and --duration. The caller starts and
 * stops them.
 *
 *     sampling_plan_parse(&plan, "10-20,30-40", &err);
 *     sampling_schedule_begin(&schedule, &plan, now_ns);
 *     while (wait until sampling_schedule_next_ns(&schedule))
 *             switch (sampling_schedule_due(&schedule, now_ns)) ...
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

enum { SAMPLING_SPANS_MAX = 64 };

/* Times since the beginning of the recording. */
struct sampling_span {
	uint64_t start_ns, end_ns; /* end_ns 0: end of the recording */
};

struct sampling_plan {
	/* Without spans the samplers run from the beginning, unless starts_disabled. */
	struct sampling_span spans[SAMPLING_SPANS_MAX];
	size_t span_count;
	bool starts_disabled; /* -D -1: stopped until a command starts them */
	uint64_t duration_ns; /* from the first start of the samplers on; 0: no limit */
};

/*
 * Parses the argument of -D, as in perf: milliseconds (or a time with a unit: 2s, 1m), -1, or ascending
 * ranges of milliseconds that do not overlap, "10-20,30-40"; the recording ends with the last range. Returns
 * 0, or -1 with err.
 */
int sampling_plan_parse(struct sampling_plan *plan, const char *text, struct error *err);

/* Do the samplers start at the beginning? */
bool sampling_plan_starts_at_once(const struct sampling_plan *plan);

enum sampling_change {
	SAMPLING_GOES_ON,
	SAMPLING_STARTS,
	SAMPLING_STOPS,
	SAMPLING_ENDS, /* the recording ends */
};

struct sampling_schedule {
	const struct sampling_plan *plan;
	uint64_t began_ns, ends_ns; /* ends_ns 0: unknown, or never */
	size_t span;                /* index of the next span to start or to end */
	bool in_span;
};

/* Times are of CLOCK_MONOTONIC. The plan is borrowed. */
void sampling_schedule_begin(struct sampling_schedule *schedule, const struct sampling_plan *plan,
			     uint64_t now_ns);

/* The time of the next change; 0: there is none. */
uint64_t sampling_schedule_next_ns(const struct sampling_schedule *schedule);

/* Takes the next change that is due. Call it until it returns SAMPLING_GOES_ON or SAMPLING_ENDS. */
enum sampling_change sampling_schedule_due(struct sampling_schedule *schedule, uint64_t now_ns);

#endif
