#ifndef XPROF_TEST_SUPPORT_WAITING_SAMPLE_H
#define XPROF_TEST_SUPPORT_WAITING_SAMPLE_H

/* Samples of time off the CPU, as in a recording. */

#include "format/off_cpu_wait.h"
#include "format/sample.h"

/*
 * Makes a sample with the wait as its raw data, which `raw` contains: the caller initialises it, and keeps it while it uses
 * the sample.
 */
struct sample waiting_sample_make(const struct off_cpu_wait *wait, struct strbuf *raw);

#endif
