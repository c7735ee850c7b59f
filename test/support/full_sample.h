#ifndef XPROF_TEST_SUPPORT_FULL_SAMPLE_H
#define XPROF_TEST_SUPPORT_FULL_SAMPLE_H

/* A sample with a value in every field, and the attr with all of these fields. */

#include "support/perf_data_builder.h"

/*
 * Of WEIGHT and WEIGHT_STRUCT it has the latter; its read is that of a group, with ids. Its sample_type decides which
 * fields are written, and a test may clear bits in it.
 */
extern const struct perf_event_attr full_sample_attr;

/* A sample of the process in the record recipes. */
extern const struct built_sample full_sample;

#endif
