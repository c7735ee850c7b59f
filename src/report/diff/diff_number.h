#ifndef XPROF_REPORT_DIFF_DIFF_NUMBER_H
#define XPROF_REPORT_DIFF_DIFF_NUMBER_H

/* How the values of a diff are written: percent where they are shares, seconds where the event counts time. */

#include "base/strbuf.h"
#include "report/diff/diff_result.h"

enum diff_unit { DIFF_PERCENT, DIFF_SECONDS, DIFF_COUNT };

struct diff_number {
	enum diff_unit unit;
	double factor; /* from values to percent, seconds or counts */
};

/* `counts_ns`: the event counts nanoseconds of running, as cpu-clock does. */
struct diff_number diff_number_of(enum diff_normalize normalize, bool counts_ns);

/* "12.34%", "1.234s", "56.78M"; with a sign if wanted. */
void diff_number_add(struct strbuf *out, const struct diff_number *number, double value, bool sign);

/* Is it an event whose periods are nanoseconds? */
bool diff_event_counts_ns(const char *name);

#endif
