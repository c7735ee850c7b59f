#ifndef XPROF_REPORT_WAITS_SAMPLE_WAIT_H
#define XPROF_REPORT_WAITS_SAMPLE_WAIT_H

/* Reads how the thread waited from a sample of time off the CPU. */

#include <stdbool.h>

#include "format/off_cpu_wait.h"
#include "format/sample.h"

/* Is this the event of time off the CPU? `event_name` may be NULL. */
bool sample_wait_is_event(const char *event_name);

/*
 * Reads the raw data of a sample of that event; `wait` borrows from the sample. Returns false for samples of
 * other events, and if the raw data is damaged.
 */
bool sample_wait_read(struct off_cpu_wait *wait, const char *event_name, const struct sample *sample);

#endif
