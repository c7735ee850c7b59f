#ifndef XPROF_BASE_PARTITION_POINT_H
#define XPROF_BASE_PARTITION_POINT_H

#include <stddef.h>

/*
 * Binary search: the first index i, from `first` up to `end`, for which the condition is false; `end` if it is true for all.
 * It must be true for all indexes before that one and false for all from there on:
 *
 *     count = PARTITION_POINT(i, 0, list->count, list->items[i].start <= address);
 */
#define PARTITION_POINT(i, first, end, condition)                   \
	__extension__({                                             \
		size_t low_ = (first), high_ = (end);               \
		while (low_ < high_) {                              \
			const size_t i = low_ + (high_ - low_) / 2; \
			if (condition)                              \
				low_ = i + 1;                       \
			else                                        \
				high_ = i;                          \
		}                                                   \
		low_;                                               \
	})

#endif
