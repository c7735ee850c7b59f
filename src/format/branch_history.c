/*
 * leave_out_loops() goes from the latest branch to the earliest. A sequence of branches that come from the same
 * instructions as the sequence before it is one more iteration of a loop: it is removed, and the entry that takes its place
 * counts it.
 */
#include "format/branch_history.h"

#include <stdbool.h>
#include <string.h>

#include "format/callchain.h"

enum {
	LONGEST_CALL_BYTES = 8, /* how far a return address can be from its call */
	LOOP_SLOTS = 127,
	LOOP_SLOT_BITS = 7,
	NO_STEP = 0xff,
};

/*
 * The table's slot for an address; it has the first step from that address. As in perf there are no chains: an address
 * whose slot is taken is never remembered, and its loop stays. A better table would only make trees differ from perf's by
 * chance.
 */
static unsigned int loop_slot(uint64_t from)
{
	return (unsigned int)(from * 0x61c8864680b583ebu >> (64 - LOOP_SLOT_BITS)) %
	       LOOP_SLOTS; /* hash_64() */
}

/* Length of the iteration at `second`, if its steps come from where those at `first` do; 0 if any step differs. */
static size_t turn_length(const struct branch_history *history, size_t first, size_t second)
{
	size_t length = 0;

	for (; first + length < second && second + length < history->count; length++)
		if (history->steps[first + length].branch.from != history->steps[second + length].branch.from)
			return 0;
	return length;
}

static void leave_out_turn(struct branch_history *history, size_t start, size_t length)
{
	struct branch_step *steps = history->steps;
	const size_t behind = history->count - start - length;
	uint64_t cycles = 0;

	if (!length)
		return;
	for (size_t i = start; i < start + length; i++)
		cycles += steps[i].branch.cycles;
	memmove(steps + start, steps + start + length, behind * sizeof(*steps));
	history->count -= length;
	if (!behind)
		return;
	steps[start].iterations++;
	steps[start].iteration_cycles = cycles;
}

static void leave_out_loops(struct branch_history *history)
{
	uint8_t first_from[LOOP_SLOTS];

	memset(first_from, NO_STEP, sizeof(first_from));
	for (size_t i = 0; i < history->count; i++) {
		const uint64_t from = history->steps[i].branch.from;
		uint8_t *first = &first_from[loop_slot(from)];

		if (*first == NO_STEP)
			*first = (uint8_t)i;
		else if (history->steps[*first].branch.from == from)
			leave_out_turn(history, i, turn_length(history, *first, i));
	}
}

static bool is_call_of(uint64_t from, uint64_t return_address)
{
	return from < return_address && return_address - from <= LONGEST_CALL_BYTES;
}

/* Number of frames at the chain's leaf whose calls are among the branches. Looks at one entry of the chain for each branch. */
static size_t find_covered(const struct branch_history *history, const struct sample *sample)
{
	size_t entry = 0, frames = 0;

	for (size_t i = 0; i < history->count && entry < sample->callchain_count; i++) {
		const uint64_t address = sample_callchain_entry(sample, entry);

		if (callchain_is_marker(address)) {
			entry++;
		} else if (is_call_of(history->steps[i].branch.from, address)) {
			entry++;
			frames++;
		}
	}
	return frames;
}

void branch_history_of(struct branch_history *history, const struct sample *sample, size_t most)
{
	history->count = history->covered = 0;
	if (sample->branch_count > BRANCH_HISTORY_MAX)
		return;
	history->count = sample->branch_count < most ? sample->branch_count : most;
	for (size_t i = 0; i < history->count; i++)
		history->steps[i] = (struct branch_step){ .branch = sample_branch(sample, i) };
	history->covered = find_covered(history, sample);
	leave_out_loops(history);
}
