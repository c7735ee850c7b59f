/*
 * One pass searches the rest of the whole stack for each address of the chain. Frames between two hits were skipped; the first
 * address that is not found ends the pass.
 */
#include "report/diff/chain_alignment.h"

/* The first frame of the whole stack, from `from` on, at this address; whole_count if there is none. */
static size_t find(const uint64_t *whole, size_t whole_count, size_t from, uint64_t address)
{
	while (from < whole_count && whole[from] != address)
		from++;
	return from;
}

static void add_skip(struct chain_alignment *alignment, const struct chain_break *skip, chain_skip *report,
		     void *context)
{
	if (alignment->first.fault == CHAIN_AGREES)
		alignment->first = *skip;
	alignment->skips++;
	alignment->skipped += skip->count;
	if (report)
		report(context, skip);
}

static void set_last(struct chain_alignment *alignment, enum chain_fault fault, size_t at, size_t count)
{
	alignment->last = (struct chain_break){ fault, at, count };
	if (alignment->first.fault == CHAIN_AGREES)
		alignment->first = alignment->last;
}

struct chain_alignment chain_align(const uint64_t *whole, size_t whole_count, const uint64_t *chain,
				   size_t chain_count, chain_skip *skip, void *context)
{
	struct chain_alignment alignment = { .first.fault = CHAIN_AGREES, .last.fault = CHAIN_AGREES };
	size_t next = 0, i; /* indexes of the whole stack and of the chain */

	for (i = 0; i < chain_count; i++) {
		size_t found = find(whole, whole_count, next, chain[i]);

		if (found == whole_count)
			break;
		if (found > next && next)
			add_skip(&alignment, &(struct chain_break){ CHAIN_SKIPS, next - 1, found - next },
				 skip, context);
		alignment.common++;
		next = found + 1;
	}
	if (i < chain_count)
		set_last(&alignment, next < whole_count ? CHAIN_STRAYS : CHAIN_FARTHER, next ? next - 1 : 0,
			 chain_count - i);
	else if (next < whole_count)
		set_last(&alignment, CHAIN_ENDS, next ? next - 1 : 0, whole_count - next);
	return alignment;
}
