#include "truth/shadow_stack.h"

#include <stdlib.h>

#include "base/xalloc.h"

enum { MAX_STACKS = 16 }; /* per thread: a further one replaces the oldest that is not in use */

/* One stack: its frames, outermost first. */
struct strand {
	struct shadow_bounds bounds;
	struct shadow_frame *entries;
	size_t count, capacity;
	bool complete;
	bool interrupts; /* a handler's stack, which interrupted `below` */
	size_t below;
	bool used;
};

/*
 * A function that pops its own return address and then calls another: musl's sigsetjmp. Until it pushes the address again, after
 * its call or after the longjmp that returns from the call a second time, its caller cannot be found.
 */
struct put_away {
	struct shadow_frame frame; /* slot 0: none */
	uint64_t returns_to;       /* the return address of its call */
	bool is_away;
};

struct shadow_stack {
	struct put_away put_away;
	struct strand strands[MAX_STACKS];
	size_t current;
	size_t next; /* the next to be replaced */
	bool popped; /* the innermost return address was just popped */
};

static bool in_bounds(const struct shadow_bounds *bounds, uint64_t sp)
{
	return sp >= bounds->low && sp < bounds->high;
}

static struct strand *current(struct shadow_stack *stack)
{
	return &stack->strands[stack->current];
}

struct shadow_stack *shadow_stack_create(struct shadow_bounds bounds, bool complete)
{
	struct shadow_stack *stack = xcalloc(1, sizeof(*stack));

	stack->strands[0] = (struct strand){ .bounds = bounds, .complete = complete, .used = true };
	return stack;
}

void shadow_stack_destroy(struct shadow_stack *stack)
{
	if (!stack)
		return;
	for (size_t i = 0; i < MAX_STACKS; i++)
		free(stack->strands[i].entries);
	free(stack);
}

static void push(struct strand *strand, uint64_t slot, uint64_t address, bool is_return_address)
{
	strand->entries =
		array_grow(strand->entries, &strand->capacity, strand->count + 1, sizeof(*strand->entries));
	strand->entries[strand->count++] = (struct shadow_frame){ .address = address,
								  .slot = slot,
								  .is_return_address = is_return_address };
}

static void drop_below(struct strand *strand, uint64_t sp)
{
	while (strand->count > 0 && strand->entries[strand->count - 1].slot < sp)
		strand->count--;
}

/* Notes whether the call overwrites the return address of its own function. */
static void note_put_away(struct shadow_stack *stack, uint64_t slot, uint64_t return_address)
{
	const struct strand *strand = current(stack);
	const struct shadow_frame *top = strand->count > 0 ? &strand->entries[strand->count - 1] : NULL;

	if (top && top->slot == slot && top->is_return_address)
		stack->put_away = (struct put_away){ *top, return_address, true };
}

void shadow_stack_arrived(struct shadow_stack *stack, uint64_t pc, uint64_t sp)
{
	struct put_away *put_away = &stack->put_away;

	if (put_away->frame.slot != 0 && pc == put_away->returns_to && sp == put_away->frame.slot + 8)
		put_away->is_away = true;
}

static void take_back(struct shadow_stack *stack)
{
	push(current(stack), stack->put_away.frame.slot, stack->put_away.frame.address, true);
	stack->put_away.is_away = false;
}

void shadow_stack_step(struct shadow_stack *stack, struct instruction instruction, uint64_t sp_before,
		       uint64_t sp_after, uint64_t return_address)
{
	struct strand *strand = current(stack);

	/* The pops that follow the one of the return address leave it in its register. */
	if (instruction.kind == INSTRUCTION_POP && strand->count > 0)
		stack->popped |= strand->entries[strand->count - 1].slot == sp_before;
	switch (instruction.kind) {
	case INSTRUCTION_CALL:
		if (sp_after != sp_before - 8)
			return; /* the call faulted */
		note_put_away(stack, sp_after, return_address);
		drop_below(strand, sp_before);
		push(strand, sp_after, return_address, true);
		break;
	case INSTRUCTION_RETURN:
	case INSTRUCTION_INDIRECT_JUMP: drop_below(strand, sp_after); break;
	case INSTRUCTION_SYSCALL:
		/* rt_sigreturn restores the stack pointer. */
		if (sp_after != sp_before)
			drop_below(strand, sp_after);
		break;
	default:
		if (stack->put_away.is_away && sp_after == stack->put_away.frame.slot &&
		    sp_before == sp_after + 8)
			take_back(stack);
		break;
	}
	if (strand->count == 0 || strand->entries[strand->count - 1].slot >= sp_after)
		stack->popped = false;
}

