#ifndef XPROF_REPORT_DIFF_DIFF_CALLERS_H
#define XPROF_REPORT_DIFF_DIFF_CALLERS_H

/*
 * Draws, below a row of a diff, the callers that called the function more or less often when
 * it was sampled: only branches that differ by more than chance, and that are a sizable part
 * of the row's difference.
 *
 *            |--+9.80%--deep_c
 *            |          main
 *             ---0.70%--shallow_c
 */

#include "report/diff/diff_number.h"

void diff_callers_draw(struct strbuf *out, struct profile_diff *diff, const struct diff_result *result,
		       const struct diff_line *line, const struct diff_number *number, size_t indent);

#endif
