#ifndef XPROF_REPORT_ROWS_HIST_ROWS_H
#define XPROF_REPORT_ROWS_HIST_ROWS_H

/*
 * How samples add up to the rows of a hist: each row that is among the frames of a sample gets it once. The
 * first step of hist_init(); the rows are in no order yet.
 */

#include "report/rows/hist_row.h"

/*
 * Fills in `rows`, `hits` and the sums of a hist that has its profile, frames and options only, with the samples of
 * one event (PROFILE_NONE: of all) that pass the filter.
 */
void hist_rows_add(struct hist *hist, uint32_t event, const struct filter *filter);

#endif
