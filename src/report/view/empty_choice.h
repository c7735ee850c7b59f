#ifndef XPROF_REPORT_VIEW_EMPTY_CHOICE_H
#define XPROF_REPORT_VIEW_EMPTY_CHOICE_H

/*
 * If the filters of the command line leave no sample: tells which filter it was, and which names there are
 * instead. Otherwise a mistyped name would give just an empty table.
 */

#include "base/strbuf.h"
#include "profile/profile.h"
#include "report/view/sample_choice.h"

/*
 * If the profile has samples but the choice leaves none, appends a sentence without a full stop and returns
 * true. Samples excluded by --time are not in the profile, so they are not mentioned.
 */
bool empty_choice_explain(struct strbuf *out, const struct profile *profile,
			  const struct sample_choice *choice);

#endif
