#ifndef XPROF_PROFILE_BRANCH_MARKS_H
#define XPROF_PROFILE_BRANCH_MARKS_H

/*
 * With --branch-history, stacks contain only the addresses of branches. Everything else that is known of each branch of a
 * sample is in a mark; the marks are one text of the sample's keys (SAMPLE_KEY_BRANCH_MARKS), the latest branch first.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/strbuf.h"

enum { BRANCH_MARK_NEW_KINDS = 16, BRANCH_MARK_KINDS = 32 };

struct branch_mark {
	bool predicted, aborted;
	bool forward;                /* the target has a higher address */
	bool crosses_4k, crosses_2m; /* the target is in another page of that size; never both */
	uint8_t kind;              /* PERF_BR_*, or PERF_BR_NEW_* after BRANCH_MARK_NEW_KINDS; 0: not known */
	uint16_t cycles;           /* CPU cycles since the previous branch */
	uint32_t iterations;       /* of a loop that were left out, see format/branch_history.h */
	uint64_t iteration_cycles; /* CPU cycles of the last of these iterations */
};

void branch_mark_add_text(struct strbuf *out, const struct branch_mark *mark);
/* Reads at most `capacity` marks from a text. Returns their number. */
size_t branch_marks_read(const char *text, struct branch_mark *marks, size_t capacity);

#endif
