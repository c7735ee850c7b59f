#ifndef XPROF_RECORD_PMU_H
#define XPROF_RECORD_PMU_H

/*
 * PMUs as sysfs describes them (Documentation/ABI/testing/
 * sysfs-bus-event_source-devices-{format,events}):
 *
 *	DIRECTORY/PMU/type          the attr.type
 *	DIRECTORY/PMU/format/TERM   "config:0-7,32-35": the bits that TERM's value is spread over
 *	DIRECTORY/PMU/events/NAME   "event=0x3c,umask=0x1": a list of terms
 */

#include "base/error.h"
#include "record/event/event_spec.h"

/* Does sysfs describe a PMU of this name? */
bool pmu_exists(const char *directory, const char *pmu);

/*
 * Sets type, config and the common terms (event_term.h) of an event "PMU/TERM[=VALUE],.../". Returns 0, or -1
 * with err.
 */
int pmu_parse_terms(struct event_spec *spec, const char *directory, const char *pmu, const char *terms,
		    struct error *err);

/*
 * Looks for an event of the CPU's own PMU ("mem-loads") and sets type and configs. Returns 1, 0 if there is
 * none, -1 with err if its description is damaged.
 */
int pmu_find_cpu_event(struct event_spec *spec, const char *directory, const char *name, struct error *err);

/* Returns whether the CPU is in a list of sysfs, such as event_spec.cpus; true if `cpus` is NULL. */
bool pmu_has_cpu(const char *cpus, int cpu);

/*
 * Spreads `value` over the bits of `format`, the text of a format file, and ORs them into the config that it
 * names.
 */
int pmu_format_apply(struct event_spec *spec, const char *format, uint64_t value, struct error *err);

#endif
