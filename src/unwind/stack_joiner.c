/*
 * A direct-mapped table of threads, each with a ring of its last complete stacks. Joining compares the outermost three
 * frames with each of them; find_callers() refuses if two stacks went on differently, or if the last four did not have
 * the same callers. KNOWN_FRAMES and THREADS bound the memory.
 */
#include "unwind/stack_joiner.h"

#include <stdlib.h>
#include <string.h>

#include "base/hash_table.h"
#include "base/xalloc.h"

enum {
	MATCH_FRAMES = 3, /* must agree; a single call site is often at the same depth by chance */
	/*
	 * The last STEADY_STACKS complete stacks must all have had the callers that are taken over. Of 44,000 joins of stock
	 * programs (test/sweep) one in 480 was wrong without this, one in 3,900 with 1, 20,000 with 2, none with 4.
	 */
	STEADY_STACKS = 4,
	KNOWN_STACKS = 16,  /* per thread, the most recent */
	THREADS = 64,       /* a power of two; enough for the threads that run at about the same time */
	KNOWN_FRAMES = 256, /* per stack; deeper stacks are not remembered */
};

struct known_stack {
	uint32_t count;
	uint32_t capacity;
	struct unwind_frame *frames; /* leaf first */
};

struct known_thread {
	uint64_t thread;
	uint64_t learnt; /* stacks learnt so far; the last has index (learnt - 1) % KNOWN_STACKS */
	struct known_stack stacks[KNOWN_STACKS];
};

struct stack_joiner {
	struct known_thread threads[THREADS];
};

struct stack_joiner *stack_joiner_create(void)
{
	return xcalloc(1, sizeof(struct stack_joiner));
}

void stack_joiner_destroy(struct stack_joiner *joiner)
{
	if (!joiner)
		return;
	for (size_t i = 0; i < THREADS; i++)
		for (size_t j = 0; j < KNOWN_STACKS; j++)
			free(joiner->threads[i].stacks[j].frames);
	free(joiner);
}

size_t stack_joiner_bytes(const struct stack_joiner *joiner)
{
	size_t bytes = sizeof(*joiner);

	for (size_t i = 0; i < THREADS; i++)
		for (size_t j = 0; j < KNOWN_STACKS; j++)
			bytes += joiner->threads[i].stacks[j].capacity * sizeof(struct unwind_frame);
	return bytes;
}

static size_t slot_of(uint64_t thread)
{
	return hash_u64(thread) & (THREADS - 1);
}

/* --- learning ---------------------------------------------------------------- */

static bool is_worth_it(const struct unwind_stack *stack)
{
	if (stack->end != UNWIND_END_ROOT || stack->count > KNOWN_FRAMES)
		return false;
	for (size_t i = 0; i < stack->count; i++)
		if (stack->frames[i].how == UNWIND_HOW_GUESSED || stack->frames[i].joined ||
		    stack->frames[i].sp == 0)
			return false;
	return true;
}

static void make_room(struct known_stack *known, size_t count)
{
	enum { STEP = 32 };

	if (count <= known->capacity)
		return;
	known->capacity = ((uint32_t)count + STEP - 1) / STEP * STEP;
	free(known->frames);
	known->frames = xmalloc(known->capacity * sizeof(*known->frames));
}

void stack_joiner_learn(struct stack_joiner *joiner, uint64_t thread, const struct unwind_stack *stack)
{
	struct known_thread *slot = &joiner->threads[slot_of(thread)];
	struct known_stack *known;

	if (!is_worth_it(stack))
		return;
	if (slot->thread != thread)
		slot->learnt = 0;
	slot->thread = thread;
	known = &slot->stacks[slot->learnt++ % KNOWN_STACKS];
	make_room(known, stack->count);
	known->count = (uint32_t)stack->count;
	memcpy(known->frames, stack->frames, stack->count * sizeof(*known->frames));
}

/* --- joining ----------------------------------------------------------------- */

/* The thread's complete stacks, newest first: 0 is the last. NULL if there is none so far back. */
static const struct known_stack *known_before(const struct known_thread *slot, uint64_t back)
{
	return back < slot->learnt && back < KNOWN_STACKS ?
		       &slot->stacks[(slot->learnt - 1 - back) % KNOWN_STACKS] :
		       NULL;
}

