#ifndef XPROF_UNWIND_ARCH_X86_H
#define XPROF_UNWIND_ARCH_X86_H

/* The parts of the instruction set that 32-bit and 64-bit programs share (Intel SDM, volume 2). */

#include <string.h>

#include "unwind/arch/unwind_arch.h"

/* Are `bytes` at `distance` from code->at (negative: in front of it)? */
static inline bool arch_x86_has(const struct code_bytes *code, int distance, const uint8_t *bytes,
				size_t size)
{
	const size_t after = distance > 0 ? (size_t)distance + size : size;

	if (distance < 0)
		return code->before >= (size_t)-distance && code->after + (size_t)-distance >= size &&
		       memcmp(code->at + distance, bytes, size) == 0;
	return code->after >= after && memcmp(code->at + distance, bytes, size) == 0;
}

bool arch_x86_follows_call(const struct code_bytes *code);

/* Always false: on x86 the CFI of functions includes their endbr64. */
bool arch_x86_does_nothing(const struct code_bytes *code);

/*
 * The size of the code at a program's entry point. Other functions follow soon behind _start. The entry of the dynamic
 * linker begins with the bytes `linker`, calls a function that relocates it and runs the constructors of libraries, and
 * jumps to the program with the bytes `leave`.
 */
struct arch_x86_entry {
	uint8_t linker[4], leave[4];
	size_t linker_size, leave_size;
};
size_t arch_x86_entry_size(const struct code_bytes *entry, const struct arch_x86_entry *known);

#endif
