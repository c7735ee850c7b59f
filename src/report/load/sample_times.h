#ifndef XPROF_REPORT_LOAD_SAMPLE_TIMES_H
#define XPROF_REPORT_LOAD_SAMPLE_TIMES_H

/*
 * When the first and the last sample of a recording were taken. Few recorders write it into the header
 * (HEADER_SAMPLE_TIME); otherwise the records have to be gone through once.
 */

#include <stdint.h>

#include "format/perf_file.h"
#include "report/load/time_range.h"

struct sample_times {
	uint64_t first_ns, last_ns; /* last_ns 0: not known: a pipe, or samples without a time */
};

/*
 * `file` has been opened and not yet read; it still is so afterwards, for what has to be gone through is opened
 * a second time. -1: that failed.
 */
int sample_times_find(const struct perf_file *file, struct sample_times *times, struct error *err);

/* --time of a command: `text` as time_range.h has it, NULL: everything. Percentages are of the file's samples. */
int sample_times_ranges(const struct perf_file *file, const char *text, struct time_ranges *ranges,
			struct error *err);

#endif
