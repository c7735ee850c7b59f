#ifndef XPROF_REPORT_WAITS_IDLE_STACKS_H
#define XPROF_REPORT_WAITS_IDLE_STACKS_H

/* Finds the stacks of idle pools (idle_pools.h) in a finished profile, and how much time they are. */

#include <stdbool.h>

#include "base/strbuf.h"
#include "profile/profile.h"

/*
 * Returns an array by node of the profile's stacks: is the node the leaf of samples of time off the CPU in an
 * idle pool? Leaves of only other events are not marked. The caller frees it. Returns NULL if time off the
 * CPU was not recorded. Call it before events are joined. Appends to `text`: "41.2% of the time off the CPU
 * is left out: idle threads of Go's scheduler (30.1%), Tokio's workers (11.1%)".
 */
bool *idle_stacks_find(const struct profile *profile, struct strbuf *text);

#endif
