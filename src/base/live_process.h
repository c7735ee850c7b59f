#ifndef XPROF_BASE_LIVE_PROCESS_H
#define XPROF_BASE_LIVE_PROCESS_H

/* Facts about a process that still runs, from /proc. */

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

/* The process's number in its innermost PID namespace (proc(5), NSpid); `pid` itself if that is unknown. */
uint32_t live_process_inner_pid(uint32_t pid);

/* The user as whom the process runs. False: no such process. */
bool live_process_user(uint32_t pid, uid_t *user);

/*
 * Its start in seconds since the Epoch, exact to about a second, because the clock may have been set. 0: no
 * such process.
 */
int64_t live_process_started_s(uint32_t pid);

#endif
