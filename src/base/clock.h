#ifndef XPROF_BASE_CLOCK_H
#define XPROF_BASE_CLOCK_H

#include <stdint.h>

/* CLOCK_MONOTONIC, in nanoseconds. */
uint64_t clock_now_ns(void);

#endif
