#ifndef XPROF_RECORD_SAMPLE_CLOCK_H
#define XPROF_RECORD_SAMPLE_CLOCK_H

/* The clock of sample times: -k, attr.clockid, HEADER_CLOCKID and HEADER_CLOCK_DATA. */

#include <stdbool.h>

#include "base/error.h"
#include "format/write/perf_writer.h"

struct sample_clock {
	bool given; /* false: the scheduler's clock; id is not set */
	int id;     /* CLOCK_* */
};

/* Accepted names, for completion; NULL-terminated. */
extern const char *const sample_clock_names[];

/*
 * Parses one of perf's names ("mono", "CLOCK_BOOTTIME", in any case) or a number. Returns 0, or -1 with err.
 */
int sample_clock_parse(struct sample_clock *clock, const char *text, struct error *err);

/* The name of CLOCK_* `id`; "?" for other numbers. */
const char *sample_clock_name(int id);

/* Sets the file's features: the clock's resolution, and its present time with the time of day. */
void sample_clock_set_features(const struct sample_clock *clock, struct perf_writer *writer);

#endif
