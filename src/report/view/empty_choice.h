#ifndef XPROF_REPORT_VIEW_EMPTY_CHOICE_H
#define XPROF_REPORT_VIEW_EMPTY_CHOICE_H

/*
 * Where the filters of the command line leave no sample: which of them it was, and what there is instead. Somebody who
 * mistyped a name is otherwise left with an empty table.
 */

#include "base/strbuf.h"
#include "profile/profile.h"
#include "report/view/sample_choice.h"

/*
 * Appends a sentence without a full stop and returns true when the profile has samples but the choice leaves
 * none of them. Samples that --time leaves out are not in the profile and not mentioned.
 */
bool empty_choice_explain(struct strbuf *out, const struct profile *profile,
			  const struct sample_choice *choice);

#endif
