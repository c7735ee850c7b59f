#ifndef XPROF_PROFILE_BRANCH_MARKS_H
#define XPROF_PROFILE_BRANCH_MARKS_H

/*
 * Stacks with --branch-history have the ends of branches alone. The rest is in a mark for each branch of a sample, the latest
 * first, as a text among the sample's keys (SAMPLE_KEY_BRANCH_MARKS).
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/strbuf.h"

enum { BRANCH_MARK_NEW_KINDS = 16, BRANCH_MARK_KINDS = 32 };

struct branch_mark {
	bool predicted, aborted;
	bool forward;                /* leads to a higher address */
	bool crosses_4k, crosses_2m; /* leads to another page of that size; never both */
	uint8_t kind;              /* PERF_BR_*, or PERF_BR_NEW_* after BRANCH_MARK_NEW_KINDS; 0: not known */
	uint16_t cycles;           /* since the branch before it */
	uint32_t iterations;       /* of a loop that were left out before it, see format/branch_history.h */
	uint64_t iteration_cycles; /* of one of them */
};

void branch_mark_add_text(struct strbuf *out, const struct branch_mark *mark);
/* The marks of a text, at most `capacity`, and their number. */
size_t branch_marks_read(const char *text, struct branch_mark *marks, size_t capacity);

#endif
