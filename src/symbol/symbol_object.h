#ifndef XPROF_SYMBOL_SYMBOL_OBJECT_H
#define XPROF_SYMBOL_SYMBOL_OBJECT_H

/*
 * Identifies a mapped object, and has all facts that are needed to find its symbols. Addresses are in the
 * object's *map space*:
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
	const char *path;          /* as recorded; for a module its file, or its name in brackets */
	struct build_id build_id;  /* size 0: unknown; the file at `path` is used */
	uint32_t pid;              /* DSO_ANON and DSO_JITDUMP only */
	uint32_t pids[3];          /* DSO_FILE: processes that mapped it, ended by a 0 */
	uint64_t code_file_offset; /* DSO_FILE and DSO_UNKNOWN: of the first executable mapping */
	/*
	 * DSO_KERNEL, both from the kernel's MMAP record ("[kernel.kallsyms]_text", its pgoff): the symbol by
	 * which the kernel's place in memory was recorded, and where that was. NULL: unknown; symbols of a
	 * vmlinux or System.map are assumed not to be relocated (KASLR). DSO_MODULE: no symbol; the start of
	 * the module's code.
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

/* Files are equal by build-id, or else by path; objects of one process by pid, too. */
uint64_t symbol_object_hash(const struct symbol_object *object);
bool symbol_object_equal(const struct symbol_object *a, const struct symbol_object *b);

#endif
