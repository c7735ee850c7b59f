#ifndef XPROF_UNWIND_UNWINDER_COUNTS_H
#define XPROF_UNWIND_UNWINDER_COUNTS_H

#include <stdint.h>

/* Where the time goes: counted over all walks. */
struct unwinder_counts {
	uint64_t walks;
	uint64_t frames;
	uint64_t rule_misses;    /* rules asked of a module */
	uint64_t mapping_misses; /* find_mapping() called */
	uint64_t replays;        /* walks begun again with all registers */
};

#endif
