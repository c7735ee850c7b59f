#ifndef XPROF_REPORT_VIEW_IDLE_CHOICE_H
#define XPROF_REPORT_VIEW_IDLE_CHOICE_H

/*
 * --hide-idle: leaves out the waits of idle pools (report/waits/idle_pools.h), and says on standard error how
 * much time they are.
 */

#include <stdbool.h>

#include "base/error.h"
#include "profile/profile.h"

/*
 * Returns the array for the filter's taken_stacks, as idle_stacks_find(); the caller frees it. Call it before
 * events are joined. Returns NULL with err if time off the CPU was not recorded. `path` is that of the
 * recording, for messages.
 */
bool *idle_choice_find(const struct profile *profile, const char *path, bool quiet, struct error *err);

#endif
