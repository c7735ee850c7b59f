#ifndef XPROF_REPORT_LOAD_TIME_RANGE_H
#define XPROF_REPORT_LOAD_TIME_RANGE_H

/*
 * perf report --time: which spans of the recording are looked at. Forms, several
 * of one kind separated by blanks (times) or commas (percentages):
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
 * `first_ns` and `last_ns` are the times of the first and the last sample, which percentages refer to; last_ns 0:
 * not known, and percentages are an error.
 */
int time_ranges_parse(struct time_ranges *ranges, const char *text, uint64_t first_ns, uint64_t last_ns,
		      struct error *err);

/* Does the text need to know the first and last times? */
bool time_ranges_need_bounds(const char *text);

bool time_ranges_contain(const struct time_ranges *ranges, uint64_t time_ns);

/* For struct load_options: `ranges` is a struct time_ranges. */
bool time_ranges_keep(const struct sample *sample, void *ranges);

#endif
