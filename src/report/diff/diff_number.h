#ifndef XPROF_REPORT_DIFF_DIFF_NUMBER_H
#define XPROF_REPORT_DIFF_DIFF_NUMBER_H

/* Formats the values of a diff: percent for shares, seconds if the event counts time, otherwise counts. */

#include "base/strbuf.h"
#include "report/diff/diff_result.h"

enum diff_unit { DIFF_PERCENT, DIFF_SECONDS, DIFF_COUNT };

struct diff_number {
	enum diff_unit unit;
	double factor; /* value × factor gives percent, seconds or counts */
};

/* `counts_ns`: the event counts nanoseconds of running, as cpu-clock does. */
struct diff_number diff_number_of(enum diff_normalize normalize, bool counts_ns);

/* Appends "12.34%", "1.234s" or "56.78M", with `sign` also a plus sign. */
void diff_number_add(struct strbuf *out, const struct diff_number *number, double value, bool sign);

/* Are the periods of the event with this name nanoseconds? */
bool diff_event_counts_ns(const char *name);

#endif
