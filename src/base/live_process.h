#ifndef XPROF_BASE_LIVE_PROCESS_H
#define XPROF_BASE_LIVE_PROCESS_H

/* Facts about a process that still runs, from /proc. */

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

/* Its number in its innermost PID namespace (proc(5), NSpid); `pid` itself where that is not known. */
uint32_t live_process_inner_pid(uint32_t pid);

/* The user it runs as. False: there is no such process. */
bool live_process_user(uint32_t pid, uid_t *user);

/*
 * When it began, in seconds since the Epoch, right to about a second, since the clock may have been set. 0: there is no
 * such process.
 */
int64_t live_process_started_s(uint32_t pid);

#endif
