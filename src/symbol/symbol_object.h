#ifndef XPROF_SYMBOL_SYMBOL_OBJECT_H
#define XPROF_SYMBOL_SYMBOL_OBJECT_H

/*
 * Identifies a mapped object and the place where its functions are looked up. Addresses are in the object's
 * *map space*:
 *   SYMBOL_OBJECT_ELF, _VDSO,
 *   _LISTED                    file offsets (runtime address - map start + map file offset)
 *   SYMBOL_OBJECT_JITDUMP      file offsets of the instructions in the jitdump file
 *   SYMBOL_OBJECT_KERNEL,
 *   _MODULE, _PERF_MAP,
 *   _SYMFILE                   runtime addresses
 */

#include <stdbool.h>
#include <stdint.h>

#include "elf/build_id.h"

enum symbol_object_kind {
	SYMBOL_OBJECT_ELF,    /* a file: program, library */
	SYMBOL_OBJECT_VDSO,   /* [vdso]: read out of this process when the build-id agrees */
	SYMBOL_OBJECT_KERNEL, /* the kernel proper: kallsyms, System.map or vmlinux; BPF programs in it too */
	SYMBOL_OBJECT_MODULE, /* a kernel module */
	SYMBOL_OBJECT_PERF_MAP, /* JIT code of process `pid`: /tmp/perf-PID.map */
	SYMBOL_OBJECT_JITDUMP,  /* JIT code that process `pid` described in the jitdump file at `path` */
	SYMBOL_OBJECT_LISTED,   /* no file, but the recording may have names for it */
	SYMBOL_OBJECT_SYMFILE,  /* likewise; code made at run time */
};

struct symbol_object {
	enum symbol_object_kind kind;
	const char *path;          /* as recorded: of a module its file, or its name in brackets */
	struct build_id build_id;  /* size 0: unknown, the file at `path` is believed */
	uint32_t pid;              /* SYMBOL_OBJECT_PERF_MAP and _JITDUMP only */
	uint32_t pids[3];          /* SYMBOL_OBJECT_ELF: processes that mapped it, up to a 0 */
	uint64_t code_file_offset; /* SYMBOL_OBJECT_ELF and _LISTED: of what was mapped as code first */
	/*
	 * SYMBOL_OBJECT_KERNEL, both from the kernel's MMAP record
	 * ("[kernel.kallsyms]_text", its pgoff): the symbol by which the kernel's
	 * place in memory was recorded, and where that was. NULL: not known, and
	 * symbols of a vmlinux or System.map are taken for not relocated (KASLR).
	 * SYMBOL_OBJECT_MODULE: no symbol; where the module's code began.
	 */
	const char *relocation_symbol; /* "_text" or "_stext" */
	uint64_t relocation_address;
};

static inline bool symbol_object_is_file(const struct symbol_object *object)
{
	return object->kind == SYMBOL_OBJECT_ELF || object->kind == SYMBOL_OBJECT_VDSO;
}

static inline bool symbol_object_is_kernel(const struct symbol_object *object)
{
	return object->kind == SYMBOL_OBJECT_KERNEL || object->kind == SYMBOL_OBJECT_MODULE;
}

/* Files are the same by build-id, else by path; what belongs to a process, by its number, too. */
uint64_t symbol_object_hash(const struct symbol_object *object);
bool symbol_object_equal(const struct symbol_object *a, const struct symbol_object *b);

#endif
