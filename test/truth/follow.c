#include "truth/follow.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"

enum {
	MAX_FRAMES = 4096,
	MAX_STACK_BYTES = 4 << 20,
	SEEN_BITS = 16,           /* of a pc's hash */
	SAMPLE_ONE_IN = 16,       /* of instructions that have been looked at before */
	SWEEP_ONE_IN = 8,         /* of samples */
	DENSE_STEPS = 3000,       /* without skipping a call */
	SKIP_ALL_BUT_ONE_IN = 12, /* calls, between such stretches */
	LEAVE_STEPS = 1500,       /* without a call: a loop, so leave the function */
	ENTRY_STEPS = 3,
};

/* Where a goroutine had its stack when that was looked at last: it may move. */
struct goroutine {
	uint64_t g;
	struct shadow_bounds stack;
};
enum { GOROUTINES = 16 };

struct run {
	struct traced_process *process;
	struct goroutine goroutines[GOROUTINES];
	struct shadow_bounds first_stack;
	struct shadow_stack *shadow;
	struct unwinder *unwinder;
	const struct follow_options *options;
	struct follow_result *result;
	uint64_t random;
	uint64_t steps, since_call, dense;
	bool lost; /* who called is no longer known */
	uint8_t seen[1 << SEEN_BITS];
	struct unwind_frame frames[MAX_FRAMES];
	struct shadow_frame callers[MAX_FRAMES];
	uint8_t *stack;
};

const char *place_name(enum place place)
{
	static const char *const names[] = {
		[PLACE_BODY] = "body",   [PLACE_ENTRY] = "entry",   [PLACE_RETURN] = "return",
		[PLACE_PLT] = "PLT",     [PLACE_LOADER] = "loader", [PLACE_SIGNAL] = "signal",
		[PLACE_THROW] = "throw",
	};

	return names[place];
}

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

static void fill_registers(struct unwind_input *input, const struct user_regs_struct *from)
{
	const uint64_t values[] = {
		[X86_64_RAX] = from->rax, [X86_64_RDX] = from->rdx, [X86_64_RCX] = from->rcx,
		[X86_64_RBX] = from->rbx, [X86_64_RSI] = from->rsi, [X86_64_RDI] = from->rdi,
		[X86_64_RBP] = from->rbp, [X86_64_RSP] = from->rsp, [X86_64_R8] = from->r8,
		[X86_64_R9] = from->r9,   [X86_64_R10] = from->r10, [X86_64_R11] = from->r11,
		[X86_64_R12] = from->r12, [X86_64_R13] = from->r13, [X86_64_R14] = from->r14,
		[X86_64_R15] = from->r15,
	};

	memcpy(input->registers.value, values, sizeof(values));
	input->registers.known = 0xffff;
	input->pc = from->rip;
}

static enum place find_place(struct run *run, const struct truth *truth)
{
	const struct user_regs_struct *registers = traced_process_registers(run->process);

	for (size_t i = 0; i < truth->count; i++)
		if (!truth->callers[i].is_return_address)
			return PLACE_SIGNAL;
	if (strstr(traced_process_path(run->process, registers->rip), "libgcc_s"))
		return PLACE_THROW;
	if (strstr(traced_process_path(run->process, registers->rip), "/ld-"))
		return PLACE_LOADER;
	if (traced_process_is_plt(run->process, registers->rip))
		return PLACE_PLT;
	if (traced_process_instruction(run->process).kind == INSTRUCTION_RETURN)
		return PLACE_RETURN;
	return run->since_call < ENTRY_STEPS ? PLACE_ENTRY : PLACE_BODY;
}

/* --- what differed, for people --- */

static void print_address(struct run *run, uint64_t address, bool is_return_address)
{
	FILE *out = run->options->differences;
	const char *path = traced_process_path(run->process, address);
	const char *name = strrchr(path, '/');
	struct unwind_mapping mapping;
	uint64_t vaddr;
	char *symbol;

	if (!traced_process_find(run->process, address, &mapping) || !mapping.module) {
		fprintf(out, "0x%" PRIx64 " (%s)", address, path);
		return;
	}
	vaddr = address - mapping.bias;
	symbol = module_symbol(mapping.module, path, vaddr - is_return_address);
	fprintf(out, "%s (%s 0x%" PRIx64 ")", symbol, name ? name + 1 : path, vaddr);
	free(symbol);
}

