#ifndef XPROF_REPORT_WAITS_SAMPLE_WAIT_H
#define XPROF_REPORT_WAITS_SAMPLE_WAIT_H

/* How the thread of a sample waited, for the samples that know. */

#include <stdbool.h>

#include "format/off_cpu_wait.h"
#include "format/sample.h"

/* Is an event, whose name may be NULL, that of time off the CPU? */
bool sample_wait_is_event(const char *event_name);

/*
 * Reads the raw data of a sample of that event; `wait` borrows from the sample. False for samples of other events, and where
 * the raw data cannot be read.
 */
bool sample_wait_read(struct off_cpu_wait *wait, const char *event_name, const struct sample *sample);

#endif
