#include "truth/traced_process.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/personality.h>
#include <sys/ptrace.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/xalloc.h"

enum {
	CODE_PAGES = 1024, /* a power of two */
	CODE_PAGE_BYTES = 4096,
	MAX_PASSES = 5000, /* times that an address is passed with another stack pointer: deep recursion */
};

struct code_page {
	uint64_t address; /* 0: empty */
	size_t size;
	uint8_t bytes[CODE_PAGE_BYTES];
};

struct traced_process {
	struct process_image image;
	pid_t tid;  /* of the followed thread */
	int signal; /* delivered with the next step */
	bool ended;
	struct user_regs_struct registers;
	struct code_page *code;
};

/* --- mappings --- */

static struct module *module_of(struct traced_process *process, const char *path, uint64_t start,
				uint64_t end)
{
	struct module *module;
	void *copy;

	if (path[0] == '/')
		return module_cache_open(process->image.cache, path);
	if (strcmp(path, "[vdso]") != 0)
		return NULL;
	copy = xmalloc(end - start);
	module = process_image_read(&process->image, start, copy, end - start) == end - start ?
			 module_cache_vdso(process->image.cache, copy, end - start) :
			 NULL;
	free(copy);
	return module;
}

static void describe(void *context, struct mapped *mapped)
{
	struct unwind_mapping *mapping = &mapped->mapping;
	uint64_t vaddr;

	mapping->executable = mapped->executable;
	if (!mapped->executable)
		return;
	mapping->module = module_of(context, mapped->path, mapping->start, mapping->end);
	if (mapping->module && elf_file_mapping_to_vaddr(module_file(mapping->module), mapped->file_offset,
							 mapping->end - mapping->start, &vaddr) == 0)
		mapping->bias = mapping->start - vaddr;
}

struct process_image *traced_process_image(struct traced_process *process)
{
	return &process->image;
}

struct shadow_bounds traced_process_stack(struct traced_process *process, uint64_t sp)
{
	/* The kernel extends the first stack without a system call. */
	if (!process_image_at(&process->image, sp))
		process->image.stale = true;
	return process_image_stack(&process->image, sp);
}

/* --- start and end --- */

static int child_exec(char *const arguments[])
{
	process_image_silence();
	/* Use the same addresses in every run, so that a difference can be reproduced. */
	personality(ADDR_NO_RANDOMIZE);
	if (ptrace(PTRACE_TRACEME, 0, NULL, NULL) == 0)
		execvp(arguments[0], arguments);
	return 127;
}

static bool read_registers(struct traced_process *process)
{
	return ptrace(PTRACE_GETREGS, process->tid, NULL, &process->registers) == 0;
}

/* Waits until the thread stops. Returns false if it is gone. */
static bool wait_stop(struct traced_process *process, int *status)
{
	pid_t got;

	do
		got = waitpid(process->tid, status, __WALL);
	while (got < 0 && errno == EINTR);
	if (got != process->tid || !WIFSTOPPED(*status)) {
		process->ended = true;
		return false;
	}
	return true;
}

struct traced_process *traced_process_start(char *const arguments[], struct module_cache *cache,
					    struct error *err)
{
	struct traced_process *process = xcalloc(1, sizeof(*process));
	/* PTRACE_O_TRACEEXEC makes a later exec distinguishable from a signal. */
	long options = PTRACE_O_EXITKILL | PTRACE_O_TRACEEXEC;
	int status;

	process->image = (struct process_image){
		.cache = cache, .describe = describe, .process = process, .stale = true
	};
	process->code = xcalloc(CODE_PAGES, sizeof(*process->code));
	process->image.pid = process->tid = fork();
	if (process->image.pid == 0)
		_exit(child_exec(arguments));
	if (process->image.pid > 0 && wait_stop(process, &status) && read_registers(process) &&
	    ptrace(PTRACE_SETOPTIONS, process->tid, NULL, options) == 0)
		return process;
	error_set(err, "cannot start %s", arguments[0]);
	traced_process_kill(process);
	return NULL;
}

void traced_process_kill(struct traced_process *process)
{
	int status;

	if (process->image.pid > 0) {
		kill(process->image.pid, SIGKILL);
		/* A program has not ended before its traced threads have been waited for. */
		if (process->tid != process->image.pid)
			waitpid(process->tid, &status, __WALL);
		while (waitpid(process->image.pid, &status, __WALL) >= 0 && !WIFEXITED(status) &&
		       !WIFSIGNALED(status))
			;
	}
	process_image_fini(&process->image);
	free(process->code);
	free(process);
}

const struct user_regs_struct *traced_process_registers(const struct traced_process *process)
{
	return &process->registers;
}

bool traced_process_word(const struct traced_process *process, uint64_t address, uint64_t *word)
{
	return process_image_read(&process->image, address, word, sizeof(*word)) == sizeof(*word);
}

/* Caches pages of code until mappings change. */
static const struct code_page *code_page(struct traced_process *process, uint64_t address)
{
	uint64_t start = address & ~(uint64_t)(CODE_PAGE_BYTES - 1);
	struct code_page *page = &process->code[address / CODE_PAGE_BYTES % CODE_PAGES];

	if (page->address != start) {
		page->address = start;
		page->size = process_image_read(&process->image, start, page->bytes, sizeof(page->bytes));
	}
	return page;
}

struct instruction traced_process_instruction(struct traced_process *process)
{
	uint8_t bytes[INSTRUCTION_MAX_BYTES];
	size_t size = 0;

