#ifndef XPROF_UNWIND_PLAIN_INSTRUCTION_X86_H
#define XPROF_UNWIND_PLAIN_INSTRUCTION_X86_H

#include <stddef.h>
#include <stdint.h>

/*
 * The size in bytes of a plain x86-64 instruction: control can continue behind it, it is not padding, and it has no address or
 * constant that might be that of a function. Returns 0 for all other instructions, and for plain ones that compilers rarely
 * use. Takes a twentieth of the time of code_instruction_x86_64().
 */
size_t plain_instruction_x86_64(const uint8_t *bytes, size_t size);

#endif
