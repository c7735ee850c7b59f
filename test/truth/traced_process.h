#ifndef XPROF_TEST_TRUTH_TRACED_PROCESS_H
#define XPROF_TEST_TRUTH_TRACED_PROCESS_H

/*
 * A program that runs instruction by instruction under ptrace(2), on x86-64: its registers, its memory, and its mappings in the
 * form that the unwinder needs.
 */

#include <sys/types.h>
#include <sys/user.h>

#include "base/error.h"
#include "truth/process_image.h"

struct traced_process;

/* Starts the program, discards its output, and stops it at the first instruction of its loader or of itself. */
struct traced_process *traced_process_start(char *const arguments[], struct module_cache *cache,
					    struct error *err);
void traced_process_kill(struct traced_process *process);

/* Runs without stopping to the program's entry point, after the loader. Returns 0 or -1. */
int traced_process_run_to_entry(struct traced_process *process, struct error *err);

/* Runs until it starts its first thread, and follows that one from its first instruction. Returns 0 or -1. */
int traced_process_run_to_thread(struct traced_process *process, struct error *err);

enum traced_stop {
	TRACED_STEPPED, /* one instruction */
	TRACED_ENTERED, /* entered a signal handler; its first instruction is next */
	TRACED_ENDED,   /* the program ended, or cannot be followed further */
};
enum traced_stop traced_process_step(struct traced_process *process);

/* Runs until control is at the address with this stack pointer. Returns false if that never happens. */
bool traced_process_run_to(struct traced_process *process, uint64_t address, uint64_t sp);

const struct user_regs_struct *traced_process_registers(const struct traced_process *process);

/* The instruction at the pc. */
struct instruction traced_process_instruction(struct traced_process *process);

/* Its memory and mappings. */
struct process_image *traced_process_image(struct traced_process *process);
bool traced_process_word(const struct traced_process *process, uint64_t address, uint64_t *word);

/* As process_image_stack(), for a stack that may have grown. */
struct shadow_bounds traced_process_stack(struct traced_process *process, uint64_t sp);

#endif
