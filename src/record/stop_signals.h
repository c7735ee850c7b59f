#ifndef XPROF_RECORD_STOP_SIGNALS_H
#define XPROF_RECORD_STOP_SIGNALS_H

/*
 * The signals that end a recording, as readable events of a descriptor, so that the file is finished and the
 * workload is told. Every signal whose default is to end a program is one of them, unless it was ignored
 * when xprof started (nohup). As in perf SIGUSR2 is ignored unless it begins the next file, and SIGINT and SIGTERM always count.
 * A pipe without a reader and a file of the largest size that is allowed are errors of write(), no signals.
 */

#include <signal.h>
#include <stdbool.h>

#include "base/error.h"

enum { STOP_SIGNALS_IGNORED = 3 };

struct stop_signals {
	int fd;    /* readable when a signal came, SIGCHLD too; -1 before stop_signals_take() */
	int asked; /* the first signal that asked to stop; 0: none */
	bool takes_switch; /* set by the caller before stop_signals_take(): SIGUSR2 is not ignored, but sets the next */
	bool switch_asked; /* the caller resets it */
	sigset_t stopping, old_mask;
	struct sigaction old_ignored[STOP_SIGNALS_IGNORED], old_child;
};

/* Call it before any thread starts: threads inherit which signals are blocked. */
int stop_signals_take(struct stop_signals *signals, struct error *err);

/* Takes what has come from the descriptor; true if a signal asked to stop. Does not block. */
bool stop_signals_read(struct stop_signals *signals);

/* Has one asked that stop_signals_read() has not taken yet? It has its usual effect at stop_signals_release(). */
bool stop_signals_are_pending(const struct stop_signals *signals);

/* All signals do again what they did before. */
void stop_signals_release(struct stop_signals *signals);

#endif
