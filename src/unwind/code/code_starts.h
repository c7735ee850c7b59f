#ifndef XPROF_UNWIND_CODE_STARTS_H
#define XPROF_UNWIND_CODE_STARTS_H

/*
 * Finds the starts of functions without symbols: targets of calls; and addresses that are taken (by an
 * instruction or a relocation of data) or to which another function jumps, if no code runs into them from
 * above.
 */

#include "elf/elf_file.h"
#include "unwind/arch/unwind_arch.h"
#include "unwind/code/code_bitmap.h"

/* Code with better unwind information, whose functions are known. */
struct code_descriptions {
	bool (*covers)(void *context, uint64_t vaddr);
	/*
	 * Returns the number of all ranges, in any order, some perhaps twice, and the ranges, which the
	 * caller frees.
	 */
	size_t (*list)(void *context, struct code_range **ranges);
	void *context;
};

/* Files with more code, or without any, are not searched. */
enum { CODE_STARTS_MAX_BYTES = 8 << 20 };
bool code_starts_searches(const struct elf_file *file);

/*
 * Finds starts in code that is not described. Described code is only scanned for references to the other code, byte
 * by byte, which takes a twentieth of the time of decoding its instructions.
 *
 * Returns the number of starts, and *starts, ascending vaddrs that the caller frees; 0 if there are none, or the
 * file is not searched. `bounds` are the starts and ends of functions with symbols, in any order.
 */
size_t code_starts_find(struct elf_file *file, const struct unwind_arch *arch,
			const struct code_descriptions *described, const uint64_t *bounds, size_t bound_count,
			uint64_t **starts);

#endif
