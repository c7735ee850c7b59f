#ifndef XPROF_REPORT_REMEDY_RUN_TIME_CODE_H
#define XPROF_REPORT_REMEDY_RUN_TIME_CODE_H

/*
 * Stacks that end in code made at run time, which no file has and nothing describes, and what the runtime has to be told so
 * that they do not.
 */

#include "report/load/profile_loader.h"

/* Is it memory without a file, or what a run-time compiler made? */
bool run_time_code_is(const struct profile *profile, uint32_t dso);

/*
 * The remedy for stacks that end in run-time code, by the runtimes whose files are on the stacks of the
 * thread, or of its process, or by the thread's name. Texts are static. NULL: no remedy is known, as for a
 * jitdump file, whose runtime has its option set already.
 */
struct run_time_advice;

struct run_time_advice *run_time_advice_create(const struct profile *profile);
void run_time_advice_destroy(struct run_time_advice *advice);
const char *run_time_advice_of(const struct run_time_advice *advice, uint32_t thread, uint32_t dso);

/* That of more than half of the samples whose stacks end in code that nothing describes. NULL: there is none. */
const char *run_time_advice_for_most(const struct profile *profile);

#endif
