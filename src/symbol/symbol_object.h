#ifndef XPROF_SYMBOL_SYMBOL_OBJECT_H
#define XPROF_SYMBOL_SYMBOL_OBJECT_H

/*
 * Identifies a mapped object and the place where its functions are looked up. Addresses are in the object's
 * *map space*:
 *   DSO_FILE, DSO_VDSO, DSO_UNKNOWN            file offsets (runtime address - map start + map file offset)
 *   DSO_JITDUMP                                file offsets of the instructions in the jitdump file
 *   DSO_KERNEL, DSO_MODULE, DSO_ANON,
 *   DSO_SYMFILE                                runtime addresses
 */

#include <stdbool.h>
#include <stdint.h>

#include "elf/build_id.h"
#include "elf/dso_kind.h"

struct symbol_object {
	enum dso_kind kind;
	const char *path;          /* as recorded: of a module its file, or its name in brackets */
	struct build_id build_id;  /* size 0: unknown, the file at `path` is believed */
	uint32_t pid;              /* DSO_ANON and DSO_JITDUMP only */
	uint32_t pids[3];          /* DSO_FILE: processes that mapped it, up to a 0 */
	uint64_t code_file_offset; /* DSO_FILE and DSO_UNKNOWN: of what was mapped as code first */
	/*
	 * DSO_KERNEL, both from the kernel's MMAP record
	 * ("[kernel.kallsyms]_text", its pgoff): the symbol by which the kernel's
	 * place in memory was recorded, and where that was. NULL: not known, and
	 * symbols of a vmlinux or System.map are taken for not relocated (KASLR).
	 * DSO_MODULE: no symbol; where the module's code began.
	 */
	const char *relocation_symbol; /* "_text" or "_stext" */
	uint64_t relocation_address;
};

static inline bool symbol_object_is_file(const struct symbol_object *object)
{
	return object->kind == DSO_FILE || object->kind == DSO_VDSO;
}

static inline bool symbol_object_is_kernel(const struct symbol_object *object)
{
	return object->kind == DSO_KERNEL || object->kind == DSO_MODULE;
}

/* Files are the same by build-id, else by path; what belongs to a process, by its number, too. */
uint64_t symbol_object_hash(const struct symbol_object *object);
bool symbol_object_equal(const struct symbol_object *a, const struct symbol_object *b);

#endif
