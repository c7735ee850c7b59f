#ifndef XPROF_FORMAT_REGISTER_DWARF_H
#define XPROF_FORMAT_REGISTER_DWARF_H

/*
 * Converts numbers of sampled registers (enum perf_event_*_regs, asm/perf_regs.h) to DWARF register numbers
 * (the machine's psABI).
 */

#include <stdint.h>

enum {
	REGISTER_DWARF_NONE = -1, /* not needed for unwinding, or unknown */
	REGISTER_DWARF_PC = -2,   /* the program counter, which has no DWARF number on some machines */
};

/* `elf_machine` is EM_*; `reg` the number of a bit in attr.sample_regs_user. */
int register_dwarf(uint16_t elf_machine, unsigned int reg);

#endif
