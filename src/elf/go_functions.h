#ifndef XPROF_ELF_GO_FUNCTIONS_H
#define XPROF_ELF_GO_FUNCTIONS_H

/*
 * The table .gopclntab, which programs written in Go carry for their own stack traces, even if stripped
 * (src/runtime/symtab.go and runtime2.go of Go 1.16 and later). It has the frame size of each function at
 * each instruction and, unlike Go's DWARF, tells which functions have no caller.
 */

#include <stdbool.h>
#include <stdint.h>

#include "elf/elf_file.h"

struct go_functions;

struct go_function {
	uint64_t start, end; /* vaddrs */
	const char *name;    /* valid as long as the file */
	bool is_top;         /* has no caller: goexit, and the program's entry functions */
	bool moves_to_stack; /* switches, or may switch, the stack pointer to another stack */
	bool calls_on_other; /* and makes its calls on that other stack: systemstack, mcall … */
	bool makes_caller; /* builds a frame on the other stack from which its own caller can be found (cgocallback) */
	bool is_clone;        /* new threads begin here: runtime.clone */
	uint32_t frame_sizes; /* offset of its table of frame sizes, 0: none */
};

/*
 * Returns NULL if the file has no such table, or one of an unknown version. `file` must outlive the result.
 */
struct go_functions *go_functions_open(struct elf_file *file);
void go_functions_close(struct go_functions *functions);

/*
 * Functions by number, in order of address. go_functions_at() returns 1, or 0 if the table is damaged there.
 */
size_t go_functions_count(const struct go_functions *functions);
int go_functions_at(const struct go_functions *functions, size_t number, struct go_function *function);

/* The function that contains `vaddr`. Returns 1 if found, 0 if there is none. */
int go_functions_find(const struct go_functions *functions, uint64_t vaddr, struct go_function *function);

/*
 * How far the stack pointer at `vaddr` is below its value at the function's entry. Returns 1, or 0 if
 * unknown.
 */
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
