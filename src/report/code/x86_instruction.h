#ifndef XPROF_REPORT_CODE_X86_INSTRUCTION_H
#define XPROF_REPORT_CODE_X86_INSTRUCTION_H

/* The length of x86 instructions, and whether they branch, decoded by Zydis. Without Zydis no instruction is known. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { X86_INSTRUCTION_MAX_BYTES = 15 };

/* The length in bytes; 0 if truncated, invalid, or unknown. */
size_t x86_instruction_length(const uint8_t *bytes, size_t size, bool is_64bit);

/* True for jumps, calls, returns, interrupts and system calls: instructions after which another than the next may follow. */
bool x86_instruction_is_branch(const uint8_t *bytes, size_t size, bool is_64bit);

/* True for jumps and calls to an address in a register or in memory; false for returns. */
bool x86_instruction_is_indirect(const uint8_t *bytes, size_t size, bool is_64bit);

#endif
