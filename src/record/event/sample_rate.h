#ifndef XPROF_RECORD_SAMPLE_RATE_H
#define XPROF_RECORD_SAMPLE_RATE_H

/* The sampling frequency: -F, and the kernel's limit. */

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "base/strbuf.h"

enum { SAMPLE_RATE_DEFAULT_HZ = 4000 }; /* perf's */

struct sample_rate {
	uint64_t frequency; /* Hz */
	bool given;         /* with -F */
	bool maximum;       /* -F max */
};

/* Parses "999" or "max". Returns 0, or -1 with err. */
int sample_rate_parse(struct sample_rate *rate, const char *text, struct error *err);

/*
 * Lowers the frequency to the limit in the file `limit_path` (kernel.perf_event_max_sample_rate), with a
 * notice if it was higher.
 */
void sample_rate_limit(struct sample_rate *rate, const char *limit_path, struct strbuf *notices);

#endif
