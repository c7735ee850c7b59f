#ifndef XPROF_RECORD_BRANCH_REFUSAL_H
#define XPROF_RECORD_BRANCH_REFUSAL_H

/* Explains why branches cannot be recorded, and what to do instead, from the PMUs in sysfs. */

#include <linux/perf_event.h>
#include <stdint.h>

#include "base/error.h"

/*
 * `name` is the event's; `refused_kinds` comes from branch_probe_refused_kinds(); `directory` is
 * pmu_directory of event_spec.h. Always returns -1.
 */
int branch_refusal_explain(const struct perf_event_attr *attr, const char *name, uint64_t refused_kinds,
			   const char *directory, struct error *err);

#endif
