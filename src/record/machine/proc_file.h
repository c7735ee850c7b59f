#ifndef XPROF_RECORD_PROC_FILE_H
#define XPROF_RECORD_PROC_FILE_H

/*
 * Whole files of /proc and /sys, which have no size, read in as few calls as the kernel allows.
 *
 *     if (proc_file_read_number("/proc/sys/kernel/perf_event_paranoid", &paranoid, &err) == 0 && paranoid > 1)
 *             user_code_only = true;
 */

#include "base/error.h"
#include "base/strbuf.h"

/* Appends the file's bytes. -1 with err when it cannot be opened or read. */
int proc_file_read(struct strbuf *text, const char *path, struct error *err);

/* As above, path made by printf. */
int proc_file_readf(struct strbuf *text, struct error *err, const char *path_format, ...)
	__attribute__((format(printf, 3, 4)));

/* The first number of a file such as /proc/sys/kernel/perf_event_paranoid. */
int proc_file_read_number(const char *path, long long *number, struct error *err);

#endif
