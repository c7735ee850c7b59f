#ifndef XPROF_REPORT_DIFF_DIFF_FOLDED_H
#define XPROF_REPORT_DIFF_DIFF_FOLDED_H

/* Merges two folded texts (view_folded.h) into lines "stack BEFORE AFTER", as difffolded.pl does. */

#include "base/strbuf.h"

/*
 * Lines of both texts must be in byte order of the stacks; so are the appended lines. The weights of `before`
 * are multiplied by `factor` and rounded. A stack that is in one text only has weight 0 in the other.
 */
void diff_folded_add(struct strbuf *out, const char *before, const char *after, double factor);

#endif
