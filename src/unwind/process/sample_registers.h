#ifndef XPROF_UNWIND_PROCESS_SAMPLE_REGISTERS_H
#define XPROF_UNWIND_PROCESS_SAMPLE_REGISTERS_H

/*
 * The user registers of a sample, from the numbers of perf (asm/perf_regs.h of
 * the recorded machine) to those of DWARF.
 */

#include "format/sample.h"
#include "unwind/unwinder.h"

/* By HEADER_ARCH ("x86_64", "aarch64"); NULL is taken for this machine's. NULL for one that cannot be unwound. */
const struct unwind_arch *sample_registers_arch(const char *arch);

/*
 * Fills in arch, registers and pc; `arch` is the machine's, whose 32-bit programs have another. False when that cannot be
 * unwound: the pc or the stack pointer was not recorded, or it is a 32-bit program of aarch64.
 */
bool sample_registers_get(const struct sample *sample, const struct unwind_arch *arch,
			  struct unwind_input *input);

/* The number that a sample's registers have the stack pointer by: enum perf_event_x86_regs and the like. */
unsigned int sample_registers_sp(const struct unwind_arch *arch);

#endif
