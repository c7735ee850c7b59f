/*
 * Ground truth without CFI: single-steps a program under ptrace and keeps a shadow stack from its instructions alone. A call
 * writes the address behind it into a new word at the stack pointer; an instruction that raises the stack pointer above that word
 * (ret, longjmp, an exception) has left the call. At random instructions the unwinder gets the registers and the stack.
 *
 * GROUND_TRUTH_PROGRAMS (commands, one per line) and GROUND_TRUTH_STEPS set the programs and the number of steps;
 * `make check-long` does much more than `make check`.
 */

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/personality.h>
#include <sys/ptrace.h>
#include <sys/uio.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <unistd.h>

#include "support/cmocka.h"
#include "support/own_process.h"

#if defined(__x86_64__)

enum { MAX_DEPTH = 4096, MAX_STACK_BYTES = 256 << 10, CODE_BYTES = 16, MEAN_DISTANCE = 40 };

/* A word of the stack with a caller's address. */
struct call {
	uint64_t slot;
	uint64_t address;
};

struct truth {
	pid_t pid;
	struct own_process process;
	struct unwinder *unwinder;
	struct user_regs_struct regs; /* before the next instruction */
	struct call calls[MAX_DEPTH]; /* outermost first */
	size_t depth;
	bool maps_may_have_changed;
	uint64_t space;
	uint64_t random;

	size_t compared, frames, missing, wrong, marked;
	char first_wrong[256], first_missing[256];
};

static bool read_memory(const struct truth *truth, uint64_t address, void *bytes, size_t size)
{
	struct iovec local = { bytes, size }, remote = { (void *)(uintptr_t)address, size };

	return process_vm_readv(truth->pid, &local, 1, &remote, 1, 0) == (ssize_t)size;
}

/* Reads the stack from the stack pointer up, as much as can be read. */
static size_t read_stack(const struct truth *truth, uint8_t *bytes)
{
	uint64_t sp = truth->regs.rsp;
	struct iovec local = { bytes, MAX_STACK_BYTES }, remote = { (void *)(uintptr_t)sp, MAX_STACK_BYTES };
	ssize_t size = process_vm_readv(truth->pid, &local, 1, &remote, 1, 0);

	return size > 0 ? (size_t)size : 0;
}

/* Is it e8 or ff /2, with prefixes or not? */
static bool is_call(const uint8_t *code)
{
	size_t i = 0;

	while (i < 4 && (code[i] == 0x66 || code[i] == 0x3e || code[i] == 0xf2 || code[i] == 0x67 ||
			 (code[i] & 0xf0) == 0x40))
		i++;
	return code[i] == 0xe8 || (code[i] == 0xff && (code[i + 1] >> 3 & 7) == 2);
}

static void push(struct truth *truth, uint64_t slot, uint64_t address)
{
	if (truth->depth < MAX_DEPTH)
		truth->calls[truth->depth++] = (struct call){ slot, address };
}

/* Applies the effect of the instruction `code`, executed between the two states. */
static void follow(struct truth *truth, const struct user_regs_struct *before, const uint8_t *code)
{
	uint64_t top;

	while (truth->depth && truth->calls[truth->depth - 1].slot < truth->regs.rsp)
		truth->depth--;
	if (is_call(code) && truth->regs.rsp == before->rsp - 8 &&
	    read_memory(truth, truth->regs.rsp, &top, 8) && top - before->rip >= 2 && top - before->rip <= 9)
		push(truth, truth->regs.rsp, top);
	if (code[0] == 0x0f && code[1] == 0x05) /* a system call, perhaps mmap */
		truth->maps_may_have_changed = true;
}

/* Call before a handler runs: the interrupted pc lies above its return address. */
static void enter_handler(struct truth *truth, const struct user_regs_struct *interrupted)
{
	uint64_t trampoline;

	push(truth, truth->regs.rsp + 8, interrupted->rip);
	if (read_memory(truth, truth->regs.rsp, &trampoline, 8))
		push(truth, truth->regs.rsp, trampoline);
}