/*
 * Finds the frame by its stack pointer, beginning at the root. Stack pointers rise towards the root, except on signal stacks, so
 * the search is short.
 */
static const struct unwind_frame *frame_at(const struct known_stack *known, const struct unwind_frame *wanted)
{
	for (uint32_t i = known->count; i-- > 0;)
		if (known->frames[i].sp == wanted->sp)
			return known->frames[i].address == wanted->address &&
					       known->frames[i].is_return_address ==
						       wanted->is_return_address ?
				       &known->frames[i] :
				       NULL;
	return NULL;
}

/* Returns the frame of a complete stack that agrees with the outermost frame, if the two below agree as well; else NULL. */
static const struct unwind_frame *match(const struct known_stack *known, const struct unwind_stack *stack)
{
	const struct unwind_frame *outermost = &stack->frames[stack->count - 1];
	const struct unwind_frame *found = frame_at(known, outermost);

	if (!found || found - known->frames < MATCH_FRAMES - 1)
		return NULL;
	for (int i = 1; i < MATCH_FRAMES; i++)
		if (found[-i].address != outermost[-i].address || found[-i].sp != outermost[-i].sp)
			return NULL;
	return found;
}

/* Do both stacks have these callers, up to the root? */
static bool has_callers(const struct known_stack *known, const struct unwind_frame *callers, size_t count)
{
	const struct unwind_frame *own;

	if (known->count < count)
		return false;
	own = known->frames + known->count - count;
	for (size_t i = 0; i < count; i++)
		if (own[i].address != callers[i].address || own[i].sp != callers[i].sp)
			return false;
	return true;
}

/* Did each of the thread's last complete stacks have these callers? */
static bool is_steady(const struct known_thread *slot, const struct unwind_frame *callers, size_t count)
{
	for (uint64_t back = 0; back < STEADY_STACKS; back++) {
		const struct known_stack *known = known_before(slot, back);

		if (!known || !has_callers(known, callers, count))
			return false;
	}
	return true;
}

static size_t callers_above(const struct known_stack *known, const struct unwind_frame *frame)
{
	return (size_t)(known->frames + known->count - (frame + 1));
}

/* Returns the *count callers of the outermost frame; NULL if they are not certain. */
static const struct unwind_frame *find_callers(const struct known_thread *slot,
					       const struct unwind_stack *stack, size_t *count)
{
	const struct known_stack *known;
	const struct unwind_frame *callers = NULL;

	for (uint64_t back = 0; (known = known_before(slot, back)) != NULL; back++) {
		const struct unwind_frame *found = match(known, stack);

		if (!found)
			continue;
		if (!callers) {
			callers = found + 1;
			*count = callers_above(known, found);
		} else if (callers_above(known, found) != *count || !has_callers(known, callers, *count)) {
			return NULL; /* two stacks had different callers */
		}
	}
	return callers && *count && is_steady(slot, callers, *count) ? callers : NULL;
}

size_t stack_joiner_join(const struct stack_joiner *joiner, uint64_t thread, struct unwind_stack *stack)
{
	const struct known_thread *slot = &joiner->threads[slot_of(thread)];
	const struct unwind_frame *callers;
	size_t count = 0;

	if (stack->end != UNWIND_END_STACK_EXHAUSTED || !stack->return_slot || stack->count < MATCH_FRAMES ||
	    slot->thread != thread)
		return 0;
	callers = find_callers(slot, stack, &count);
	/* The missing return address must lie between the frame and its caller. */
	if (!callers || count > stack->capacity - stack->count ||
	    stack->return_slot < stack->frames[stack->count - 1].sp || stack->return_slot >= callers[0].sp)
		return 0;
	for (size_t i = 0; i < count; i++) {
		stack->frames[stack->count] = callers[i];
		stack->frames[stack->count++].joined = true;
	}
	stack->at = callers[count - 1].address;
	stack->end = UNWIND_END_ROOT;
	stack->return_slot = 0;
	return count;
}
