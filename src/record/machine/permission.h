#ifndef XPROF_RECORD_PERMISSION_H
#define XPROF_RECORD_PERMISSION_H

/* Explains in one line why perf_event_open() was refused, and what the user can do. */

#include <stdbool.h>
#include <sys/types.h>

#include "base/error.h"

/* kernel.perf_event_paranoid (Documentation/admin-guide/perf-security.rst); 2, the default, when unreadable. */
int permission_paranoid_level(void);

enum permission_capability { /* CAP_*, linux/capability.h; older headers lack the last */
			     PERMISSION_IPC_LOCK = 14,
			     PERMISSION_SYS_ADMIN = 21,
			     PERMISSION_PERFMON = 38,
};

/* Does this process have the capability (CapEff of PROC/self/status)? */
bool permission_has(const char *proc, enum permission_capability capability);

/* Does it have CAP_PERFMON, or CAP_SYS_ADMIN, which includes it? */
bool permission_has_perfmon(const char *proc);

/* Sets err for `open_errno`, with which `event` was refused in process `pid` (-1: any). Always returns -1. */
int permission_explain(struct error *err, int open_errno, const char *event, pid_t pid);

#endif
