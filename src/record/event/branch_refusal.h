#ifndef XPROF_RECORD_BRANCH_REFUSAL_H
#define XPROF_RECORD_BRANCH_REFUSAL_H

/* Why no branches are recorded, and what to do instead, from what sysfs says of the machine's PMUs. */

#include <linux/perf_event.h>
#include <stdint.h>

#include "base/error.h"

/*
 * `directory` is that of PMUs (event_spec.h); `refused_kinds` as of branch_probe_refused_kinds(). Returns -1.
 */
int branch_refusal_explain(const struct perf_event_attr *attr, const char *name, uint64_t refused_kinds,
			   const char *directory, struct error *err);

#endif
