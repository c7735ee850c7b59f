#ifndef XPROF_TEST_TRUTH_EMULATED_PROCESS_H
#define XPROF_TEST_TRUTH_EMULATED_PROCESS_H

/*
 * A program for aarch64 that runs instruction by instruction in QEMU's user-mode emulator: its
 * registers, its memory (which lies in the emulator's at the same addresses), and what is mapped.
 */

#include "base/error.h"
#include "truth/module_cache.h"
#include "truth/shadow_stack.h"
#include "truth/traced_process.h"
#include "unwind/unwinder.h"

struct emulated_process;

struct emulated_registers {
	uint64_t x[31];
	uint64_t sp;
	uint64_t pc;
};

/* The emulator with its options, the program (the last argument): stopped at the program's entry point. */
struct emulated_process *emulated_process_start(char *const arguments[], struct module_cache *cache,
						struct error *err);
void emulated_process_kill(struct emulated_process *process);

enum traced_stop emulated_process_step(struct emulated_process *process);

const struct emulated_registers *emulated_process_registers(const struct emulated_process *process);
struct instruction emulated_process_instruction(struct emulated_process *process);
size_t emulated_process_read(const struct emulated_process *process, uint64_t address, void *to, size_t size);
struct shadow_bounds emulated_process_stack(struct emulated_process *process, uint64_t sp);
uint64_t emulated_process_space(struct emulated_process *process);

/* An unwind_find_mapping; context is the struct emulated_process. */
bool emulated_process_find(void *context, uint64_t address, struct unwind_mapping *mapping);
const char *emulated_process_path(struct emulated_process *process, uint64_t address);

#endif
