#ifndef XPROF_RECORD_SAMPLE_CLOCK_H
#define XPROF_RECORD_SAMPLE_CLOCK_H

/* The clock that times of samples are of: -k, attr.clockid, HEADER_CLOCKID and HEADER_CLOCK_DATA. */

#include <stdbool.h>

#include "base/error.h"
#include "format/write/perf_writer.h"

struct sample_clock {
	bool given; /* otherwise it is the scheduler's clock, and id is nothing */
	int id;     /* CLOCK_* */
};

/* Accepted names, for completion; NULL-terminated. */
extern const char *const sample_clock_names[];

/* perf's names, "mono", "CLOCK_BOOTTIME", in any case, or the number. */
int sample_clock_parse(struct sample_clock *clock, const char *text, struct error *err);

/* "?" of a number that is none of them. */
const char *sample_clock_name(int id);

/* The clock's resolution, and what time it is, on it and on the wall. */
void sample_clock_set_features(const struct sample_clock *clock, struct perf_writer *writer);

#endif
