#ifndef XPROF_REPORT_TABLE_VIEW_STACKS_H
#define XPROF_REPORT_TABLE_VIEW_STACKS_H

/*
 * How complete the stacks are, DSO by DSO: in how many samples' stacks it is,
 * how many of those have no further caller although they should, and why. A
 * stack that breaks off belongs to the DSO of its outermost frame, which is
 * the one to rebuild or to get unwind information for.
 */

#include "report/view/view.h"

#endif
