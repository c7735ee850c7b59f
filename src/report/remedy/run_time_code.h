#ifndef XPROF_REPORT_REMEDY_RUN_TIME_CODE_H
#define XPROF_REPORT_REMEDY_RUN_TIME_CODE_H

/*
 * Advice for stacks that end in code made at run time, which is in no file and has no unwind information: how
 * to make the runtime help.
 */

#include "report/load/profile_loader.h"

/* Is the DSO anonymous memory, or code of a run-time compiler? */
bool run_time_code_is(const struct profile *profile, uint32_t dso);

/*
 * The remedy for stacks of a thread that end in run-time code of a DSO. The runtime is found by the files on
 * the stacks of the thread or its process, or by the thread's name. Texts are static. NULL if no remedy is
 * known, or for a jitdump file, whose runtime has its option set already.
 */
struct run_time_advice;

struct run_time_advice *run_time_advice_create(const struct profile *profile);
void run_time_advice_destroy(struct run_time_advice *advice);
const char *run_time_advice_of(const struct run_time_advice *advice, uint32_t thread, uint32_t dso);

/* The remedy for more than half of the samples whose stacks end in run-time code; NULL if there is none. */
const char *run_time_advice_for_most(const struct profile *profile);

#endif
