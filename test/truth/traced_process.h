#ifndef XPROF_TEST_TRUTH_TRACED_PROCESS_H
#define XPROF_TEST_TRUTH_TRACED_PROCESS_H

/*
 * A program that runs instruction by instruction under ptrace(2), on x86-64:
 * its registers, its memory, and what is mapped, as the unwinder wants it.
 */

#include <sys/types.h>
#include <sys/user.h>

#include "base/error.h"
#include "truth/module_cache.h"
#include "truth/shadow_stack.h"
#include "unwind/unwinder.h"

struct traced_process;

/* Starts the program, output thrown away, stopped at the first instruction of its loader or of itself. */
struct traced_process *traced_process_start(char *const arguments[], struct module_cache *cache,
					    struct error *err);
void traced_process_kill(struct traced_process *process);

/* Runs without stopping up to the program's entry point, behind the loader. 0, or -1. */
int traced_process_run_to_entry(struct traced_process *process, struct error *err);

/* Runs up to the first thread that it starts, and follows that one from its first instruction. 0, or -1. */
int traced_process_run_to_thread(struct traced_process *process, struct error *err);

enum traced_stop {
	TRACED_STEPPED, /* one instruction */
	TRACED_ENTERED, /* a signal handler, whose first instruction is next */
	TRACED_ENDED,   /* the program, or what can be followed of it */
};
enum traced_stop traced_process_step(struct traced_process *process);

/* Runs until control is at the address with this stack pointer. False when that never happens. */
bool traced_process_run_to(struct traced_process *process, uint64_t address, uint64_t sp);

const struct user_regs_struct *traced_process_registers(const struct traced_process *process);

/* Of the instruction at pc. */
struct instruction traced_process_instruction(struct traced_process *process);

/* Returns how many bytes could be read. */
size_t traced_process_read(const struct traced_process *process, uint64_t address, void *to, size_t size);
bool traced_process_word(const struct traced_process *process, uint64_t address, uint64_t *word);

/* The writable mapping that the address lies in; {0, 0} when there is none. */
struct shadow_bounds traced_process_stack(struct traced_process *process, uint64_t sp);

/* Looks at what is mapped, if that may have changed since. Returns the number for unwind_input.space. */
uint64_t traced_process_space(struct traced_process *process);

/* An unwind_find_mapping; context is the struct traced_process. */
bool traced_process_find(void *context, uint64_t address, struct unwind_mapping *mapping);

/* The file mapped there; "" when there is none. */
const char *traced_process_path(struct traced_process *process, uint64_t address);

/* Does the address lie in one of the file's .plt sections? */
bool traced_process_is_plt(struct traced_process *process, uint64_t address);

#endif
