#ifndef XPROF_REPORT_CODE_CODE_OBJECT_H
#define XPROF_REPORT_CODE_CODE_OBJECT_H

/*
 * The program, library or kernel whose code an export is about: which of those that were recorded, its file, and the
 * functions in it as its linker named them. Compilers know addresses as vaddrs.
 */

#include <stdbool.h>

#include "elf/elf_file.h"
#include "report/code/code_recording.h"
#include "symbol/kernel_place.h"

struct code_function {
	const char *name; /* mangled */
	uint64_t vaddr, size_bytes;
	uint32_t copy; /* 0: global; n: the nth local function of that name in the order of the symbol table */
};

struct code_object {
	const struct dso *dso;
	struct elf_file *file;       /* NULL: the kernel */
	struct elf_file *vmlinux;    /* of the kernel; NULL: not here, and its addresses stand for vaddrs */
	struct kernel_place *kernel; /* where vmlinux was */
	struct code_function *functions; /* by vaddr */
	size_t function_count, function_capacity;
};

/* `name`: a path, a short name, or [kernel.kallsyms]; NULL: the file with most samples. -1 if there is none. */
int code_object_open(struct code_object *object, const struct code_recording *recording, const char *name,
		     struct error *err);
int code_object_open_dso(struct code_object *object, const struct code_recording *recording,
			 const struct dso *dso, struct error *err);
void code_object_close(struct code_object *object);

/* False if no segment has that place. */
bool code_object_vaddr(const struct code_object *object, const struct code_place *place, uint64_t *vaddr);
bool code_object_has(const struct code_object *object, const struct code_place *place);

/* NULL: no function covers it. */
const struct code_function *code_object_function(const struct code_object *object, uint64_t vaddr);

#endif
