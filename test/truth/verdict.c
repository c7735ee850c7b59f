#include "truth/verdict.h"

/* The index of the address among the true callers from `from` on; truth->count if it is not there. */
static size_t find_caller(const struct truth *truth, size_t from, uint64_t address)
{
	while (from < truth->count && truth->callers[from].address != address)
		from++;
	return from;
}

static bool is_marked(const struct unwind_frame *frame)
{
	return frame->how == UNWIND_HOW_GUESSED || frame->how == UNWIND_HOW_UNPROVED_FP;
}

static void blame(struct verdict *verdict, bool marked, int *first, size_t frame)
{
	if (marked)
		verdict->marked++;
	else
		verdict->wrong++;
	if (*first < 0)
		*first = (int)frame;
}

static void miss(struct verdict *verdict, size_t count, int *first, size_t frame)
{
	verdict->missing += count;
	if (count > 0 && *first < 0)
		*first = (int)frame;
}

int verdict_add(struct verdict *verdict, const struct truth *truth, const struct unwind_stack *stack,
		bool truncated)
{
	bool marked = false;
	size_t next = 0, found;
	int first = -1;

	verdict->stacks++;
	verdict->ends[stack->end]++;
	for (size_t i = 1; i < stack->count; i++) {
		if (next == truth->count && !truth->complete)
			break;
		verdict->frames++;
		marked |= is_marked(&stack->frames[i]);
		found = find_caller(truth, next, stack->frames[i].address);
		if (found == next && found < truth->count) {
			verdict->right++;
		} else {
			/* It is wrong even if it is a caller, but not the next one. */
			blame(verdict, marked, &first, i - 1);
			if (found < truth->count)
				miss(verdict, found - next, &first, i - 1);
		}
		if (found < truth->count)
			next = found + 1;
	}
	if (stack->end == UNWIND_END_ROOT && next < truth->count)
		blame(verdict, marked, &first, stack->count - 1);
	if (!truncated) {
		verdict->true_frames += truth->readable;
		if (next < truth->readable)
			miss(verdict, truth->readable - next, &first, stack->count - 1);
	}
	return first;
}

void verdict_sum(struct verdict *to, const struct verdict *from)
{
	to->stacks += from->stacks;
	to->frames += from->frames;
	to->right += from->right;
	to->wrong += from->wrong;
	to->marked += from->marked;
	to->missing += from->missing;
	to->true_frames += from->true_frames;
	for (size_t i = 0; i < VERDICT_ENDS; i++)
		to->ends[i] += from->ends[i];
}
