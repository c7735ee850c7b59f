#ifndef XPROF_RECORD_PMU_CAPS_H
#define XPROF_RECORD_PMU_CAPS_H

/*
 * The capabilities of PMUs (SYS/bus/event_source/devices/PMU/caps: number of branches kept, precision,
 * counters), as HEADER_CPU_PMU_CAPS and HEADER_PMU_CAPS have it. Few virtual machines have any.
 */

#include "base/strbuf.h"

/* Append the section's bytes: of the PMU "cpu", and of all others; nothing where there are none. */
void pmu_caps_make_cpu(struct strbuf *section, const char *sys);
void pmu_caps_make_others(struct strbuf *section, const char *sys);

#endif
