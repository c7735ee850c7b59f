#ifndef XPROF_TEST_SUPPORT_OWN_PROCESS_H
#define XPROF_TEST_SUPPORT_OWN_PROCESS_H

/* An unwinder's input from this process or from a traced one: modules, registers, stack bytes. */

#include <sys/types.h>
#include <ucontext.h>

#include "unwind/unwinder.h"

enum { OWN_PROCESS_MAPPINGS = 256 };

struct own_process {
	pid_t pid;                                            /* 0: this process */
	struct unwind_mapping mappings[OWN_PROCESS_MAPPINGS]; /* executable mappings */
	size_t mapping_count;
	struct module *modules[OWN_PROCESS_MAPPINGS];
	char *paths[OWN_PROCESS_MAPPINGS];
	size_t module_count;
};

/* Reads /proc/self/maps and copies the vdso from memory. */
void own_process_init(struct own_process *process);

/* For another process. Call own_process_refresh() whenever its mappings may have changed. */
void own_process_init_other(struct own_process *process, pid_t pid);
void own_process_refresh(struct own_process *process);
void own_process_fini(struct own_process *process);

/* An unwind_find_mapping; context is the struct own_process. */
bool own_process_find(void *context, uint64_t address, struct unwind_mapping *mapping);

/*
 * The input at `context`, which getcontext() or a signal handler received: with a copy of the stack from the stack pointer
 * to the end of the mapping, at most max_bytes. Free it with own_input_fini().
 */
void own_input_init(struct unwind_input *input, struct own_process *process, const ucontext_t *context,
		    size_t max_bytes);
void own_input_fini(struct unwind_input *input);

/* Copies byte by byte, so that no sanitizer takes it for an access to a red zone. */
void own_stack_copy(uint8_t *to, uint64_t from, size_t size);

#endif