static void fill_registers(struct unwind_input *input, const struct user_regs_struct *regs)
{
	const uint64_t values[] = {
		[X86_64_RAX] = regs->rax, [X86_64_RDX] = regs->rdx, [X86_64_RCX] = regs->rcx,
		[X86_64_RBX] = regs->rbx, [X86_64_RSI] = regs->rsi, [X86_64_RDI] = regs->rdi,
		[X86_64_RBP] = regs->rbp, [X86_64_RSP] = regs->rsp, [X86_64_R8] = regs->r8,
		[X86_64_R9] = regs->r9,   [X86_64_R10] = regs->r10, [X86_64_R11] = regs->r11,
		[X86_64_R12] = regs->r12, [X86_64_R13] = regs->r13, [X86_64_R14] = regs->r14,
		[X86_64_R15] = regs->r15,
	};

	memcpy(input->registers.value, values, sizeof(values));
	input->registers.known = 0xffff;
	input->pc = regs->rip;
}

static uint64_t expected_address(const struct truth *truth, size_t frame)
{
	return frame == 0 ? truth->regs.rip : truth->calls[truth->depth - frame].address;
}

static bool is_marked(const struct unwind_frame *frame)
{
	return frame->how == UNWIND_HOW_UNPROVED_FP || frame->how == UNWIND_HOW_GUESSED;
}

/* Describes the file and vaddr where a stack ended, and how. */
static void describe(char text[static 256], struct truth *truth, const struct unwind_stack *stack,
		     size_t frame)
{
	struct unwind_mapping mapping = { .module = NULL };
	uint64_t last = stack->frames[stack->count - 1].address;

	(void)own_process_find(&truth->process, last, &mapping);
	snprintf(text, 256, "frame %zu of %zu, end: %s, behind %#llx of %.100s", frame, truth->depth + 1,
		 unwind_end_name(stack->end), (unsigned long long)(last - mapping.bias),
		 mapping.module ? elf_file_path(module_file(mapping.module)) : "nothing");
}

/* Counts missing frames, and wrong ones that are not marked. */
static void judge(struct truth *truth, const struct unwind_stack *stack)
{
	size_t expected = truth->depth + 1;

	truth->compared++;
	truth->frames += expected;
	if (stack->count < expected) {
		if (truth->missing == 0)
			describe(truth->first_missing, truth, stack, stack->count);
		truth->missing += expected - stack->count;
	}
	for (size_t i = 0; i < stack->count; i++) {
		if (is_marked(&stack->frames[i])) {
			truth->marked++;
			return;
		}
		if (i >= expected || stack->frames[i].address != expected_address(truth, i)) {
			if (truth->wrong++ == 0)
				describe(truth->first_wrong, truth, stack, i);
			return;
		}
	}
}

static void compare(struct truth *truth)
{
	static uint8_t stack_bytes[MAX_STACK_BYTES];
	static struct unwind_frame frames[MAX_DEPTH];
	struct unwind_stack stack = { .frames = frames, .capacity = MAX_DEPTH };
	struct unwind_input input = { .arch = &unwind_arch_x86_64,
				      .find_mapping = own_process_find,
				      .context = &truth->process };

	if (truth->maps_may_have_changed) {
		own_process_refresh(&truth->process);
		truth->space++;
		truth->maps_may_have_changed = false;
	}
	input.space = truth->space;
	fill_registers(&input, &truth->regs);
	input.stack = (struct stack_memory){ .bytes = stack_bytes,
					     .size = read_stack(truth, stack_bytes),
					     .address = truth->regs.rsp };
	unwinder_walk(truth->unwinder, &input, &stack);
	judge(truth, &stack);
}

/* xorshift, so that every run compares at the same instructions. */
static bool is_time_to_compare(struct truth *truth)
{
	truth->random ^= truth->random << 13;
	truth->random ^= truth->random >> 7;
	truth->random ^= truth->random << 17;
	return truth->random % MEAN_DISTANCE == 0;
}

