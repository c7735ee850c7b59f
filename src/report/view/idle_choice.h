#ifndef XPROF_REPORT_VIEW_IDLE_CHOICE_H
#define XPROF_REPORT_VIEW_IDLE_CHOICE_H

/* --hide-idle: takes the waits of idle pools (report/waits/idle_pools.h) away, and says on standard error how much they are. */

#include <stdbool.h>

#include "base/error.h"
#include "profile/profile.h"

/*
 * For the filter's taken_stacks: see idle_stacks_find(), which is to be called before events are joined. NULL with an error where
 * time off the CPU was not recorded. The caller frees the array. `path` is the recording's, for messages.
 */
bool *idle_choice_find(const struct profile *profile, const char *path, bool quiet, struct error *err);

#endif
