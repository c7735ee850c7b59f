#ifndef XPROF_FORMAT_BRANCH_ENTRY_H
#define XPROF_FORMAT_BRANCH_ENTRY_H

/* struct perf_branch_entry, linux/perf_event.h: one taken branch of a sample's branch stack. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "format/sample.h"

enum { BRANCH_TYPE_EXTENDED = 15 }; /* PERF_BR_EXTEND_ABI: new_type is the type */

struct branch_entry {
	uint64_t from, to;
	bool mispredicted, predicted; /* both false: not recorded */
	bool in_transaction, transaction_abort;
	uint16_t cycles;     /* CPU cycles since the previous branch; 0: not recorded */
	uint8_t type;        /* PERF_BR_* */
	uint8_t speculation; /* PERF_BR_SPEC_* */
	uint8_t new_type;    /* PERF_BR_NEW_*, when type is BRANCH_TYPE_EXTENDED */
	uint8_t privilege;   /* PERF_BR_PRIV_* */
};

/* Entry `number` (below sample->branch_count), the latest branch first. */
struct branch_entry sample_branch(const struct sample *sample, size_t number);

#endif
