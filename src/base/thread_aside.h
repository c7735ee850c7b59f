#ifndef XPROF_BASE_THREAD_ASIDE_H
#define XPROF_BASE_THREAD_ASIDE_H

/*
 * Work that another thread does while the one that started it goes on: what will be wanted later, or what is to be
 * closed. Until it is waited for, what it is about belongs to it alone.
 */

#include <pthread.h>
#include <stdbool.h>

typedef void thread_aside_work(void *context);

struct thread_aside { /* all zero: nothing was started */
	thread_aside_work *work;
	void *context;
	pthread_t thread;
	bool running;
};

/* Where there is one CPU, or no thread to be had, the work is done when this returns. */
void thread_aside_start(struct thread_aside *aside, thread_aside_work *work, void *context);

/* Returns when the work is done; at once when it was waited for already, or never started. */
void thread_aside_wait(struct thread_aside *aside);

#endif
