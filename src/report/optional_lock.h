#ifndef XPROF_REPORT_OPTIONAL_LOCK_H
#define XPROF_REPORT_OPTIONAL_LOCK_H

/*
 * What a recording's process table and modules are asked under while several threads unwind its dumps (unwind_ahead.h):
 * asking may put them in order, or open a file. NULL: one thread does it all.
 */

#include <pthread.h>

static inline void optional_lock(pthread_mutex_t *lock)
{
	if (lock)
		pthread_mutex_lock(lock);
}

static inline void optional_unlock(pthread_mutex_t *lock)
{
	if (lock)
		pthread_mutex_unlock(lock);
}

#endif
