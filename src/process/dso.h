#ifndef XPROF_PROCESS_DSO_H
#define XPROF_PROCESS_DSO_H

/*
 * One thing that code was mapped from, shared by every process that maps it. Identified by path and build-id,
 * or else by path, device and inode: if a path has a second build-id, the file was replaced while recording,
 * and there is a second DSO.
 */

#include <stdint.h>

#include "elf/build_id.h"
#include "elf/dso_kind.h"

enum { DSO_MAPPERS = 2 };

struct dso {
	uint32_t number; /* dense, from 0; index for per-DSO side tables */
	enum dso_kind kind;
	/* as recorded: "/usr/lib/…/libc.so.6", "[kernel.kallsyms]", "/lib/modules/…/ext4.ko" */
	const char *path;
	/* what perf shows: "libc.so.6", "[kernel.kallsyms]", "[ext4]", "[vdso]", "[JIT] tid 7" … */
	const char *name;
	struct build_id build_id; /* from MMAP2, HEADER_BUILD_ID or the feature table; size 0: unknown */
	uint32_t device_major, device_minor;
	uint64_t inode;
	/* DSO_FILE: the first process that mapped it, and the last one so far: read through dso_mappers(). */
	_Atomic uint32_t mapped_by[DSO_MAPPERS];
	uint64_t code_file_offset; /* DSO_FILE, DSO_UNKNOWN: of its first executable mapping */
	uint32_t pid;              /* DSO_ANON and DSO_JITDUMP only: the process that it belongs to */
	/*
	 * DSO_KERNEL: the symbol by which the kernel's place in memory was recorded ("_text" of
	 * "[kernel.kallsyms]_text") and where it was (pgoff of the same record). NULL: not known. DSO_MODULE:
	 * no symbol; the start of its code.
	 */
	const char *relocation_symbol;
	uint64_t relocation_address;
};

/*
 * Processes that mapped it, ended by a 0. They may have ended since. Another thread may apply records
 * meanwhile.
 */
static inline void dso_mappers(const struct dso *dso, uint32_t pids[static DSO_MAPPERS + 1])
{
	for (int i = 0; i < DSO_MAPPERS; i++)
		pids[i] = dso->mapped_by[i];
	pids[DSO_MAPPERS] = 0;
}

#endif
