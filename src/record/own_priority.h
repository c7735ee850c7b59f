#ifndef XPROF_RECORD_OWN_PRIORITY_H
#define XPROF_RECORD_OWN_PRIORITY_H

/*
 * When the recorder runs. It needs little of a CPU, but in time: a ring holds some hundred milliseconds of samples with
 * stack dumps, less than a busy machine lets one program of ten wait, and what does not fit into it is lost.
 */

#include <stdbool.h>

#include "base/error.h"

/*
 * Puts the calling thread in front of all that has an ordinary priority (nice -20), as far as it may
 * (CAP_SYS_NICE, RLIMIT_NICE), unless it was started with a lower priority than usual: who did that meant it. True when
 * it is there. Programs that it has started already keep theirs.
 */
bool own_priority_raise(void);

/* perf record --realtime: SCHED_FIFO, 1 to 99. */
int own_priority_set_realtime(int priority, struct error *err);

/* Is it likely to be? Known before the command is forked, which has to be before it is raised. */
bool own_priority_may_be_raised(void);

#endif