/* Steps one instruction. Returns false if the program has ended. */
static bool step(struct truth *truth, int *signal_number)
{
	struct user_regs_struct before = truth->regs;
	uint8_t code[CODE_BYTES] = { 0 };
	int delivered = *signal_number, status;

	if (!read_memory(truth, before.rip, code, sizeof(code)))
		memset(code, 0, sizeof(code));
	if (ptrace(PTRACE_SINGLESTEP, truth->pid, NULL, (void *)(intptr_t)delivered) < 0 ||
	    waitpid(truth->pid, &status, 0) != truth->pid || !WIFSTOPPED(status) ||
	    ptrace(PTRACE_GETREGS, truth->pid, NULL, &truth->regs) < 0)
		return false;
	*signal_number = WSTOPSIG(status) == SIGTRAP ? 0 : WSTOPSIG(status);
	/* With a signal the step stops in the handler, before its first instruction. */
	if (delivered && truth->regs.rsp < before.rsp - 128)
		enter_handler(truth, &before);
	else if (*signal_number == 0 || truth->regs.rip != before.rip)
		follow(truth, &before, code);
	return true;
}

static pid_t start(char *command)
{
	char *arguments[16], *next = command;
	size_t count = 0;
	pid_t pid;

	while (count < 15 && (arguments[count] = strtok_r(next, " ", &next)) != NULL)
		count++;
	arguments[count] = NULL;
	pid = fork();
	if (pid == 0) {
		(void)personality(ADDR_NO_RANDOMIZE);
		(void)ptrace(PTRACE_TRACEME, 0, NULL, NULL);
		(void)!freopen("/dev/null", "w", stdout);
		(void)!freopen("/dev/null", "r", stdin);
		execvp(arguments[0], arguments);
		_exit(127);
	}
	return pid;
}

static void assert_few(const struct truth *truth, const char *command)
{
	print_message("# %s: %zu stacks, %zu frames: %zu missing, %zu wrong, %zu stacks with marked frames\n",
		      command, truth->compared, truth->frames, truth->missing, truth->wrong, truth->marked);
	if (truth->wrong)
		print_message("# first wrong: %s\n", truth->first_wrong);
	if (truth->missing)
		print_message("# first missing: %s\n", truth->first_missing);
	assert_true(truth->compared > 100);
	assert_true(truth->wrong * 2000 <= truth->frames);
	assert_true(truth->missing * 200 <= truth->frames);
}

static void step_through(char *command, size_t steps)
{
	static struct truth truth;
	char name[128];
	int status, signal_number = 0;

	snprintf(name, sizeof(name), "%s", command);
	truth = (struct truth){ .random = 88172645463325252u, .space = 1, .pid = start(command) };
	if (waitpid(truth.pid, &status, 0) != truth.pid || !WIFSTOPPED(status)) {
		print_message("%s cannot be traced\n", name);
		skip();
	}
	ptrace(PTRACE_SETOPTIONS, truth.pid, NULL, (void *)PTRACE_O_EXITKILL);
	own_process_init_other(&truth.process, truth.pid);
	truth.unwinder = unwinder_create();
	ptrace(PTRACE_GETREGS, truth.pid, NULL, &truth.regs);
	while (steps-- && step(&truth, &signal_number))
		if (signal_number == 0 && is_time_to_compare(&truth))
			compare(&truth);
	kill(truth.pid, SIGKILL);
	waitpid(truth.pid, &status, 0);
	unwinder_destroy(truth.unwinder);
	own_process_fini(&truth.process);
	assert_few(&truth, name);
}

static void stacks_are_those_that_calls_and_returns_left(void **state)
{
	const char *programs = getenv("GROUND_TRUTH_PROGRAMS"), *steps = getenv("GROUND_TRUTH_STEPS");
	char *copy = strdup(programs ? programs : "/bin/true"), *next = copy, *line;

	(void)state;
	while ((line = strtok_r(next, "\n", &next)) != NULL)
		step_through(line, steps ? strtoul(steps, NULL, 10) : 60000);
	free(copy);
}

#else

static void stacks_are_those_that_calls_and_returns_left(void **state)
{
	(void)state;
	skip();
}

#endif

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(stacks_are_those_that_calls_and_returns_left),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
