#ifndef XPROF_REPORT_REMEDY_INTERPRETER_HINT_H
#define XPROF_REPORT_REMEDY_INTERPRETER_HINT_H

/*
 * Tells the user that the functions of an interpreted program are not in the stacks. Nothing seems to be
 * missing there: the stacks have the interpreter's own functions, with names.
 */

#include "base/strbuf.h"
#include "report/load/profile_loader.h"

/*
 * Appends a line that begins with `prefix`: the interpreter with most samples, and how to make it show the
 * functions that it runs. Returns its percentage of the samples. Appends nothing and returns 0 if there is no
 * interpreter, if it has less than `percent` of the samples, or if its program's functions are visible.
 */
double interpreter_hint_add(struct strbuf *out, const struct loaded_profile *loaded, const char *prefix,
			    double percent);

#endif
