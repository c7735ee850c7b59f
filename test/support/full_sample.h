#ifndef XPROF_TEST_SUPPORT_FULL_SAMPLE_H
#define XPROF_TEST_SUPPORT_FULL_SAMPLE_H

/* A sample that has something in every field; an event's sample_type says what of it is written. */

#include "support/perf_data_builder.h"

/*
 * For attrs with a group of two in read_format, with TOTAL_TIME_ENABLED and ID, two registers in sample_regs_user and
 * one in sample_regs_intr.
 */
extern const struct built_sample full_sample;

#endif
