/*
 * Follows the frame pointers through the dump, checking each against the kernel's chain, up to the slot that the dump lacks. From
 * there on the entries come from the chain.
 */
#include "unwind/stack_splice.h"

/*
 * Returns the index of the chain entry that the kernel read at `slot`; 0 if that cannot be shown. Follows the links through the
 * dump, and requires each entry to be the address that the kernel found.
 */
static size_t entry_read_at(const struct unwind_input *input, const uint64_t *chain, size_t count,
			    uint64_t slot)
{
	const uint64_t word_bytes = input->arch->word_bytes;
	uint64_t fp = input->registers.value[input->arch->fp], next, ra;

	if (!(input->registers.known >> input->arch->fp & 1) || count == 0 || chain[0] != input->pc)
		return 0;
	for (size_t entry = 1; entry < count; entry++) {
		if (fp + word_bytes == slot)
			return entry;
		if (!stack_memory_word(&input->stack, fp, &next) ||
		    !stack_memory_word(&input->stack, fp + word_bytes, &ra) || next <= fp ||
		    (ra & ~input->pac_mask) != chain[entry])
			return 0;
		fp = next;
	}
	return 0;
}

static bool push(struct unwind_stack *stack, uint64_t address)
{
	if (stack->count == stack->capacity)
		return false;
	stack->frames[stack->count++] = (struct unwind_frame){ .address = address,
							       .how = UNWIND_HOW_KERNEL_CHAIN,
							       .is_return_address = true };
	stack->at = address;
	return true;
}

size_t stack_splice(struct unwinder *unwinder, const struct unwind_input *input, const uint64_t *chain,
		    size_t chain_count, struct unwind_stack *stack)
{
	const size_t before = stack->count;
	enum unwind_row row;
	size_t entry;
	bool linked;

	if (stack->end != UNWIND_END_STACK_EXHAUSTED || !stack->return_slot || before == 0)
		return 0;
	entry = entry_read_at(input, chain, chain_count, stack->return_slot);
	if (entry == 0)
		return 0;
	linked = unwinder_row(unwinder, input, &stack->frames[before - 1]) == UNWIND_ROW_FRAME_POINTER;
	while (entry < chain_count && push(stack, chain[entry++])) {
		row = unwinder_row(unwinder, input, &stack->frames[stack->count - 1]);
		if (row == UNWIND_ROW_ROOT)
			stack->end = UNWIND_END_ROOT;
		if (!linked || row != UNWIND_ROW_FRAME_POINTER)
			break;
	}
	stack->return_slot = 0; /* the slot was filled; any word still missing lies elsewhere */
	return stack->count - before;
}
