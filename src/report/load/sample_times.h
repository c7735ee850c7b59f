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
	uint64_t first_ns, last_ns; /* last_ns 0: unknown, for a pipe or samples without times */
};

/*
 * `file` is open and no record has been read from it. It stays so: if the records have to be searched, the
 * file is opened a second time. Returns 0, or -1 with err if that failed.
 */
int sample_times_find(const struct perf_file *file, struct sample_times *times, struct error *err);

/*
 * Parses --time: `text` as in time_range.h, or NULL for everything. Percentages refer to the samples of the
 * file. Returns 0, or -1.
 */
int sample_times_ranges(const struct perf_file *file, const char *text, struct time_ranges *ranges,
			struct error *err);

#endif
