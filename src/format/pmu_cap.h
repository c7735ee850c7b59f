#ifndef XPROF_FORMAT_PMU_CAP_H
#define XPROF_FORMAT_PMU_CAP_H

/* The header's facts about the recorded CPU's PMU (HEADER_CPU_PMU_CAPS, HEADER_PMU_CAPS), by the names in sysfs. */

#include "base/byte_reader.h"

/* The number that a capability has, "branches", from the bytes of both features; 0: neither says it. */
unsigned long pmu_cap_number(struct byte_reader cpu_caps, struct byte_reader pmu_caps, const char *name);

#endif
