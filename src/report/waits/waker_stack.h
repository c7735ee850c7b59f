#ifndef XPROF_REPORT_WAITS_WAKER_STACK_H
#define XPROF_REPORT_WAITS_WAKER_STACK_H

/*
 * Puts the stack of the waker, upside down, on top of the stack of the thread that slept ("off-wake" in
 * Brendan Gregg's flame graphs). So the call that slept is next to the call that woke it:
 *
 *	main;work;pthread_mutex_lock;futex_wait;--;futex_wake;pthread_mutex_unlock;serve;start_thread;worker
 *	└──────────── sleeper ────────────────┘    └──────────── waker, innermost first ───────┘      └ its name
 *
 * If the waker had waited in turn while the thread slept, its own waker follows in the same way, and so on.
 */

#include "format/off_cpu_wait.h"
#include "process/process_table.h"
#include "profile/raw_profile.h"

/* The frame between two stacks. */
#define WAKER_STACK_SEPARATOR "--"
/* The frame for callers of the waker that were not recorded. */
#define WAKER_STACK_CUT "[callers unknown]"

/*
 * Returns the node of `sleeper`'s stack with its wakers on top, or `sleeper` if nothing woke it. A waker that
 * is not a thread is one frame with its kind, such as "[timer]", because the frames below an interrupt are of
 * an unrelated thread. `time_ns` is the time of the sample, at the end of the wait.
 */
uint32_t waker_stack_add(struct process_table *processes, struct raw_profile *profile, uint32_t sleeper,
			 const struct off_cpu_wait *wait, uint64_t time_ns);

#endif
