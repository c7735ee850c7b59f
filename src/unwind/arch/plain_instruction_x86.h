#ifndef XPROF_UNWIND_PLAIN_INSTRUCTION_X86_H
#define XPROF_UNWIND_PLAIN_INSTRUCTION_X86_H

#include <stddef.h>
#include <stdint.h>

/*
 * The size in bytes of an x86-64 instruction that goes on behind itself, whether it branches or not, is no padding, and has no
 * address or constant that might be a function's. 0 for all others, and for some of these: those that compilers use most are
 * known. Takes a twentieth of the time of code_instruction_x86_64().
 */
size_t plain_instruction_x86_64(const uint8_t *bytes, size_t size);

#endif
