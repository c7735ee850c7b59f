#ifndef XPROF_ELF_GO_FUNCTIONS_H
#define XPROF_ELF_GO_FUNCTIONS_H

/*
 * The table .gopclntab, which programs written in Go carry for their own stack traces, even if stripped
 * (src/runtime/symtab.go and runtime2.go of Go 1.16 and later). It has the size of each function's frame at
 * each instruction and, unlike their DWARF, tells where stacks begin.
 */

#include <stdbool.h>
#include <stdint.h>

#include "elf/elf_file.h"

struct go_functions;

struct go_function {
	uint64_t start, end; /* vaddrs */
	const char *name;    /* as long as the file */
	bool is_top;         /* stacks begin here: goexit, and what the program begins with */
	bool moves_to_stack; /* puts another stack into the stack pointer somewhere, or may do so */
	bool calls_on_other; /* and what it calls is always there: systemstack, mcall … */
	bool makes_caller; /* of what it calls on the other stack, there: its own frame and caller as they were (cgocallback) */
	bool is_clone;        /* where new threads begin: runtime.clone */
	uint32_t frame_sizes; /* offset of the table of sizes in the file's, 0: none */
};

/* NULL when the file is none of Go's, or of a version that is not known. The file outlives it. */
struct go_functions *go_functions_open(struct elf_file *file);
void go_functions_close(struct go_functions *functions);

/* They lie in order of their addresses. 1, or 0: the table is damaged there. */
size_t go_functions_count(const struct go_functions *functions);
int go_functions_at(const struct go_functions *functions, size_t number, struct go_function *function);

/* 1 found, 0 there is none. */
int go_functions_find(const struct go_functions *functions, uint64_t vaddr, struct go_function *function);

/* The distance of the stack pointer below its value at the function's entry. 1, or 0: unknown. */
int go_functions_frame_size(const struct go_functions *functions, const struct go_function *function,
			    uint64_t vaddr, int32_t *size_bytes);

/*
 * Receives the parts of the file that an excerpt must have so that the functions above give the same answers
 * for the function at a vaddr.
 */
typedef void go_functions_part(const void *bytes, size_t size, void *context);
void go_functions_visit_parts(const struct go_functions *functions, uint64_t vaddr, go_functions_part *visit,
			      void *context);

#endif
