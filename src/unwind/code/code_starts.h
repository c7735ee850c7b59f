#ifndef XPROF_UNWIND_CODE_STARTS_H
#define XPROF_UNWIND_CODE_STARTS_H

/*
 * Where functions begin that have no symbol: at what is called, and at what an
 * address is taken of (by an instruction, or a relocation of data) or what another
 * function jumps to, if nothing runs into it from above.
 */

#include "elf/elf_file.h"
#include "unwind/arch/unwind_arch.h"
#include "unwind/code/code_bitmap.h"

/* Code with better unwind information: the functions there are known. */
struct code_descriptions {
	bool (*covers)(void *context, uint64_t vaddr);
	/* All of it, in any order, some perhaps twice: the number of ranges, and the ranges, to be freed. */
	size_t (*list)(void *context, struct code_range **ranges);
	void *context;
};

/* Files with more code are not searched, nor those without any. */
enum { CODE_STARTS_MAX_BYTES = 8 << 20 };
bool code_starts_searches(const struct elf_file *file);

/*
 * In code that is not described; what is described is only looked through for what leads from there to here, byte for
 * byte, which takes a twentieth of the time of reading its instructions.
 *
 * Ascending vaddrs, in *starts, to be freed: the number of them. 0 where nothing is found, or nothing was searched.
 * `bounds` are those where functions with symbols begin and end, in any order.
 */
size_t code_starts_find(struct elf_file *file, const struct unwind_arch *arch,
			const struct code_descriptions *described, const uint64_t *bounds, size_t bound_count,
			uint64_t **starts);

#endif
