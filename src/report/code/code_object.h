#ifndef XPROF_REPORT_CODE_CODE_OBJECT_H
#define XPROF_REPORT_CODE_CODE_OBJECT_H

/*
 * The program, library or kernel whose code is exported: one of the recorded objects, its file, and its functions by the names
 * of the symbol table. Compilers identify instructions by vaddr.
 */

#include <stdbool.h>

#include "elf/elf_file.h"
#include "report/code/code_recording.h"
#include "symbol/kernel_place.h"

struct code_function {
	const char *name; /* mangled */
	uint64_t vaddr, size_bytes;
	uint32_t copy; /* 0: global; n: the nth local function of this name in the symbol table */
};

struct code_object {
	const struct dso *dso;
	struct elf_file *file; /* NULL for the kernel */
	/* for the kernel; NULL: not found, recorded addresses are used as vaddrs */
	struct elf_file *vmlinux;
	struct kernel_place *kernel;     /* the recorded position of vmlinux */
	struct code_function *functions; /* ascending by vaddr */
	size_t function_count, function_capacity;
};

/*
 * `name`: a path, a short name, or [kernel.kallsyms]; NULL: the file with most samples. Returns 0, or -1 with err if there is
 * no such object.
 */
int code_object_open(struct code_object *object, const struct code_recording *recording, const char *name,
		     struct error *err);
int code_object_open_dso(struct code_object *object, const struct code_recording *recording,
			 const struct dso *dso, struct error *err);
void code_object_close(struct code_object *object);

/* The file of the program or library, or vmlinux; NULL for the kernel without vmlinux. */
static inline struct elf_file *code_object_file(const struct code_object *object)
{
	return object->file ? object->file : object->vmlinux;
}

/* Returns false if no segment contains the place. */
bool code_object_vaddr(const struct code_object *object, const struct code_place *place, uint64_t *vaddr);
bool code_object_has(const struct code_object *object, const struct code_place *place);

/* The function that contains `vaddr`; NULL if there is none. */
const struct code_function *code_object_function(const struct code_object *object, uint64_t vaddr);

#endif
