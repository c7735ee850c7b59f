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
	int go_fd;     /* a byte written here starts the program; closing it ends the child instead */
	int failed_fd; /* read here: the errno of execvp(), or end of file if it succeeded */
	bool started, ended;
	int wait_status; /* from waitpid(), if `ended` */
};

/*
 * Checks that the program exists, on $PATH or at its path, before anything is recorded. Returns 0, or -1 with
 * err.
 */
int workload_check(const char *program, struct error *err);

/*
 * Forks the child. `argv` ends with NULL. The program inherits the caller's signal mask and limits, so call
 * this before changing them. With `stdout_is_taken` its standard output is redirected to standard error.
 * Returns 0, or -1 with err.
 */
int workload_prepare(struct workload *workload, char *const *argv, bool stdout_is_taken, struct error *err);

/* Starts the program. Returns 0, or -1 with err if execvp() failed. */
int workload_start(struct workload *workload, const char *program, struct error *err);

/* Has it ended? Does not block. */
bool workload_has_ended(struct workload *workload);

/* Sends SIGTERM if it still runs (and SIGCONT, in case it is stopped). Does not wait. */
void workload_terminate(struct workload *workload);

/* The same, then waits until it has ended. */
void workload_stop(struct workload *workload);

/* As in a shell: its exit status, or 128 + the signal that killed it. Call it when the workload has ended. */
int workload_exit_status(const struct workload *workload);

#endif
