#ifndef XPROF_REPORT_WAITS_IDLE_STACKS_H
#define XPROF_REPORT_WAITS_IDLE_STACKS_H

/* Finds the stacks of a finished profile that are of idle pools (idle_pools.h), and says how much time they are. */

#include <stdbool.h>

#include "base/strbuf.h"
#include "profile/profile.h"

/*
 * By node of the profile's stacks: do samples of time off the CPU end there that are of an idle pool? Nodes at which only samples
 * of other events end are not marked. NULL where that event was not recorded. The caller frees the array. Call it before
 * events are joined. Appends to `text`: "41.2% of the time off the CPU is left out: idle threads of Go's scheduler (30.1%),
 * Tokio's workers (11.1%)".
 */
bool *idle_stacks_find(const struct profile *profile, struct strbuf *text);

#endif
