#include "truth/follow_emulated.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "truth/emulated_process.h"

enum {
	MAX_FRAMES = 4096,
	MAX_STACK_BYTES = 4 << 20,
	SEEN_BITS = 16,
	SAMPLE_ONE_IN = 16,
	SWEEP_ONE_IN = 8,
	ENTRY_STEPS = 3,
	PC_SLOT = 312 + 8 * 32, /* of a signal frame: see arch_aarch64.c */
};

/* Pointer authentication codes lie above the 48 bits of an address, the top byte apart, which is ignored. */
#define PAC_MASK ((uint64_t)0x007f000000000000)

struct run {
	struct emulated_process *process;
	struct shadow_stack *shadow;
	struct unwinder *unwinder;
	const struct follow_options *options;
	struct follow_result *result;
	uint64_t random, steps, since_call;
	bool lost;
	uint8_t seen[1 << SEEN_BITS];
	struct unwind_frame frames[MAX_FRAMES];
	struct shadow_frame callers[MAX_FRAMES];
	uint8_t *stack;
};

/* xorshift64: the same samples for the same seed. */
static uint64_t next_random(struct run *run)
{
	run->random ^= run->random << 13;
	run->random ^= run->random >> 7;
	run->random ^= run->random << 17;
	return run->random;
}

static bool is_new(struct run *run, uint64_t pc)
{
	uint64_t hash = pc * 0x9e3779b97f4a7c15 >> (64 - SEEN_BITS);
	bool seen = run->seen[hash];

	run->seen[hash] = 1;
	return !seen;
}

static enum place find_place(struct run *run, const struct truth *truth)
{
	const uint64_t pc = emulated_process_registers(run->process)->pc;
	const char *path = emulated_process_path(run->process, pc);
	struct unwind_mapping mapping;

	for (size_t i = 0; i < truth->count; i++)
		if (!truth->callers[i].is_return_address)
			return PLACE_SIGNAL;
	if (strstr(path, "libgcc_s"))
		return PLACE_THROW;
	if (strstr(path, "/ld-"))
		return PLACE_LOADER;
	if (emulated_process_find(run->process, pc, &mapping) && mapping.module &&
	    module_file(mapping.module) && module_is_plt(mapping.module, pc - mapping.bias))
		return PLACE_PLT;
	if (emulated_process_instruction(run->process).kind == INSTRUCTION_RETURN)
		return PLACE_RETURN;
	return run->since_call < ENTRY_STEPS ? PLACE_ENTRY : PLACE_BODY;
}

static void print_address(struct run *run, const char *what, uint64_t address, bool is_return_address)
{
	const char *path = emulated_process_path(run->process, address);
	struct unwind_mapping mapping = { .module = NULL };
	char *symbol;

	(void)emulated_process_find(run->process, address, &mapping);
	symbol = module_symbol(mapping.module, path, address - mapping.bias - is_return_address);
	fprintf(run->options->differences, "#   %s %s (%s 0x%" PRIx64 ")\n", what, symbol, path,
		address - mapping.bias);
	free(symbol);
}

/* One difference of each neighbourhood is enough. */
static bool is_new_place(struct run *run, uint64_t address)
{
	enum { NEAR_BITS = 6 };
	struct follow_result *result = run->result;

	for (size_t i = 0; i < result->printed; i++)
		if (result->printed_near[i] == address >> NEAR_BITS)
			return false;
	result->printed_near[result->printed] = address >> NEAR_BITS;
	return result->printed < FOLLOW_MAX_DIFFERENCES;
}

static void print_difference(struct run *run, const struct truth *truth, const struct unwind_stack *stack,
			     size_t at, const char *what)
{
	if (!run->options->differences || run->result->printed >= run->options->max_differences ||
	    !is_new_place(run, stack->frames[at].address))
		return;
	run->result->printed++;
	fprintf(run->options->differences, "# step %" PRIu64 ", %s, %zu of %zu callers, end: %s\n",
		run->steps, what, stack->count - 1, truth->count, unwind_end_name(stack->end));
	print_address(run, "at", stack->frames[0].address, false);
	if (at > 0)
		print_address(run, "frame", stack->frames[at].address, stack->frames[at].is_return_address);
	if (at + 1 < stack->count)
		print_address(run, unwind_how_name(stack->frames[at + 1].how), stack->frames[at + 1].address,
			      stack->frames[at + 1].is_return_address);
	if (at < truth->count)
		print_address(run, "true", truth->callers[at].address, truth->callers[at].is_return_address);
}

static void unwind(struct run *run, const struct unwind_input *input, struct unwind_stack *stack)
{
	*stack = (struct unwind_stack){ .frames = run->frames, .capacity = MAX_FRAMES };
	unwinder_walk(run->unwinder, input, stack);
}

static void sweep(struct run *run, struct unwind_input input, const struct truth *truth)
{
	size_t size = input.stack.size;
	struct unwind_stack stack;
	int at;

	for (size_t bytes = 256; bytes <= 65536; bytes *= 2) {
		input.stack.size = bytes < size ? bytes : size;
		unwind(run, &input, &stack);
		at = verdict_add(&run->result->sweep, truth, &stack, true);
		if (at >= 0)
			print_difference(run, truth, &stack, (size_t)at, "stack cut");
	}
}

