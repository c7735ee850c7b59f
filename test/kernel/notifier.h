#ifndef XPROF_TEST_KERNEL_NOTIFIER_H
#define XPROF_TEST_KERNEL_NOTIFIER_H

/*
 * A command whose system calls for perf events are answered by this program: seccomp_unotify(2). Played events have descriptors
 * from FIRST_FD on, so that a filter can tell them from others by their number.
 */

#include <linux/seccomp.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/error.h"

enum { FIRST_FD = 4096, END_OF_FDS = 65536 };

struct notifier {
	int fd; /* for poll(): readable while a call waits */
	pid_t child;
};

/* Starts the command, after calling `prepare` in its process. -1 with err. */
int notifier_start(struct notifier *notifier, char *const *command,
		   int (*prepare)(void *context, struct error *err), void *context, struct error *err);

/* Returns 1 and a call, 0 if the call went away meanwhile, -1 if no more can come. */
int notifier_next(const struct notifier *notifier, struct seccomp_notif *call);

/* Makes the call return the value, or fail with the errno. */
void notifier_return(const struct notifier *notifier, uint64_t call, int64_t value);
void notifier_fail(const struct notifier *notifier, uint64_t call, int errno_value);
/* Lets the real kernel carry the call out. */
void notifier_continue(const struct notifier *notifier, uint64_t call);
/* Makes the call return `wanted_fd`, a copy of `fd` in the caller. False if the caller is gone. */
bool notifier_return_fd(const struct notifier *notifier, uint64_t call, int fd, int wanted_fd,
			bool close_on_exec);

/* Reads or writes the caller's memory. False on failure. */
bool notifier_read_memory(pid_t pid, uint64_t address, void *bytes, size_t size);
bool notifier_write_memory(pid_t pid, uint64_t address, const void *bytes, size_t size);

#endif
