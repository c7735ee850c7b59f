#ifndef XPROF_BASE_THREAD_PAIR_H
#define XPROF_BASE_THREAD_PAIR_H

/*
 * Two parts of one work, done by two threads: for what is long enough to be worth a thread (tens of microseconds) and
 * too short for more of them. The parts must not write to anything in common.
 */

typedef void thread_pair_work(void *part);

/* Returns when both are done. One after the other where there is one CPU, or no thread to be had. */
void thread_pair_run(thread_pair_work *work, void *one, void *other);

#endif