static void fill_input(struct run *run, struct unwind_input *input, struct shadow_bounds bounds)
{
	const struct emulated_registers *registers = emulated_process_registers(run->process);

	*input = (struct unwind_input){ .arch = &unwind_arch_aarch64,
					.pc = registers->pc,
					.pac_mask = PAC_MASK,
					.find_mapping = emulated_process_find,
					.context = run->process,
					.space = emulated_process_space(run->process) };
	memcpy(input->registers.value, registers->x, sizeof(registers->x));
	input->registers.value[AARCH64_SP] = registers->sp;
	input->registers.known = (uint64_t)1 << (AARCH64_SP + 1);
	input->registers.known--;
	input->stack.bytes = run->stack;
	input->stack.address = registers->sp;
	input->stack.size =
		emulated_process_read(run->process, registers->sp, run->stack, bounds.high - registers->sp);
}

/*
 * Where it was saved it has to be still; that lies above the stack pointer, or in a register of the function that popped
 * it. Where it was not, a register has it: the link register as long as nothing is called, or one that calls keep.
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
 * Is a return address nowhere, neither in a register nor below its call? longjmp overwrites it with where it goes,
 * swapcontext once it has put it away, libgcc when it goes to a landing pad, and Go's start never keeps it. What is not
 * there cannot be found, nor what called there. False when that is all there is.
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
	struct shadow_bounds bounds = emulated_process_stack(run->process, sp);
	struct truth truth = { .callers = run->callers };
	struct unwind_input input;
	struct unwind_stack stack;
	int at;

	if (bounds.high == 0 || bounds.high - sp > MAX_STACK_BYTES)
		return;
	if (shadow_stack_in_transfer(run->shadow, sp)) {
		run->result->in_transfer++;
		return;
	}
	truth.count =
		shadow_stack_frames(run->shadow, run->callers, MAX_FRAMES, &truth.complete, &truth.readable);
	if (truth.count >= MAX_FRAMES)
		return;
	fill_input(run, &input, bounds);
	if (!cut_where_gone(&truth, &input)) {
		run->result->rewritten++;
		return;
	}
	unwind(run, &input, &stack);
	verdict_add(&run->result->places[find_place(run, &truth)], &truth, &stack, false);
	at = verdict_add(&run->result->whole, &truth, &stack, false);
	if (at >= 0)
		print_difference(run, &truth, &stack, (size_t)at, "whole stack");
	if (run->options->sweep && next_random(run) % SWEEP_ONE_IN == 0)
		sweep(run, input, &truth);
}

/*
 * The emulator stops behind the handler's first instruction, which may have made its frame: where the stack pointer was
 * before. stp with pre-index, and sub (Arm ARM, C6.2.353 and C6.2.401).
 */
static uint64_t sp_at_entry(struct run *run)
{
	const struct emulated_registers *registers = emulated_process_registers(run->process);
	uint32_t word = 0;

	(void)emulated_process_read(run->process, registers->pc - 4, &word, sizeof(word));
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

	if (emulated_process_read(run->process, sp + PC_SLOT, &interrupted, sizeof(interrupted)) !=
	    sizeof(interrupted)) {
		run->lost = true;
		return;
	}
	shadow_stack_signal(run->shadow, sp, registers->x[30], sp + PC_SLOT, interrupted,
			    emulated_process_stack(run->process, sp));
}

/*
 * stp with x30 as its second register, with an offset or pre-index; str of x30 with a scaled offset; with another, or
 * pre-index (Arm ARM, C6.2.353 and C6.2.357). What the base register was before is where the offset counts from.
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

/* The emulator takes the instruction behind a system call in the same step. */
static void learn_second(struct run *run, const struct emulated_registers *before)
{
	const struct emulated_registers *now = emulated_process_registers(run->process);
	uint32_t word = 0;

	(void)emulated_process_read(run->process, before->pc + 4, &word, sizeof(word));
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

	if (is_new(run, before.pc) || next_random(run) % SAMPLE_ONE_IN == 0)
		sample(run);
	(void)emulated_process_read(run->process, before.pc, &word, sizeof(word));
	stop = emulated_process_step(run->process);
	run->steps++;
	run->since_call++;
	if (stop == TRACED_ENDED)
		return false;
	if (stop == TRACED_ENTERED) {
		enter_handler(run);
		return !run->lost;
	}
	if (now->pc == before.pc)
		return true; /* a signal is about to come */
	if (!shadow_stack_holds(run->shadow, now->sp))
		shadow_stack_switch(run->shadow, now->sp, emulated_process_stack(run->process, now->sp));
	shadow_stack_link_step(run->shadow, instruction, before.sp, now->sp, before.pc + 4,
			       now->x[30] & ~PAC_MASK);
	learn_save(run, word, &before);
	if (instruction.kind == INSTRUCTION_SYSCALL)
		learn_second(run, &before);
	if (instruction.kind == INSTRUCTION_CALL)
		run->since_call = 0;
	return true;
}

int follow_emulated(char *const arguments[], const struct follow_options *options, struct module_cache *cache,
		    struct unwinder *unwinder, struct follow_result *result, struct error *err)
{
	struct run *run = xcalloc(1, sizeof(*run));
	int status = -1;

	run->options = options;
	run->result = result;
	run->unwinder = unwinder;
	run->random = options->seed * 2 + 1;
	run->stack = xmalloc(MAX_STACK_BYTES);
	run->process = emulated_process_start(arguments, cache, err);
	if (run->process) {
		uint64_t sp = emulated_process_registers(run->process)->sp;

		run->shadow = shadow_stack_create(emulated_process_stack(run->process, sp), true);
		while (run->steps < options->max_steps && step(run))
			;
		result->steps += run->steps;
		status = 0;
		emulated_process_kill(run->process);
	}
	shadow_stack_destroy(run->shadow);
	free(run->stack);
	free(run);
	return status;
}
