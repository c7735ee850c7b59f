#ifndef XPROF_RECORD_PROC_FILE_H
#define XPROF_RECORD_PROC_FILE_H

/*
 * Reads whole files of /proc and /sys, which do not tell their size, in as few calls as the kernel allows.
 *
 *     if (proc_file_read_number("/proc/sys/kernel/perf_event_paranoid", &paranoid, &err) == 0 && paranoid > 1)
 *             user_code_only = true;
 */

#include "base/error.h"
#include "base/strbuf.h"

/* Appends the bytes of the file. Returns 0, or -1 with err if it cannot be opened or read. */
int proc_file_read(struct strbuf *text, const char *path, struct error *err);

/* The same, with a path formatted as by printf(). */
int proc_file_readf(struct strbuf *text, struct error *err, const char *path_format, ...)
	__attribute__((format(printf, 3, 4)));

/* Reads the first number of a file. Returns 0, or -1 with err. */
int proc_file_read_number(const char *path, long long *number, struct error *err);

#endif