void shadow_stack_link_step(struct shadow_stack *stack, struct instruction instruction, uint64_t sp_before,
			    uint64_t sp_after, uint64_t return_address, uint64_t link)
{
	struct strand *strand = current(stack);
	const struct shadow_frame *top;

	switch (instruction.kind) {
	case INSTRUCTION_CALL:
		drop_below(strand, sp_before);
		push(strand, sp_after, return_address, true);
		return;
	case INSTRUCTION_SYSCALL:
		if (sp_after != sp_before)
			drop_below(strand, sp_after);
		return;
	case INSTRUCTION_RETURN:
	case INSTRUCTION_INDIRECT_JUMP: drop_below(strand, sp_after); break;
	default: return;
	}
	top = strand->count ? &strand->entries[strand->count - 1] : NULL;
	if (top && top->slot == sp_after && (instruction.kind == INSTRUCTION_RETURN || top->address != link))
		strand->count--;
}

void shadow_stack_saved(struct shadow_stack *stack, uint64_t address, uint64_t link)
{
	struct strand *strand = current(stack);
	struct shadow_frame *top = strand->count > 0 ? &strand->entries[strand->count - 1] : NULL;

	if (top && address < top->slot && link == top->address)
		top->saved_at = address;
}

bool shadow_stack_holds(const struct shadow_stack *stack, uint64_t sp)
{
	return in_bounds(&stack->strands[stack->current].bounds, sp);
}

/* Was this strand interrupted by the handler that runs on the current one? */
static bool is_interrupted(const struct shadow_stack *stack, size_t number)
{
	size_t i = stack->current;

	for (size_t guard = 0; stack->strands[i].interrupts && guard < MAX_STACKS; guard++) {
		i = stack->strands[i].below;
		if (i == number)
			return true;
	}
	return false;
}

static size_t begin_strand(struct shadow_stack *stack, struct shadow_bounds bounds)
{
	size_t number;

	do
		number = stack->next++ % MAX_STACKS;
	while (number == stack->current || is_interrupted(stack, number) ||
	       (stack->strands[number].used && stack->next < MAX_STACKS));
	stack->strands[number].bounds = bounds;
	stack->strands[number].count = 0;
	stack->strands[number].complete = false;
	stack->strands[number].interrupts = false;
	stack->strands[number].used = true;
	return number;
}

void shadow_stack_switch(struct shadow_stack *stack, uint64_t sp, struct shadow_bounds bounds)
{
	stack->popped = false;
	for (size_t i = 0; i < MAX_STACKS; i++) {
		if (!stack->strands[i].used || !in_bounds(&stack->strands[i].bounds, sp))
			continue;
		/* The handler has ended, by return or by siglongjmp. */
		if (is_interrupted(stack, i))
			current(stack)->used = false;
		stack->current = i;
		return;
	}
	stack->current = begin_strand(stack, bounds);
}

void shadow_stack_move(struct shadow_stack *stack, struct shadow_bounds from, struct shadow_bounds to)
{
	for (size_t i = 0; i < MAX_STACKS; i++) {
		struct strand *strand = &stack->strands[i];

		if (!strand->used || strand->bounds.low != from.low || strand->bounds.high != from.high)
			continue;
		strand->bounds = to;
		for (size_t n = 0; n < strand->count; n++)
			strand->entries[n].slot += to.high - from.high;
	}
}

void shadow_stack_forget(struct shadow_stack *stack)
{
	current(stack)->count = 0;
	current(stack)->complete = false;
	stack->popped = false;
}

void shadow_stack_signal(struct shadow_stack *stack, uint64_t sp, uint64_t trampoline, uint64_t pc_slot,
			 uint64_t interrupted_pc, struct shadow_bounds bounds)
{
	if (!shadow_stack_holds(stack, sp)) {
		size_t below = stack->current;

		stack->current = begin_strand(stack, bounds);
		current(stack)->interrupts = true;
		current(stack)->below = below;
	}
	stack->popped = false;
	push(current(stack), pc_slot, interrupted_pc, false);
	push(current(stack), sp, trampoline, true);
}

size_t shadow_stack_frames(const struct shadow_stack *stack, struct shadow_frame *frames, size_t capacity,
			   bool *complete, size_t *here)
{
	const struct strand *strand = &stack->strands[stack->current];
	size_t count = 0;

	*here = strand->count;
	for (;;) {
		for (size_t i = strand->count; i-- > 0; count++)
			if (count < capacity)
				frames[count] = strand->entries[i];
		if (!strand->interrupts)
			break;
		strand = &stack->strands[strand->below];
	}
	*complete = strand->complete;
	return count;
}

bool shadow_stack_in_transfer(const struct shadow_stack *stack, uint64_t sp)
{
	const struct strand *strand = &stack->strands[stack->current];
	const struct shadow_frame *top;

	if (stack->put_away.is_away)
		return true;
	if (strand->count == 0)
		return false;
	top = &strand->entries[strand->count - 1];
	if (top->slot >= sp)
		return false;
	return !stack->popped || (strand->count > 1 && top[-1].slot < sp);
}

bool shadow_stack_top(const struct shadow_stack *stack, uint64_t *address, uint64_t *slot)
{
	const struct strand *strand = &stack->strands[stack->current];

	if (strand->count == 0)
		return false;
	*address = strand->entries[strand->count - 1].address;
	*slot = strand->entries[strand->count - 1].slot;
	return strand->entries[strand->count - 1].is_return_address;
}
