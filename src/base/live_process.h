#ifndef XPROF_BASE_LIVE_PROCESS_H
#define XPROF_BASE_LIVE_PROCESS_H

/* Facts about a process that still runs, from /proc. */

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

/* The process's number in its innermost PID namespace (proc(5), NSpid); `pid` itself if that is unknown. */
uint32_t live_process_inner_pid(uint32_t pid);

/* The user that the process runs as. Returns false if there is no such process. */
bool live_process_user(uint32_t pid, uid_t *user);

/*
 * When the process was started, in seconds since the Epoch; exact to about a second only, because the clock
 * may have been set since. Returns 0 if there is no such process.
 */
int64_t live_process_started_s(uint32_t pid);

/* Is the process on its way out of the kernel, or gone? False also if that cannot be read. */
bool live_process_is_ending(uint32_t pid);

#endif
