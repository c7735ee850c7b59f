#ifndef XPROF_TEST_KERNEL_NOTIFIER_H
#define XPROF_TEST_KERNEL_NOTIFIER_H

/*
 * A command whose system calls that have to do with perf events are answered here: seccomp_unotify(2). Descriptors of
 * played events are FIRST_FD and more, so that a filter can tell them from others by their number.
 */

#include <linux/seccomp.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/error.h"

enum { FIRST_FD = 4096, END_OF_FDS = 65536 };

struct notifier {
	int fd; /* for poll(): readable when a call waits */
	pid_t child;
};

/* Starts the command; `prepare` runs in its process before. -1 with err. */
int notifier_start(struct notifier *notifier, char *const *command,
		   int (*prepare)(void *context, struct error *err), void *context, struct error *err);

/* 1 with a call, 0 if it went away meanwhile, -1 if there can be no more. */
int notifier_next(const struct notifier *notifier, struct seccomp_notif *call);

/* The call returns the value, or fails with the errno. */
void notifier_return(const struct notifier *notifier, uint64_t call, int64_t value);
void notifier_fail(const struct notifier *notifier, uint64_t call, int errno_value);
/* The real kernel carries it out. */
void notifier_continue(const struct notifier *notifier, uint64_t call);
/* The call returns `wanted_fd`, which is a copy of `fd` in the caller. False if the caller is gone. */
bool notifier_return_fd(const struct notifier *notifier, uint64_t call, int fd, int wanted_fd,
			bool close_on_exec);

/* The caller's memory. False where it cannot be read or written. */
bool notifier_read_memory(pid_t pid, uint64_t address, void *bytes, size_t size);
bool notifier_write_memory(pid_t pid, uint64_t address, const void *bytes, size_t size);

#endif
