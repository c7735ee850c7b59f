#ifndef XPROF_BASE_USABLE_CPUS_H
#define XPROF_BASE_USABLE_CPUS_H

#include <stddef.h>

/* How many CPUs this process may run on (sched_setaffinity(2)), at least 1: as many threads are worth their while. */
size_t usable_cpus(void);

#endif
