#ifndef XPROF_RECORD_OWN_PRIORITY_H
#define XPROF_RECORD_OWN_PRIORITY_H

/*
 * The scheduling priority of the recorder. It needs little CPU time, but it must not wait: a ring holds a few
 * hundred milliseconds of samples with stack dumps, a busy machine can let a program wait longer, and what
 * does not fit into the ring is lost.
 */

#include <stdbool.h>

#include "base/error.h"

/*
 * Raises the priority of the calling thread to nice -20, if permitted (CAP_SYS_NICE, RLIMIT_NICE). Leaves it
 * alone if the user started xprof with a positive nice value. Returns true if it is nice -20 now. Programs
 * that were started before keep their priority.
 */
bool own_priority_raise(void);

/* --realtime: SCHED_FIFO with a priority of 1 to 99. Returns 0, or -1 with err. */
int own_priority_set_realtime(int priority, struct error *err);

/*
 * Will own_priority_raise() succeed? Asked before the command is forked, since the priority is raised after
 * that.
 */
bool own_priority_may_be_raised(void);

#endif
