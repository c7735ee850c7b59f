#ifndef XPROF_RECORD_SWITCH_CONDITION_H
#define XPROF_RECORD_SWITCH_CONDITION_H

/* When a recording begins its next file: the argument of --switch-output. */

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"

struct switch_condition {
	bool given;          /* there is more than one file */
	uint64_t size_bytes; /* once a file's data is as large; 0: whatever its size */
	uint64_t every_ns;   /* 0: not by time */
};

/*
 * As perf: "signal" (also NULL), a size with its unit (10M, 512K, 1G, 4096B), or a time with its unit (30s, 5m, 1h, 2d).
 * On SIGUSR2 the next file begins in each of these cases. -1 with a message otherwise.
 */
int switch_condition_parse(struct switch_condition *condition, const char *text, struct error *err);

#endif
