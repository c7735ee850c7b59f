#ifndef XPROF_BASE_USABLE_CPUS_H
#define XPROF_BASE_USABLE_CPUS_H

#include <stddef.h>

/*
 * The number of CPUs on which this process may run (sched_setaffinity(2)), at least 1. More threads than that
 * gain nothing.
 */
size_t usable_cpus(void);

#endif
