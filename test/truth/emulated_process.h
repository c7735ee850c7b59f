#ifndef XPROF_TEST_TRUTH_EMULATED_PROCESS_H
#define XPROF_TEST_TRUTH_EMULATED_PROCESS_H

/*
 * A program for aarch64 that runs instruction by instruction in QEMU's user-mode emulator: its
 * registers, its memory (which lies in the emulator's at the same addresses), and what is mapped.
 */

#include "base/error.h"
#include "truth/process_image.h"
#include "truth/traced_process.h"

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

/* Its memory and mappings. */
struct process_image *emulated_process_image(struct emulated_process *process);

#endif
