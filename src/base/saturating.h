#ifndef XPROF_BASE_SATURATING_H
#define XPROF_BASE_SATURATING_H

/*
 * Sums of what files say. They saturate, which (unlike wrapping) cannot turn a damaged period into a small share; and
 * what is added in another order, or in parts, comes to the same.
 */

#include <stdint.h>

static inline void saturating_add(uint64_t *sum, uint64_t value)
{
	if (__builtin_add_overflow(*sum, value, sum))
		*sum = UINT64_MAX;
}

#endif
