#ifndef XPROF_RECORD_SAMPLING_SCHEDULE_H
#define XPROF_RECORD_SAMPLING_SCHEDULE_H

/*
 * At which times the samplers of a recording start and stop: -D and --duration. The schedule only tells; the caller
 * starts and stops them.
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
	uint64_t start_ns, end_ns; /* end_ns 0: to the end of the recording */
};

struct sampling_plan {
	/* Without any span the samplers run from the beginning, unless `starts_disabled`. */
	struct sampling_span spans[SAMPLING_SPANS_MAX];
	size_t span_count;
	bool starts_disabled; /* -D -1: until something else starts them */
	uint64_t duration_ns; /* of sampling, from its first start on; 0: no limit */
};

/*
 * As perf's -D: milliseconds (or a time with its unit: 2s, 1m), -1, or ranges of milliseconds in ascending order that do
 * not overlap, "10-20,30-40": the recording ends with the last of them.
 */
int sampling_plan_parse(struct sampling_plan *plan, const char *text, struct error *err);

/* Do the samplers run from the beginning on? */
bool sampling_plan_starts_at_once(const struct sampling_plan *plan);

enum sampling_change {
	SAMPLING_GOES_ON,
	SAMPLING_STARTS,
	SAMPLING_STOPS,
	SAMPLING_ENDS, /* and the recording with it */
};

struct sampling_schedule {
	const struct sampling_plan *plan;
	uint64_t began_ns, ends_ns; /* ends_ns 0: not known, or never */
	size_t span;                /* the next to start or to end */
	bool in_span;
};

/* Times are of CLOCK_MONOTONIC. The plan is borrowed. */
void sampling_schedule_begin(struct sampling_schedule *schedule, const struct sampling_plan *plan,
			     uint64_t now_ns);

/* When sampling_schedule_due() will have something to say; 0: never. */
uint64_t sampling_schedule_next_ns(const struct sampling_schedule *schedule);

/* The next change that is due by now; to be called until it is SAMPLING_GOES_ON or SAMPLING_ENDS. */
enum sampling_change sampling_schedule_due(struct sampling_schedule *schedule, uint64_t now_ns);

#endif
