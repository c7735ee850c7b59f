#ifndef XPROF_RECORD_PERMISSION_H
#define XPROF_RECORD_PERMISSION_H

/* Why perf_event_open() was refused, and the ways out, in one line. */

#include "base/error.h"

/* kernel.perf_event_paranoid (Documentation/admin-guide/perf-security.rst); 2, the default, when unreadable. */
int permission_paranoid_level(void);

/* `open_errno` of perf_event_open() for `event`, `system_wide` when it was for any thread. Returns -1. */
int permission_explain(struct error *err, int open_errno, const char *event, int system_wide);

#endif
