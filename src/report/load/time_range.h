#ifndef XPROF_REPORT_LOAD_TIME_RANGE_H
#define XPROF_REPORT_LOAD_TIME_RANGE_H

/*
 * --time, as in perf report: selects spans of the recording. Several spans are separated by blanks (times) or
 * commas (percentages):
 *
 *	100.5,101    from second 100.5 to 101 of the file's clock; either may be missing
 *	10%/2        the second tenth
 *	10%-20%      the same
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "format/sample.h"

enum { MAX_TIME_RANGES = 64 }; /* each sample is compared with all of them */

struct time_ranges {
	struct time_range {
		uint64_t from_ns, to_ns; /* both included */
	} items[MAX_TIME_RANGES];
	size_t count; /* 0: everything */
};

/*
 * `first_ns` and `last_ns` are the times of the first and the last sample, to which percentages refer. If
 * last_ns is 0 (unknown), percentages are an error. Returns 0, or -1 with err.
 */
int time_ranges_parse(struct time_ranges *ranges, const char *text, uint64_t first_ns, uint64_t last_ns,
		      struct error *err);

/* Does the text have percentages, so that first_ns and last_ns are needed? */
bool time_ranges_need_bounds(const char *text);

bool time_ranges_contain(const struct time_ranges *ranges, uint64_t time_ns);

/* For struct load_options: `ranges` is a struct time_ranges. */
bool time_ranges_keep(const struct sample *sample, void *ranges);

#endif