static void print_rule(struct run *run, const struct unwind_frame *frame)
{
	FILE *out = run->options->differences;
	const struct unwind_rule *rule;
	struct unwind_mapping mapping;

	if (!traced_process_find(run->process, frame->address, &mapping) || !mapping.module)
		return;
	rule = module_rule(mapping.module, frame->address - mapping.bias, frame->is_return_address);
	fprintf(out, "; rule: path %d, CFA kind %d register %d value %d, return address kind %d value %d",
		rule->path, rule->cfa.kind, rule->cfa.reg, rule->cfa.value, rule->ra.kind, rule->ra.value);
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
	FILE *out = run->options->differences;
	size_t next = at + 1;
	uint64_t address = stack->frames[at].address;

	if (!out || run->options->max_differences <= run->result->printed || !is_new_place(run, address))
		return;
	run->result->printed++;
	fprintf(out, "# step %" PRIu64 " seed %" PRIu64 ", %s, %zu of %zu callers, end: %s\n#   at ",
		run->steps, run->options->seed, what, stack->count - 1, truth->count,
		unwind_end_name(stack->end));
	print_address(run, stack->frames[0].address, false);
	if (at > 0) {
		fprintf(out, "\n#   frame %zu ", at);
		print_address(run, stack->frames[at].address, stack->frames[at].is_return_address);
	}
	print_rule(run, &stack->frames[at]);
	if (next < stack->count) {
		fprintf(out, "\n#   unwound (%s) ", unwind_how_name(stack->frames[next].how));
		print_address(run, stack->frames[next].address, stack->frames[next].is_return_address);
	}
	fprintf(out, "\n#   true ");
	if (at < truth->count)
		print_address(run, truth->callers[at].address, truth->callers[at].is_return_address);
	else
		fprintf(out, "nobody");
	fprintf(out, "\n");
}

/* --- samples --- */

static void unwind(struct run *run, const struct unwind_input *input, struct unwind_stack *stack)
{
	*stack = (struct unwind_stack){ .frames = run->frames, .capacity = MAX_FRAMES };
	unwinder_walk(run->unwinder, input, stack);
}

/* Less of the stack: what is found is the beginning of the truth. */
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

static bool find_truth(struct run *run, struct truth *truth)
{
	bool complete;
	size_t here;
	size_t count = shadow_stack_frames(run->shadow, run->callers, MAX_FRAMES, &complete, &here);

	*truth = (struct truth){
		.callers = run->callers, .count = count, .readable = here, .complete = complete
	};
	return count < MAX_FRAMES;
}

/* Does each slot still hold what the call put there? */
static bool is_intact(const struct truth *truth, const struct stack_memory *stack)
{
	uint64_t word;

	for (size_t i = 0; i < truth->readable; i++)
		if (stack_memory_word(stack, truth->callers[i].slot, &word) &&
		    word != truth->callers[i].address)
			return false;
	return true;
}

static void sample(struct run *run)
{
	const struct user_regs_struct *registers = traced_process_registers(run->process);
	struct shadow_bounds bounds = traced_process_stack(run->process, registers->rsp);
	struct unwind_input input = { .arch = &unwind_arch_x86_64, .context = run->process };
	struct unwind_stack stack;
	struct truth truth;
	struct verdict *place;
	int at;

	if (bounds.high == 0 || bounds.high - registers->rsp > MAX_STACK_BYTES || !find_truth(run, &truth))
		return;
	if (shadow_stack_in_transfer(run->shadow, registers->rsp)) {
		run->result->in_transfer++;
		return;
	}
	fill_registers(&input, registers);
	input.find_mapping = traced_process_find;
	input.space = traced_process_space(run->process);
	input.stack.bytes = run->stack;
	input.stack.address = registers->rsp;
	input.stack.size =
		traced_process_read(run->process, registers->rsp, run->stack, bounds.high - registers->rsp);
	if (!is_intact(&truth, &input.stack)) {
		run->result->rewritten++;
		return;
	}
	unwind(run, &input, &stack);
	place = &run->result->places[find_place(run, &truth)];
	verdict_add(place, &truth, &stack, false);
	at = verdict_add(&run->result->whole, &truth, &stack, false);
	if (at >= 0)
		print_difference(run, &truth, &stack, (size_t)at, "whole stack");
	if (run->options->sweep && next_random(run) % SWEEP_ONE_IN == 0)
		sweep(run, input, &truth);
}

/* --- running --- */

/* --- goroutines --- */

/* The current one: the word below the thread pointer is g, which begins with its stack's bounds (struct g, runtime2.go). */
static bool find_goroutine(struct run *run, uint64_t sp, struct goroutine *found)
{
	const struct user_regs_struct *registers = traced_process_registers(run->process);

	return run->options->from == FOLLOW_GO &&
	       traced_process_word(run->process, registers->fs_base - 8, &found->g) &&
	       traced_process_word(run->process, found->g, &found->stack.low) &&
	       traced_process_word(run->process, found->g + 8, &found->stack.high) &&
	       sp >= found->stack.low && sp < found->stack.high;
}

