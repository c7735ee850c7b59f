#ifndef XPROF_TEST_SUPPORT_FULL_SAMPLE_H
#define XPROF_TEST_SUPPORT_FULL_SAMPLE_H

/* A sample that has something in every field, and the attr that has all of them. */

#include "support/perf_data_builder.h"

/*
 * Of WEIGHT and WEIGHT_STRUCT the latter; a read is that of a group, with ids. Its sample_type says what of a sample is
 * written, and a test may take bits away from it.
 */
extern const struct perf_event_attr full_sample_attr;

/* In the process of the record recipes. */
extern const struct built_sample full_sample;

#endif
