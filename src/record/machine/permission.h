#ifndef XPROF_RECORD_PERMISSION_H
#define XPROF_RECORD_PERMISSION_H

/* Why perf_event_open() was refused, and the ways out, in one line. */

#include <sys/types.h>

#include "base/error.h"

/* kernel.perf_event_paranoid (Documentation/admin-guide/perf-security.rst); 2, the default, when unreadable. */
int permission_paranoid_level(void);

/* `open_errno` of perf_event_open() for `event` in process `pid` (-1: any). Returns -1. */
int permission_explain(struct error *err, int open_errno, const char *event, pid_t pid);

#endif
