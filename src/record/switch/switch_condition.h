#ifndef XPROF_RECORD_SWITCH_CONDITION_H
#define XPROF_RECORD_SWITCH_CONDITION_H

/* When a recording begins its next file: the argument of --switch-output. */

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"

struct switch_condition {
	bool given;          /* --switch-output was given */
	uint64_t size_bytes; /* size of a file's data; 0: not by size */
	uint64_t every_ns;   /* 0: not by time */
};

/*
 * Parses the argument as perf does: "signal" (or NULL), a size with its unit (10M, 512K, 1G, 4096B), or a
 * time with its unit (30s, 5m, 1h, 2d). SIGUSR2 begins the next file in all three cases. Returns 0, or -1
 * with err.
 */
int switch_condition_parse(struct switch_condition *condition, const char *text, struct error *err);

#endif
