#ifndef XPROF_REPORT_DIFF_CHAIN_ALIGNMENT_H
#define XPROF_REPORT_DIFF_CHAIN_ALIGNMENT_H

/*
 * One stack found in two ways: the whole of it, and a chain that should be the same. Where the chain leaves
 * out callers (a function that has not set up its frame pointer hides its caller), where it ends, and where
 * it continues with functions that are no callers.
 *
 *   whole  leaf parse read_line main _start
 *   chain  leaf       read_line main          skips parse behind leaf; ends behind main
 */

#include <stddef.h>
#include <stdint.h>

enum chain_fault {
	CHAIN_AGREES,  /* all frames of either are the other's */
	CHAIN_SKIPS,   /* frames of the whole are missing, and it goes on */
	CHAIN_ENDS,    /* it has no further frames */
	CHAIN_STRAYS,  /* its next frame is none of the whole's */
	CHAIN_FARTHER, /* it goes on where the whole has no further frames */
	CHAIN_FAULTS,
};

/* A fault lies behind the frame `at` of the whole, which both have. */
struct chain_break {
	enum chain_fault fault;
	size_t at;
	size_t count; /* frames of the whole that are missing; of the chain that are too many when it strays or is farther */
};

struct chain_alignment {
	struct chain_break first; /* CHAIN_AGREES: there is none */
	struct chain_break
		last; /* the fault that it ends with: CHAIN_ENDS, CHAIN_STRAYS, CHAIN_FARTHER or CHAIN_AGREES */
	size_t skips;   /* how often the chain skips */
	size_t skipped; /* frames that it skips in all */
	size_t common;  /* frames that both have, the leaf among them */
};

/* Called for each skip, innermost first. */
typedef void chain_skip(void *context, const struct chain_break *skip);

/*
 * Addresses from the leaf outwards; both begin with it. An address that comes again (recursion) is taken for the next
 * one of its kind. `skip` may be NULL.
 */
struct chain_alignment chain_align(const uint64_t *whole, size_t whole_count, const uint64_t *chain,
				   size_t chain_count, chain_skip *skip, void *context);

#endif
