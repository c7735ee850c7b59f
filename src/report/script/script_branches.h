#ifndef XPROF_REPORT_SCRIPT_SCRIPT_BRANCHES_H
#define XPROF_REPORT_SCRIPT_SCRIPT_BRANCHES_H

/* Writes the branches of a sample: source, target and flags of each. */

#include "report/script/script_sample.h"

enum branch_form { BRANCH_ADDRESS, BRANCH_SYMBOL, BRANCH_OFFSET };

void script_branches_add(struct script_writer *writer, const struct script_sample *sample,
			 enum branch_form form);

#endif
