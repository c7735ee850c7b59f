#ifndef XPROF_BASE_SATURATING_H
#define XPROF_BASE_SATURATING_H

/*
 * Sums of numbers from files. They saturate at UINT64_MAX, so that a damaged period cannot wrap around to a
 * small share. The order of addition does not matter.
 */

#include <stdint.h>

static inline void saturating_add(uint64_t *sum, uint64_t value)
{
	if (__builtin_add_overflow(*sum, value, sum))
		*sum = UINT64_MAX;
}

#endif
