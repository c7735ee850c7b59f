#ifndef XPROF_RECORD_PROCESS_NAME_H
#define XPROF_RECORD_PROCESS_NAME_H

/* Processes by name, for -p NAME. */

#include <stdbool.h>
#include <sys/types.h>

/*
 * Is `name` the text of /proc/PID/comm, or the file name of the program in /proc/PID/cmdline? The kernel cuts
 * comm to 15 characters, so for a longer name the script after an interpreter counts, too. False for a
 * process that has ended.
 */
bool process_name_is(const char *proc, pid_t pid, const char *name);

#endif
