#ifndef XPROF_RECORD_PROCESS_NAME_H
#define XPROF_RECORD_PROCESS_NAME_H

/* Processes by name, for -p NAME. */

#include <stdbool.h>
#include <sys/types.h>

/*
 * Is it what /proc/PID/comm says, or the file name of the program in /proc/PID/cmdline? The kernel cuts comm to 15 characters: a
 * longer name may also be that of a script behind its interpreter. False for a process that has ended.
 */
bool process_name_is(const char *proc, pid_t pid, const char *name);

#endif
