#ifndef XPROF_TEST_SUPPORT_WAITING_SAMPLE_H
#define XPROF_TEST_SUPPORT_WAITING_SAMPLE_H

/* Samples of time off the CPU, as a recording has them. */

#include "format/off_cpu_wait.h"
#include "format/sample.h"

/* A sample with the wait as its raw data, which is in `raw`: initialised by the caller, and kept while the sample is used. */
struct sample waiting_sample_make(const struct off_cpu_wait *wait, struct strbuf *raw);

#endif
