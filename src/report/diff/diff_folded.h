#ifndef XPROF_REPORT_DIFF_DIFF_FOLDED_H
#define XPROF_REPORT_DIFF_DIFF_FOLDED_H

/* Two folded texts (view_folded.h) as one: "stack BEFORE AFTER", what difffolded.pl makes of them. */

#include "base/strbuf.h"

/*
 * Both texts have their lines in byte order of the stacks, and so has what is appended. The weights before are
 * multiplied by `factor` and rounded; a stack that only one text has weighs 0 in the other.
 */
void diff_folded_add(struct strbuf *out, const char *before, const char *after, double factor);

#endif
