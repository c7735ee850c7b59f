#ifndef XPROF_FORMAT_BRANCH_HISTORY_H
#define XPROF_FORMAT_BRANCH_HISTORY_H

/*
 * --branch-history: the branches of a sample as its innermost callers. Iterations of a loop that look alike are one, and
 * branches that are calls of the sample's call chain stand for them. The rules are those of perf:
 * thread__resolve_callchain_sample() and remove_loops(), tools/perf/util/machine.c.
 */

#include <stddef.h>
#include <stdint.h>

#include "format/branch_entry.h"
#include "format/sample.h"

enum { BRANCH_HISTORY_MAX = 127 }; /* branches; perf takes a sample with more for damaged */

struct branch_step {
	struct branch_entry branch;
	uint32_t iterations;       /* of a loop, left out before the branch that comes next in time */
	uint64_t iteration_cycles; /* of the last of them that was left out */
};

struct branch_history {
	struct branch_step steps[BRANCH_HISTORY_MAX]; /* the latest first */
	size_t count;
	size_t covered; /* frames of the call chain, from its leaf, that are among the branches */
};

/* Of the latest `most` branches of the sample; none if it has more than BRANCH_HISTORY_MAX. */
void branch_history_of(struct branch_history *history, const struct sample *sample, size_t most);

#endif
