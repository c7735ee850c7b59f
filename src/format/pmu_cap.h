#ifndef XPROF_FORMAT_PMU_CAP_H
#define XPROF_FORMAT_PMU_CAP_H

/* Facts about the recorded CPU's PMU from the header (HEADER_CPU_PMU_CAPS, HEADER_PMU_CAPS), by their names in sysfs. */

#include "base/byte_reader.h"

/* The number that is the value of a capability such as "branches"; 0 if neither feature has it. */
unsigned long pmu_cap_number(struct byte_reader cpu_caps, struct byte_reader pmu_caps, const char *name);

#endif
