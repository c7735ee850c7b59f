#ifndef XPROF_RECORD_WORKLOAD_H
#define XPROF_RECORD_WORKLOAD_H

/*
 * The program that is recorded: forked at once, so that events can be attached
 * to it, but held back before execvp() until workload_start().
 */

#include <stdbool.h>
#include <sys/types.h>

#include "base/error.h"

struct workload {
	pid_t pid;
	int go_fd;     /* a byte lets the program start; closing it makes it vanish */
	int failed_fd; /* execvp()'s errno comes out of here, or the end of file when it succeeded */
	bool started, ended;
	int wait_status; /* of waitpid(), when ended */
};

/* Is there such a program (on $PATH, or at its path)? -1 with a message. Spares a recording that cannot start. */
int workload_check(const char *program, struct error *err);

/*
 * `argv` ends with NULL. The program will have the caller's signal mask and limits: call this before changing them.
 * With `stdout_is_taken` what it prints on standard output goes to standard error.
 */
int workload_prepare(struct workload *workload, char *const *argv, bool stdout_is_taken, struct error *err);

/* Lets it run; -1 when execvp() failed. */
int workload_start(struct workload *workload, const char *program, struct error *err);

/* Has it ended? Does not block. */
bool workload_has_ended(struct workload *workload);

/* Asks it to end if it still runs (SIGTERM; one that is stopped continues, to be able to). Does not wait. */
void workload_terminate(struct workload *workload);

/* The same, and waits for it however long it takes. */
void workload_stop(struct workload *workload);

/* The shell's: its own status, or 128 + the signal that killed it. After workload_stop() or workload_has_ended(). */
int workload_exit_status(const struct workload *workload);

#endif
