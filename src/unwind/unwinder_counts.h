#ifndef XPROF_UNWIND_UNWINDER_COUNTS_H
#define XPROF_UNWIND_UNWINDER_COUNTS_H

#include <stdint.h>

/* Counts over all walks, which show where time is spent. */
struct unwinder_counts {
	uint64_t walks;
	uint64_t frames;
	uint64_t rule_misses;    /* lookups in a module, by module_rule() */
	uint64_t mapping_misses; /* calls of find_mapping() */
	uint64_t replays;        /* walks repeated with all registers */
};

#endif
