#ifndef XPROF_RECORD_STOP_SIGNALS_H
#define XPROF_RECORD_STOP_SIGNALS_H

/*
 * Receives the signals that end a recording through a descriptor, so that the file is finished and the
 * workload is asked to end. They are all signals that end a program by default, except those of faults
 * (SIGSEGV) and those that were ignored when xprof started (nohup). As in perf, SIGINT and SIGTERM always
 * count, and SIGUSR2 is ignored unless it begins the next file. SIGPIPE and SIGXFSZ are ignored: write()
 * returns an error instead.
 */

#include <signal.h>
#include <stdbool.h>

#include "base/error.h"

enum { STOP_SIGNALS_IGNORED = 3 };

struct stop_signals {
	int fd;            /* readable when a signal came, SIGCHLD too; -1 before stop_signals_take() */
	int asked;         /* the first signal that ends the recording; 0: none yet */
	bool takes_switch; /* set by the caller before stop_signals_take(): SIGUSR2 sets switch_asked */
	bool switch_asked; /* SIGUSR2 came; reset by the caller */
	sigset_t stopping, old_mask;
	struct sigaction old_ignored[STOP_SIGNALS_IGNORED], old_child;
};

/*
 * Blocks the signals and opens the descriptor. Call it before starting threads, which inherit the mask.
 * Returns 0, or -1 with err.
 */
int stop_signals_take(struct stop_signals *signals, struct error *err);

/* Reads the signals that have come, without blocking. Returns true if one of them ends the recording. */
bool stop_signals_read(struct stop_signals *signals);

/* Is a signal waiting that stop_signals_read() has not read? stop_signals_release() would deliver it. */
bool stop_signals_are_pending(const struct stop_signals *signals);

/* Restores the mask and the handlers. */
void stop_signals_release(struct stop_signals *signals);

#endif
