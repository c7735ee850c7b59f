#ifndef XPROF_REPORT_SCRIPT_SCRIPT_WAIT_H
#define XPROF_REPORT_SCRIPT_SCRIPT_WAIT_H

/* Writes the raw data of a sample of time off the CPU: how the thread waited, and the stack of its waker. */

#include <stdbool.h>

#include "report/script/script_sample.h"

/*
 * Adds lines that begin with "#", which readers of perf script's text skip. Adds nothing and returns false
 * for samples of other events and for damaged raw data.
 */
bool script_wait_add(struct script_writer *writer, const struct script_sample *sample);

#endif
