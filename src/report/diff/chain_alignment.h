#ifndef XPROF_REPORT_DIFF_CHAIN_ALIGNMENT_H
#define XPROF_REPORT_DIFF_CHAIN_ALIGNMENT_H

/*
 * Compares a chain of frame pointers with the whole stack: finds where the chain skips callers (a function
 * that has not set up its frame pointer hides its caller), where it ends, and where it continues with
 * functions that are not callers.
 *
 *   whole  leaf parse read_line main _start
 *   chain  leaf       read_line main          skips parse behind leaf; ends behind main
 */

#include <stddef.h>
#include <stdint.h>

enum chain_fault {
	CHAIN_AGREES,  /* both have the same frames */
	CHAIN_SKIPS,   /* frames of the whole stack are missing, then it goes on */
	CHAIN_ENDS,    /* it has no further frames */
	CHAIN_STRAYS,  /* its next frame is not in the whole stack */
	CHAIN_FARTHER, /* it goes on after the end of the whole stack */
	CHAIN_FAULTS,
};

/* A difference after frame `at` of the whole stack, which both have. */
struct chain_break {
	enum chain_fault fault;
	size_t at;
	/* missing frames of the whole stack; for STRAYS and FARTHER the surplus frames of the chain */
	size_t count;
};

struct chain_alignment {
	struct chain_break first; /* CHAIN_AGREES: there is none */
	/* the difference at its end: CHAIN_ENDS, CHAIN_STRAYS, CHAIN_FARTHER or CHAIN_AGREES */
	struct chain_break last;
	size_t skips;   /* number of skips */
	size_t skipped; /* frames skipped in all */
	size_t common;  /* frames that both have, including the leaf */
};

/* Called for each skip, innermost first. */
typedef void chain_skip(void *context, const struct chain_break *skip);

/*
 * Compares two lists of addresses, leaf first; the leaf must be the same. A repeated address (recursion) is
 * matched with the next occurrence. `skip` may be NULL.
 */
struct chain_alignment chain_align(const uint64_t *whole, size_t whole_count, const uint64_t *chain,
				   size_t chain_count, chain_skip *skip, void *context);

#endif
