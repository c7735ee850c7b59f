#ifndef XPROF_REPORT_ROWS_HIST_ROWS_H
#define XPROF_REPORT_ROWS_HIST_ROWS_H

/*
 * Adds up samples to the rows of a hist: each row that is among the frames of a sample gets the sample once.
 * It is the first step of hist_init(); the rows are not sorted yet.
 */

#include "report/rows/hist_row.h"

/*
 * Sets `rows`, `hits` and the sums of a hist whose profile, frames and options are set, from the samples of
 * one event (PROFILE_NONE: of all) that pass the filter.
 */
void hist_rows_add(struct hist *hist, uint32_t event, const struct filter *filter);

#endif
