#ifndef XPROF_REPORT_REMEDY_INTERPRETER_HINT_H
#define XPROF_REPORT_REMEDY_INTERPRETER_HINT_H

/*
 * Functions that an interpreter runs are in no stack, and nothing seems to be missing: all that is seen are the
 * interpreter's own functions, which have names.
 */

#include "base/strbuf.h"
#include "report/load/profile_loader.h"

/*
 * A line that begins with `prefix`: the interpreter that most samples are in, and how it is told to show what it runs.
 * Nothing where there is none, in less than `percent` of the samples, or where its functions have names. The percentage, or 0.
 */
double interpreter_hint_add(struct strbuf *out, const struct loaded_profile *loaded, const char *prefix,
			    double percent);

#endif
