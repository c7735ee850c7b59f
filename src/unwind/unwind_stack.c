/* The beginning of a walk, and the names of its results: see unwind_stack.h. */
#include "unwind/unwind_stack.h"

void unwind_mapping_place(struct unwind_mapping *found, uint64_t file_offset)
{
	uint64_t vaddr;

	if (found->module && elf_file_mapping_to_vaddr(module_file(found->module), file_offset,
						       found->end - found->start, &vaddr) == 0)
		found->bias = found->start - vaddr;
	else
		found->module = NULL;
}

bool unwind_stack_begin(struct unwind_stack *stack, const struct unwind_input *input)
{
	stack->count = 0;
	stack->at = input->pc;
	stack->value = 0;
	stack->return_slot = 0;
	stack->by_frame_pointer = false;
	stack->stack_bytes_used = 0;
	stack->end = UNWIND_END_NO_REGISTERS;
	return input->arch && input->registers.known >> input->arch->sp & 1 && stack->capacity;
}

const char *unwind_end_name(enum unwind_end end)
{
	static const char *const names[] = {
		[UNWIND_END_ROOT] = "root",
		[UNWIND_END_STACK_EXHAUSTED] = "stack exhausted",
		[UNWIND_END_NO_CFI] = "no unwind information",
		[UNWIND_END_BAD_RETURN_ADDRESS] = "bad return address",
		[UNWIND_END_BELOW_STACK] = "below the stack pointer",
		[UNWIND_END_BAD_CFA] = "bad frame address",
		[UNWIND_END_UNKNOWN_REGISTER] = "register not recorded",
		[UNWIND_END_BAD_EXPRESSION] = "bad expression",
		[UNWIND_END_DEPTH_LIMIT] = "depth limit",
		[UNWIND_END_NO_REGISTERS] = "no registers",
	};

	return end >= 0 && (size_t)end < sizeof(names) / sizeof(*names) ? names[end] : "unknown";
}

const char *unwind_how_name(enum unwind_how how)
{
	static const char *const names[] = {
		[UNWIND_HOW_REGISTERS] = "registers",
		[UNWIND_HOW_CFI] = "CFI",
		[UNWIND_HOW_FRAME_POINTER] = "frame pointer",
		[UNWIND_HOW_SIGNAL] = "signal",
		[UNWIND_HOW_UNPROVED_FP] = "frame pointer, unproved",
		[UNWIND_HOW_CODE] = "code",
		[UNWIND_HOW_ASSUMED] = "code, assumed",
		[UNWIND_HOW_GUESSED] = "guessed",
		[UNWIND_HOW_KERNEL_CHAIN] = "kernel chain",
	};

	return (size_t)how < sizeof(names) / sizeof(*names) ? names[how] : "unknown";
}