/* The stack pointer has left the current stack. */
static void switch_stack(struct run *run, uint64_t sp)
{
	struct shadow_bounds bounds = traced_process_stack(run->process, sp);
	struct goroutine now;

	if (find_goroutine(run, sp, &now)) {
		struct goroutine *known = &run->goroutines[now.g / 64 % GOROUTINES];

		bounds = now.stack;
		if (known->g == now.g && (known->stack.low != bounds.low || known->stack.high != bounds.high))
			shadow_stack_move(run->shadow, known->stack, bounds);
		*known = now;
	}
	shadow_stack_switch(run->shadow, sp, bounds);
	/* The scheduler's stack is used from its beginning again and again, whatever was on it. */
	if (run->options->from == FOLLOW_GO && sp >= run->first_stack.low && sp < run->first_stack.high)
		shadow_stack_forget(run->shadow);
}

static void enter_handler(struct run *run)
{
	/* struct rt_sigframe: return address, ucontext with its sigcontext at 40, whose rip is the 17th word. */
	enum { PC_SLOT = 8 + 40 + 16 * 8 };
	uint64_t sp = traced_process_registers(run->process)->rsp, trampoline, interrupted;

	if (!traced_process_word(run->process, sp, &trampoline) ||
	    !traced_process_word(run->process, sp + PC_SLOT, &interrupted)) {
		run->lost = true;
		return;
	}
	shadow_stack_signal(run->shadow, sp, trampoline, sp + PC_SLOT, interrupted,
			    traced_process_stack(run->process, sp));
}

static void learn_step(struct run *run, struct instruction instruction, const struct user_regs_struct *before)
{
	const struct user_regs_struct *now = traced_process_registers(run->process);

	if (!shadow_stack_holds(run->shadow, now->rsp))
		switch_stack(run, now->rsp);
	shadow_stack_step(run->shadow, instruction, before->rsp, now->rsp,
			  before->rip + instruction.size_bytes);
}

/* Runs without stopping up to the return of the innermost function. */
static void leave(struct run *run)
{
	uint64_t address, slot;

	if (!shadow_stack_top(run->shadow, &address, &slot) ||
	    slot < traced_process_registers(run->process)->rsp)
		return;
	if (!traced_process_run_to(run->process, address, slot + 8)) {
		run->lost = true;
		return;
	}
	shadow_stack_step(run->shadow, (struct instruction){ INSTRUCTION_RETURN, 0 }, slot, slot + 8, 0);
	run->since_call = ENTRY_STEPS;
}

/* Is this the time to leave the function that has just been called, or that has been looping? */
static bool is_time_to_leave(struct run *run, bool called)
{
	if (!run->options->skip)
		return false;
	if (run->dense > 0) {
		run->dense--;
		return false;
	}
	if (!called)
		return run->since_call > 0 && run->since_call % LEAVE_STEPS == 0;
	if (next_random(run) % SKIP_ALL_BUT_ONE_IN != 0)
		return true;
	run->dense = next_random(run) % DENSE_STEPS;
	return false;
}

static bool step(struct run *run)
{
	struct user_regs_struct before = *traced_process_registers(run->process);
	struct instruction instruction = traced_process_instruction(run->process);
	enum traced_stop stop;

	if (is_new(run, before.rip) || next_random(run) % SAMPLE_ONE_IN == 0)
		sample(run);
	stop = traced_process_step(run->process);
	run->steps++;
	run->since_call++;
	if (stop == TRACED_ENDED)
		return false;
	if (stop == TRACED_ENTERED) {
		enter_handler(run);
		return !run->lost;
	}
	learn_step(run, instruction, &before);
	if (instruction.kind == INSTRUCTION_CALL)
		run->since_call = 0;
	if (is_time_to_leave(run, instruction.kind == INSTRUCTION_CALL))
		leave(run);
	return !run->lost;
}

static int go_to_start(struct run *run, struct error *err)
{
	uint64_t sp;

	if ((run->options->from == FOLLOW_FROM_ENTRY || run->options->from == FOLLOW_GO) &&
	    traced_process_run_to_entry(run->process, err) != 0)
		return -1;
	if (run->options->from == FOLLOW_FROM_THREAD && traced_process_run_to_thread(run->process, err) != 0)
		return -1;
	sp = traced_process_registers(run->process)->rsp;
	run->first_stack = traced_process_stack(run->process, sp);
	run->shadow = shadow_stack_create(run->first_stack, true);
	return 0;
}

int follow(char *const arguments[], const struct follow_options *options, struct module_cache *cache,
	   struct unwinder *unwinder, struct follow_result *result, struct error *err)
{
	struct run *run = xcalloc(1, sizeof(*run));
	int status = -1;

	run->options = options;
	run->result = result;
	run->unwinder = unwinder;
	run->random = options->seed * 2 + 1;
	run->dense = options->skip ? DENSE_STEPS : 0;
	run->stack = xmalloc(MAX_STACK_BYTES);
	run->process = traced_process_start(arguments, cache, err);
	if (run->process && go_to_start(run, err) == 0) {
		while (run->steps < options->max_steps && step(run))
			;
		result->steps += run->steps;
		status = 0;
	}
	if (run->process)
		traced_process_kill(run->process);
	shadow_stack_destroy(run->shadow);
	free(run->stack);
	free(run);
	return status;
}
