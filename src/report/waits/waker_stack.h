#ifndef XPROF_REPORT_WAITS_WAKER_STACK_H
#define XPROF_REPORT_WAITS_WAKER_STACK_H

/*
 * The stack of a thread that slept, and on top of it, upside down, that of the thread that woke it ("off-wake" in Brendan Gregg's
 * flame graphs). So the call that slept meets the call that ended the sleep:
 *
 *	main;work;pthread_mutex_lock;futex_wait;--;futex_wake;pthread_mutex_unlock;serve;start_thread;worker
 *	└──────────── sleeper ────────────────┘    └──────────── waker, innermost first ───────┘      └ its name
 */

#include "format/off_cpu_wait.h"
#include "process/process_table.h"
#include "profile/raw_profile.h"

/* The frame between the two stacks. */
#define WAKER_STACK_SEPARATOR "--"
/* In place of further callers of the waker that were not recorded. */
#define WAKER_STACK_CUT "[callers unknown]"

/*
 * Returns the node of `sleeper`'s stack with that of the waker, or `sleeper` itself where nothing had to wake it. Of a waker that
 * is no thread there is only its kind, as in "[timer]": frames below an interrupt are of a thread that has no part in it.
 * `time_ns` is the sample's, by which the wait is over.
 */
uint32_t waker_stack_add(struct process_table *processes, struct raw_profile *profile, uint32_t sleeper,
			 const struct off_cpu_wait *wait, uint64_t time_ns);

#endif
