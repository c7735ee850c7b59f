#ifndef XPROF_TEST_TRUTH_EMULATED_PROCESS_H
#define XPROF_TEST_TRUTH_EMULATED_PROCESS_H

/*
 * A program for aarch64 that runs instruction by instruction in QEMU's user-mode emulator: its registers, its memory (at the same
 * addresses as in the emulator's own memory), and its mappings.
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

/* Starts the emulator with its options; the last argument is the program, which is stopped at its entry point. */
struct emulated_process *emulated_process_start(char *const arguments[], struct module_cache *cache,
						struct error *err);
void emulated_process_kill(struct emulated_process *process);

enum traced_stop emulated_process_step(struct emulated_process *process);

const struct emulated_registers *emulated_process_registers(const struct emulated_process *process);
struct instruction emulated_process_instruction(struct emulated_process *process);

/* Its memory and mappings. */
struct process_image *emulated_process_image(struct emulated_process *process);

#endif
