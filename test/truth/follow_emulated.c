#include "truth/follow_emulated.h"

#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "truth/emulated_process.h"
#include "truth/sampling.h"

enum { PC_SLOT = 312 + 8 * 32 }; /* in a signal frame, see arch_aarch64.c */

/* Pointer authentication codes lie above the 48 bits of an address, below the top byte, which is ignored. */
#define PAC_MASK ((uint64_t)0x007f000000000000)

struct run {
	struct emulated_process *process;
	struct shadow_stack *shadow;
	struct sampling sampling;
	bool lost;
};

static void fill_input(struct run *run, struct unwind_input *input, struct shadow_bounds bounds)
{
	const struct emulated_registers *registers = emulated_process_registers(run->process);

	*input = (struct unwind_input){ .arch = &unwind_arch_aarch64,
					.pc = registers->pc,
					.pac_mask = PAC_MASK };
	memcpy(input->registers.value, registers->x, sizeof(registers->x));
	input->registers.value[AARCH64_SP] = registers->sp;
	input->registers.known = (uint64_t)1 << (AARCH64_SP + 1);
	input->registers.known--;
	sampling_fill_input(&run->sampling, input, registers->sp, bounds);
}

/*
 * Is the caller's return address still somewhere? If it was saved above the stack pointer, it must still be there. If it was not
 * saved, or the function has popped it, it must be in a register: the link register before the next call, or one that calls keep.
 */
static bool is_anywhere(const struct shadow_frame *caller, const struct unwind_input *input, bool innermost)
{
	const size_t first = innermost ? 0 : AARCH64_X19, last = innermost ? AARCH64_LR : AARCH64_FP;
	uint64_t word;

	if (caller->saved_at && caller->saved_at >= input->stack.address)
		return stack_memory_word(&input->stack, caller->saved_at, &word) &&
		       (word & ~PAC_MASK) == caller->address;
	for (size_t i = first; i <= last; i++)
		if ((input->registers.value[i] & ~PAC_MASK) == caller->address)
			return true;
	return false;
}

/*
 * Cuts the truth at the first return address that is neither in a register nor in its slot: longjmp overwrites it with its
 * target, swapcontext after putting it away, libgcc to reach a landing pad, and Go's start-up code never keeps it. Such a frame
 * cannot be found, and neither can its callers. Returns false if nothing is left.
 */
static bool cut_where_gone(struct truth *truth, const struct unwind_input *input)
{
	for (size_t i = 0; i < truth->readable; i++) {
		if (!truth->callers[i].is_return_address || is_anywhere(&truth->callers[i], input, i == 0))
			continue;
		truth->count = truth->readable = i;
		truth->complete = false;
		return i > 0;
	}
	return true;
}

static void sample(struct run *run)
{
	const uint64_t sp = emulated_process_registers(run->process)->sp;
	struct shadow_bounds bounds = process_image_stack(run->sampling.image, sp);
	struct unwind_input input;
	struct truth truth;

	if (bounds.high == 0 || bounds.high - sp > SAMPLING_MAX_STACK_BYTES)
		return;
	if (shadow_stack_in_transfer(run->shadow, sp)) {
		run->sampling.result->in_transfer++;
		return;
	}
	if (!sampling_find_truth(&run->sampling, run->shadow, &truth))
		return;
	fill_input(run, &input, bounds);
	if (!cut_where_gone(&truth, &input)) {
		run->sampling.result->rewritten++;
		return;
	}
	sampling_compare(&run->sampling, &input, &truth, emulated_process_instruction(run->process).kind);
}

/*
 * Returns the stack pointer at the handler's entry. The emulator stops behind the handler's first instruction, which may have
 * made its frame: stp with pre-index, or sub (Arm ARM, C6.2.353 and C6.2.401).
 */
static uint64_t sp_at_entry(struct run *run)
{
	const struct emulated_registers *registers = emulated_process_registers(run->process);
	uint32_t word = 0;

	(void)process_image_read(run->sampling.image, registers->pc - 4, &word, sizeof(word));
	if ((word & 0xffc003e0) == 0xa98003e0)
		return registers->sp + 8 * (128 - (word >> 15 & 127));
	if ((word & 0xffc003ff) == 0xd10003ff)
		return registers->sp + (word >> 10 & 4095);
	return registers->sp;
}

