#ifndef XPROF_RECORD_PMU_CAPS_H
#define XPROF_RECORD_PMU_CAPS_H

/*
 * The capabilities of PMUs (SYS/bus/event_source/devices/PMU/caps: number of branches kept, precision,
 * counters), for HEADER_CPU_PMU_CAPS and HEADER_PMU_CAPS. Few virtual machines have any.
 */

#include "base/strbuf.h"

/*
 * Append the bytes of a section: for the PMU "cpu", or for all others. They append nothing if there are none.
 */
void pmu_caps_make_cpu(struct strbuf *section, const char *sys);
void pmu_caps_make_others(struct strbuf *section, const char *sys);

#endif
