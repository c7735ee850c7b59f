#ifndef XPROF_REPORT_SCRIPT_X86_INSTRUCTION_H
#define XPROF_REPORT_SCRIPT_X86_INSTRUCTION_H

/* How long an x86 instruction is, and whether it branches. Intel SDM volume 2, chapter 2 and appendix A. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { X86_INSTRUCTION_MAX_BYTES = 15 };

/* 0 when the bytes are fewer than the instruction has, or are none. */
size_t x86_instruction_length(const uint8_t *bytes, size_t size, bool is_64bit);

/* Can it be followed by another than the next: jumps, calls, returns, interrupts, system calls. */
bool x86_instruction_is_branch(const uint8_t *bytes, size_t size, bool is_64bit);

#endif
