#ifndef XPROF_FORMAT_REGISTER_DWARF_H
#define XPROF_FORMAT_REGISTER_DWARF_H

/*
 * The numbers that DWARF gives to sampled registers: enum perf_event_*_regs of
 * asm/perf_regs.h on one side, the machine's psABI on the other.
 */

#include <stdint.h>

enum {
	REGISTER_DWARF_NONE = -1, /* has none that finding a caller needs, or is not known */
	REGISTER_DWARF_PC = -2,   /* the program counter, which has no number on all machines */
};

/* `elf_machine` is EM_*; `reg` the number of a bit in attr.sample_regs_user. */
int register_dwarf(uint16_t elf_machine, unsigned int reg);

#endif
