#ifndef XPROF_UNWIND_PROCESS_SAMPLE_REGISTERS_H
#define XPROF_UNWIND_PROCESS_SAMPLE_REGISTERS_H

/*
 * Converts the user registers of a sample from perf's numbers (asm/perf_regs.h of the recorded machine) to
 * DWARF numbers.
 */

#include "format/sample.h"
#include "unwind/unwinder.h"

/*
 * The machine by HEADER_ARCH ("x86_64", "aarch64"); NULL means this machine. Returns NULL if it cannot be
 * unwound.
 */
const struct unwind_arch *sample_registers_arch(const char *arch);

/*
 * Fills in arch, registers and pc of `input`. `arch` is that of the machine; 32-bit programs get another. Returns false
 * if the sample cannot be unwound: pc or stack pointer was not recorded, or it is a 32-bit program on aarch64.
 */
bool sample_registers_get(const struct sample *sample, const struct unwind_arch *arch,
			  struct unwind_input *input);

/* perf's number of the stack pointer: enum perf_event_x86_regs and the like. */
unsigned int sample_registers_sp(const struct unwind_arch *arch);

#endif
