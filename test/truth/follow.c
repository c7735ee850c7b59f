#include "truth/follow.h"

#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "truth/sampling.h"
#include "truth/traced_process.h"

enum {
	DENSE_STEPS = 3000,       /* at most, of a stretch in which no call is skipped */
	SKIP_ALL_BUT_ONE_IN = 12, /* calls between such stretches */
	LEAVE_STEPS = 1500,       /* without a call: it loops, so leave the function */
};

/* The last known place of a goroutine's stack, which may move. */
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
	const struct follow_options *options;
	struct sampling sampling;
	uint64_t dense;
	bool lost; /* the callers are no longer known */
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

/* Does each slot still hold the return address that the call put there? */
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
	struct unwind_input input = { .arch = &unwind_arch_x86_64 };
	struct truth truth;

	if (bounds.high == 0 || bounds.high - registers->rsp > SAMPLING_MAX_STACK_BYTES ||
	    !sampling_find_truth(&run->sampling, run->shadow, &truth))
		return;
	if (shadow_stack_in_transfer(run->shadow, registers->rsp)) {
		run->sampling.result->in_transfer++;
		return;
	}
	fill_registers(&input, registers);
	sampling_fill_input(&run->sampling, &input, registers->rsp, bounds);
	if (!is_intact(&truth, &input.stack)) {
		run->sampling.result->rewritten++;
		return;
	}
	sampling_compare(&run->sampling, &input, &truth, traced_process_instruction(run->process).kind);
}

/* --- goroutines --- */

/*
 * Finds the current goroutine: the word below the thread pointer is g, which begins with its stack's bounds (struct g,
 * runtime2.go).
 */
static bool find_goroutine(struct run *run, uint64_t sp, struct goroutine *found)
{
	const struct user_regs_struct *registers = traced_process_registers(run->process);

	return run->options->from == FOLLOW_GO &&
	       traced_process_word(run->process, registers->fs_base - 8, &found->g) &&
	       traced_process_word(run->process, found->g, &found->stack.low) &&
	       traced_process_word(run->process, found->g + 8, &found->stack.high) &&
	       sp >= found->stack.low && sp < found->stack.high;
}

/* Call when the stack pointer has left the current stack. */
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
	/* The scheduler starts again and again at the beginning of its stack, whatever was on it. */
	if (run->options->from == FOLLOW_GO && sp >= run->first_stack.low && sp < run->first_stack.high)
		shadow_stack_forget(run->shadow);
}

static void enter_handler(struct run *run)
{
	/* struct rt_sigframe: return address, then ucontext with sigcontext at offset 40, whose 17th word is rip. */
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
	shadow_stack_arrived(run->shadow, now->rip, now->rsp);
}

/* Runs without stopping until the innermost function returns. */
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
	run->sampling.since_call = SAMPLING_ENTRY_STEPS;
}

/* Should the function that was just called, or that loops, run to its end without stopping? */
static bool is_time_to_leave(struct run *run, bool called)
{
	if (!run->options->skip)
		return false;
	if (run->dense > 0) {
		run->dense--;
		return false;
	}
	if (!called)
		return run->sampling.since_call > 0 && run->sampling.since_call % LEAVE_STEPS == 0;
	if (sampling_random(&run->sampling) % SKIP_ALL_BUT_ONE_IN != 0)
		return true;
	run->dense = sampling_random(&run->sampling) % DENSE_STEPS;
	return false;
}

static bool step(struct run *run)
{
	struct user_regs_struct before = *traced_process_registers(run->process);
	struct instruction instruction = traced_process_instruction(run->process);
	enum traced_stop stop;

	if (sampling_is_due(&run->sampling, before.rip))
		sample(run);
	stop = traced_process_step(run->process);
	run->sampling.steps++;
	run->sampling.since_call++;
	if (stop == TRACED_ENDED)
		return false;
	if (stop == TRACED_ENTERED) {
		enter_handler(run);
		return !run->lost;
	}
	learn_step(run, instruction, &before);
	if (instruction.kind == INSTRUCTION_CALL)
		run->sampling.since_call = 0;
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
	run->dense = options->skip ? DENSE_STEPS : 0;
	sampling_init(&run->sampling, options, result, unwinder);
	run->process = traced_process_start(arguments, cache, err);
	if (run->process)
		run->sampling.image = traced_process_image(run->process);
	if (run->process && go_to_start(run, err) == 0) {
		while (run->sampling.steps < options->max_steps && step(run))
			;
		result->steps += run->sampling.steps;
		status = 0;
	}
	if (run->process)
		traced_process_kill(run->process);
	shadow_stack_destroy(run->shadow);
	sampling_fini(&run->sampling);
	free(run);
	return status;
}
