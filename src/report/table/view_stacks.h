#ifndef XPROF_REPORT_TABLE_VIEW_STACKS_H
#define XPROF_REPORT_TABLE_VIEW_STACKS_H

/*
 * How complete the stacks are, DSO by DSO: the number of samples with the DSO in their stacks, how many of
 * these stacks end too early, and why. A stack that ends too early counts for the DSO of its outermost frame,
 * which is the one to rebuild or to get unwind information for.
 */

#include "report/view/view.h"

#endif