static void enter_handler(struct run *run)
{
	const struct emulated_registers *registers = emulated_process_registers(run->process);
	uint64_t interrupted, sp = sp_at_entry(run);

	if (process_image_read(run->sampling.image, sp + PC_SLOT, &interrupted, sizeof(interrupted)) !=
	    sizeof(interrupted)) {
		run->lost = true;
		return;
	}
	shadow_stack_signal(run->shadow, sp, registers->x[30], sp + PC_SLOT, interrupted,
			    process_image_stack(run->sampling.image, sp));
}

/*
 * Learns where x30 is saved: by stp with x30 as its second register, with an offset or pre-index; by str with a scaled offset, an
 * unscaled one, or pre-index (Arm ARM, C6.2.353 and C6.2.357). The offset counts from the base register's value before the
 * instruction.
 */
static void learn_save(struct run *run, uint32_t word, const struct emulated_registers *before)
{
	enum { LINK = 30, SP = 31 };
	const uint32_t base_register = word >> 5 & 31;
	const uint64_t base = base_register == SP ? before->sp : before->x[base_register];
	int64_t pair = (int64_t)((word >> 15 & 127) ^ 64) - 64;
	int64_t single = (int64_t)((word >> 12 & 511) ^ 256) - 256;
	uint64_t address;

	if ((word & 0xff407c00) == (0xa9000000 | LINK << 10))
		address = base + (uint64_t)(pair * 8) + 8;
	else if ((word & 0xffc0001f) == (0xf9000000 | LINK))
		address = base + 8 * (word >> 10 & 4095);
	else if ((word & 0xffe0041f) == (0xf8000000 | LINK))
		address = base + (uint64_t)single;
	else
		return;
	shadow_stack_saved(run->shadow, address, before->x[LINK] & ~PAC_MASK);
}

/* The emulator executes the instruction behind a system call in the same step. */
static void learn_second(struct run *run, const struct emulated_registers *before)
{
	const struct emulated_registers *now = emulated_process_registers(run->process);
	uint32_t word = 0;

	(void)process_image_read(run->sampling.image, before->pc + 4, &word, sizeof(word));
	if (now->pc == before->pc + 4 || now->sp != before->sp)
		return;
	shadow_stack_link_step(run->shadow, instruction_decode_aarch64(word), now->sp, now->sp,
			       before->pc + 8, now->x[30] & ~PAC_MASK);
}

static bool step(struct run *run)
{
	const struct emulated_registers before = *emulated_process_registers(run->process);
	const struct emulated_registers *now = emulated_process_registers(run->process);
	struct instruction instruction = emulated_process_instruction(run->process);
	uint32_t word = 0;
	enum traced_stop stop;

	if (sampling_is_due(&run->sampling, before.pc))
		sample(run);
	(void)process_image_read(run->sampling.image, before.pc, &word, sizeof(word));
	stop = emulated_process_step(run->process);
	run->sampling.steps++;
	run->sampling.since_call++;
	if (stop == TRACED_ENDED)
		return false;
	if (stop == TRACED_ENTERED) {
		enter_handler(run);
		return !run->lost;
	}
	if (now->pc == before.pc)
		return true; /* a signal is about to come */
	if (!shadow_stack_holds(run->shadow, now->sp))
		shadow_stack_switch(run->shadow, now->sp, process_image_stack(run->sampling.image, now->sp));
	shadow_stack_link_step(run->shadow, instruction, before.sp, now->sp, before.pc + 4,
			       now->x[30] & ~PAC_MASK);
	learn_save(run, word, &before);
	if (instruction.kind == INSTRUCTION_SYSCALL)
		learn_second(run, &before);
	if (instruction.kind == INSTRUCTION_CALL)
		run->sampling.since_call = 0;
	return true;
}

int follow_emulated(char *const arguments[], const struct follow_options *options, struct module_cache *cache,
		    struct unwinder *unwinder, struct follow_result *result, struct error *err)
{
	struct run *run = xcalloc(1, sizeof(*run));
	int status = -1;

	sampling_init(&run->sampling, options, result, unwinder);
	run->process = emulated_process_start(arguments, cache, err);
	if (run->process) {
		uint64_t sp = emulated_process_registers(run->process)->sp;

		run->sampling.image = emulated_process_image(run->process);
		run->shadow = shadow_stack_create(process_image_stack(run->sampling.image, sp), true);
		while (run->sampling.steps < options->max_steps && step(run))
			;
		result->steps += run->sampling.steps;
		status = 0;
		emulated_process_kill(run->process);
	}
	shadow_stack_destroy(run->shadow);
	sampling_fini(&run->sampling);
	free(run);
	return status;
}
