#ifndef XPROF_REPORT_CODE_X86_INSTRUCTION_H
#define XPROF_REPORT_CODE_X86_INSTRUCTION_H

/* How long an x86 instruction is, and whether it branches, by Zydis. A build without Zydis knows no instruction. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { X86_INSTRUCTION_MAX_BYTES = 15 };

/* 0 if truncated, invalid, or unknown to this build. */
size_t x86_instruction_length(const uint8_t *bytes, size_t size, bool is_64bit);

/* True for jumps, calls, returns, interrupts and system calls, which another instruction than the next may follow. */
bool x86_instruction_is_branch(const uint8_t *bytes, size_t size, bool is_64bit);

/* True for jumps and calls to an address that is in a register or in memory. Returns are none. */
bool x86_instruction_is_indirect(const uint8_t *bytes, size_t size, bool is_64bit);

#endif
