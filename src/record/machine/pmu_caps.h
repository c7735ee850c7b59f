#ifndef XPROF_RECORD_PMU_CAPS_H
#define XPROF_RECORD_PMU_CAPS_H

/*
 * What PMUs say that they can (SYS/bus/event_source/devices/PMU/caps: branches that are
 * kept, precision, counters), as HEADER_CPU_PMU_CAPS and HEADER_PMU_CAPS have it. Few
 * virtual machines have any.
 */

#include "base/strbuf.h"

/* Append the section's bytes: of the PMU "cpu", and of all others; nothing where there are none. */
void pmu_caps_make_cpu(struct strbuf *section, const char *sys);
void pmu_caps_make_others(struct strbuf *section, const char *sys);

#endif
