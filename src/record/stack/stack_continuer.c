/* Continues stacks beyond their dumps with memory read from the process, see stack_continuer.h. */

#include "record/stack/stack_continuer.h"

#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "record/stack/process_memory.h"
#include "record/stack/stack_reads.h"

enum {
	/*
	 * In a program in which two callers alternate (test/continued/programs/alternate.c), 113 of 250 accepted stacks were the
	 * other caller's without this rule, 4 of 34 with an age of 10, none of 79 with 16.
	 */
	LEAST_AGE = 16,
	WORD_BYTES = 8,
	MAX_FRAMES = 16384, /* of a stack; deeper ones stay cut */
	/* Below a frame's end are its return address and a register that it saved, or a word of its own. */
	FRAME_END_BYTES = 16,
	/* Read beyond the outermost frame, for unwind rules that look there and see that there is no further caller. */
	ABOVE_ROOT_BYTES = 256,
	/* Read below the end of this sample's dump, because the next sample's dump may end there. */
	BELOW_DUMP_END_BYTES = 4096,
};

struct walked_stack {
	struct unwind_stack stack;
	struct unwind_frame frames[MAX_FRAMES];
};

struct stack_continuer {
	struct live_unwinder *unwinder;
	struct stack_reads *reads;
	struct walked_stack before, after; /* walked with the memory read then */
};

struct stack_continuer *stack_continuer_create(struct live_unwinder *unwinder)
{
	struct stack_continuer *continuer = xcalloc(1, sizeof(*continuer));

	continuer->unwinder = unwinder;
	continuer->reads = stack_reads_create();
	continuer->before.stack =
		(struct unwind_stack){ .frames = continuer->before.frames, .capacity = MAX_FRAMES };
	continuer->after.stack =
		(struct unwind_stack){ .frames = continuer->after.frames, .capacity = MAX_FRAMES };
	return continuer;
}

void stack_continuer_destroy(struct stack_continuer *continuer)
{
	if (!continuer)
		return;
	stack_reads_destroy(continuer->reads);
	free(continuer);
}

void stack_continuer_begin_round(struct stack_continuer *continuer)
{
	stack_reads_begin_round(continuer->reads);
}

bool stack_continuer_is_going_on(const struct stack_continuer *continuer)
{
	return stack_reads_are_going_on(continuer->reads);
}

/* --- walking on --------------------------------------------------------------------------- */

/* The dump of a sample, in whole words. */
static struct stack_memory dump_of(const struct stack_continuer *continuer, const struct sample_parts *parts)
{
	return (struct stack_memory){ .bytes = parts->dump,
				      .size = parts->filled & ~(size_t)(WORD_BYTES - 1),
				      .address = live_unwinder_sp(continuer->unwinder, parts) };
}

/* Walks with the dump, and above it with the memory that was read. */
static void walk_on(const struct stack_continuer *continuer, const struct sample_parts *parts,
		    const struct stack_memory *above, struct unwind_stack *stack)
{
	struct stack_memory memory = dump_of(continuer, parts);
	struct sample_parts longer = *parts;

	memory.outer = above;
	longer.copy = &memory;
	live_unwinder_walk(continuer->unwinder, &longer, LIVE_UNWINDER_ALL_BYTES, stack);
}

/*
 * Walks with the process's memory as it is now, and reads more of it until the walk reaches the start of the thread. Returns
 * false if the memory cannot be read.
 */
static bool walk_after(struct stack_continuer *continuer, const struct sample_parts *parts, uint64_t from,
		       struct stack_bracket *bracket)
{
	static const size_t sizes[] = { 16 * 1024, 64 * 1024, PROCESS_MEMORY_MAX_BYTES };
	struct unwind_stack *stack = &continuer->after.stack;

	for (size_t i = 0; i < sizeof(sizes) / sizeof(*sizes); i++) {
		if (!stack_reads_bracket(continuer->reads, parts->pid, parts->tid, from, sizes[i], bracket))
			return false;
		walk_on(continuer, parts, &bracket->after, stack);
		if (stack->end != UNWIND_END_STACK_EXHAUSTED || bracket->ended)
			break;
	}
	return true;
}

/* --- is it the stack that was there? ---------------------------------------------------------- */

static bool is_exact(const struct unwind_frame *frame)
{
	return frame->how == UNWIND_HOW_CFI || frame->how == UNWIND_HOW_FRAME_POINTER;
}

/* Whether the words that led to a frame have been the same for long, and still are. */
static bool is_steady(const struct stack_bracket *bracket, const struct unwind_frame *frame)
{
	const uint64_t end = frame->sp;
	const uint8_t *before, *after;

	if (end < FRAME_END_BYTES)
		return false;
	before = stack_memory_at(&bracket->before, end - FRAME_END_BYTES, FRAME_END_BYTES);
	after = stack_memory_at(&bracket->after, end - FRAME_END_BYTES, FRAME_END_BYTES);
	return before && after && memcmp(before, after, FRAME_END_BYTES) == 0 &&
	       stack_bracket_age(bracket, end - WORD_BYTES) >= LEAST_AGE;
}

static bool is_confirmed(const struct stack_continuer *continuer, const struct stack_bracket *bracket,
			 size_t first)
{
	const struct unwind_stack *before = &continuer->before.stack, *after = &continuer->after.stack;

	if (before->end != UNWIND_END_ROOT || before->count != after->count || first == 0)
		return false;
	for (size_t i = first; i < after->count; i++) {
		const struct unwind_frame *a = &after->frames[i], *b = &before->frames[i];

		if (a->address != b->address || a->how != b->how || a->sp != b->sp || !is_exact(a) ||
		    !is_steady(bracket, a))
			return false;
	}
	return true;
}

/* The first frame, counted from the leaf, whose return address is above the dump. */
static size_t first_above(const struct unwind_stack *stack, uint64_t dump_end)
{
	size_t first = 0;

	while (first < stack->count && stack->frames[first].sp <= dump_end)
		first++;
	return first;
}

enum stack_continuation stack_continuer_continue(struct stack_continuer *continuer,
						 const struct sample_parts *parts, struct unwind_stack *stack,
						 size_t *first)
{
	const struct stack_memory dump = dump_of(continuer, parts);
	const uint64_t dump_end = dump.address + dump.size, from = dump_end - BELOW_DUMP_END_BYTES;
	const struct unwind_stack *after = &continuer->after.stack;
	struct stack_bracket bracket;
	size_t above;

	if (!walk_after(continuer, parts, from, &bracket))
		return STACK_UNREADABLE;
	if (after->end != UNWIND_END_ROOT || after->count > stack->capacity)
		return STACK_UNCONFIRMED;
	stack_reads_need(continuer->reads, parts->pid, parts->tid, from,
			 after->frames[after->count - 1].sp + ABOVE_ROOT_BYTES);
	walk_on(continuer, parts, &bracket.before, &continuer->before.stack);
	above = first_above(after, dump_end);
	if (above == after->count || !is_confirmed(continuer, &bracket, above))
		return STACK_UNCONFIRMED;
	memcpy(stack->frames, after->frames, after->count * sizeof(*after->frames));
	stack->count = after->count;
	stack->end = UNWIND_END_ROOT;
	stack->at = after->at;
	*first = above;
	return STACK_CONTINUED;
}