	for (; size < sizeof(bytes); size++) {
		uint64_t address = process->registers.rip + size;
		const struct code_page *page = code_page(process, address);

		if (address - page->address >= page->size)
			break;
		bytes[size] = page->bytes[address - page->address];
	}
	return instruction_decode(bytes, size);
}

/* --- running --- */

static bool changes_maps(uint64_t syscall_number)
{
	enum { SYS_MMAP = 9, SYS_MPROTECT = 10, SYS_MUNMAP = 11, SYS_BRK = 12, SYS_MREMAP = 25 };

	return (syscall_number >= SYS_MMAP && syscall_number <= SYS_BRK) || syscall_number == SYS_MREMAP;
}

static void things_changed(struct traced_process *process)
{
	process->image.stale = true;
	for (size_t i = 0; i < CODE_PAGES; i++)
		process->code[i].address = 0;
}

/*
 * At a handler's entry the stack pointer is at its return address and the saved context (struct rt_sigframe,
 * arch/x86/include/asm/sigframe.h), and the first argument is the signal.
 */
static bool has_entered_handler(const struct traced_process *process, const struct user_regs_struct *before,
				int signal)
{
	const struct user_regs_struct *now = &process->registers;

	return signal != 0 && (int)now->rdi == signal && now->rip != before->rip && (now->rsp & 15) == 8 &&
	       now->rdx == now->rsp + 8;
}

enum traced_stop traced_process_step(struct traced_process *process)
{
	struct user_regs_struct before = process->registers;
	bool is_syscall = traced_process_instruction(process).kind == INSTRUCTION_SYSCALL;
	int status, signal = process->signal;

	process->signal = 0;
	if (ptrace(PTRACE_SINGLESTEP, process->tid, NULL, (long)signal) != 0 ||
	    !wait_stop(process, &status) || status >> 16 != 0 || !read_registers(process)) {
		process->ended = true;
		return TRACED_ENDED;
	}
	if (is_syscall && changes_maps(before.rax))
		things_changed(process);
	if (WSTOPSIG(status) != SIGTRAP)
		process->signal = WSTOPSIG(status);
	return has_entered_handler(process, &before, signal) ? TRACED_ENTERED : TRACED_STEPPED;
}

static bool set_breakpoint(struct traced_process *process, uint64_t address)
{
	/* Intel SDM volume 3, 17.2: debug register 0 holds the address, L0 of register 7 turns it on. */
	const size_t place = offsetof(struct user, u_debugreg);
	const size_t word = sizeof(unsigned long);

	if (ptrace(PTRACE_POKEUSER, process->tid, place, address) != 0)
		return false;
	return ptrace(PTRACE_POKEUSER, process->tid, place + 7 * word, address ? 1L : 0L) == 0;
}

/* Runs to the next stop and sets process->signal to its signal. Returns false if the thread is gone. */
static bool run_on(struct traced_process *process, int *status)
{
	int signal = process->signal;

	process->signal = 0;
	if (ptrace(PTRACE_CONT, process->tid, NULL, (long)signal) != 0 || !wait_stop(process, status) ||
	    !read_registers(process)) {
		process->ended = true;
		return false;
	}
	if (WSTOPSIG(*status) != SIGTRAP)
		process->signal = WSTOPSIG(*status);
	return true;
}

bool traced_process_run_to(struct traced_process *process, uint64_t address, uint64_t sp)
{
	bool arrived = false;
	int status;

	if (!set_breakpoint(process, address))
		return false;
	for (size_t i = 0; i < MAX_PASSES && run_on(process, &status); i++) {
		arrived = status >> 8 == SIGTRAP && process->registers.rip == address &&
			  (sp == 0 || process->registers.rsp >= sp);
		if (arrived || status >> 16 != 0)
			break;
	}
	if (!process->ended)
		set_breakpoint(process, 0);
	things_changed(process);
	return arrived && (sp == 0 || process->registers.rsp == sp);
}

/* The kernel gives a program its entry point: AT_ENTRY in /proc/PID/auxv. */
static uint64_t entry_address(const struct traced_process *process)
{
	char *path = xasprintf("/proc/%d/auxv", process->image.pid);
	FILE *auxv = fopen(path, "re");
	uint64_t pair[2], entry = 0;

	free(path);
	while (auxv && fread(pair, sizeof(pair), 1, auxv) == 1)
		if (pair[0] == AT_ENTRY)
			entry = pair[1];
	if (auxv)
		fclose(auxv);
	return entry;
}

int traced_process_run_to_entry(struct traced_process *process, struct error *err)
{
	uint64_t entry = entry_address(process);

	if (process->registers.rip == entry || (entry && traced_process_run_to(process, entry, 0)))
		return 0;
	return error_set(err, "the program never came to its entry point");
}

int traced_process_run_to_thread(struct traced_process *process, struct error *err)
{
	unsigned long thread = 0;
	int status;

	ptrace(PTRACE_SETOPTIONS, process->tid, NULL, (long)(PTRACE_O_EXITKILL | PTRACE_O_TRACECLONE));
	while (run_on(process, &status))
		if (status >> 8 == (SIGTRAP | PTRACE_EVENT_CLONE << 8))
			break;
	if (process->ended || ptrace(PTRACE_GETEVENTMSG, process->tid, NULL, &thread) != 0)
		return error_set(err, "the program started no thread");
	/* The first thread runs on unobserved; its end is not waited for. */
	ptrace(PTRACE_DETACH, process->tid, NULL, NULL);
	process->tid = (pid_t)thread;
	process->image.stale = true;
	if (!wait_stop(process, &status) || !read_registers(process))
		return error_set(err, "the thread cannot be followed");
	return 0;
}
