#ifndef XPROF_FORMAT_BRANCH_HISTORY_H
#define XPROF_FORMAT_BRANCH_HISTORY_H

/*
 * --branch-history: turns the branches of a sample into its innermost callers. Equal iterations of a loop become one. A
 * branch that is a call of the sample's call chain replaces that frame of the chain. The rules are those of perf:
 * thread__resolve_callchain_sample() and remove_loops(), tools/perf/util/machine.c.
 */

#include <stddef.h>
#include <stdint.h>

#include "format/branch_entry.h"
#include "format/sample.h"

enum { BRANCH_HISTORY_MAX = 127 }; /* branches; perf regards a sample with more as damaged */

struct branch_step {
	struct branch_entry branch;
	uint32_t iterations;       /* iterations of a loop that were left out between this branch and the next
				      one in time */
	uint64_t iteration_cycles; /* CPU cycles of the last iteration that was left out */
};

struct branch_history {
	struct branch_step steps[BRANCH_HISTORY_MAX]; /* the latest first */
	size_t count;
	size_t covered; /* innermost frames of the call chain that the branches replace */
};

/*
 * Uses the latest `most` branches of the sample. The result is empty if the sample has more than
 * BRANCH_HISTORY_MAX.
 */
void branch_history_of(struct branch_history *history, const struct sample *sample, size_t most);

#endif
