/* Tables for x86, indexed by perf's register number; aarch64 needs none, since perf numbers its registers as DWARF does. */
#include "format/register_dwarf.h"

#include <elf.h>

enum { X86_REGISTERS = 24, I386_REGISTERS = 9, ARM64_REGISTERS = 33, ARM64_PC = 32 };

/*
 * enum perf_event_x86_regs (AX BX CX DX SI DI BP SP IP FLAGS CS SS DS ES FS GS R8 … R15) and
 * System V psABI for x86-64, figure 3.36
 */
static const int8_t x86_64[X86_REGISTERS] = {
	0,
	3,
	2,
	1,
	4,
	5,
	6,
	7,
	REGISTER_DWARF_PC,
	REGISTER_DWARF_NONE,
	REGISTER_DWARF_NONE,
	REGISTER_DWARF_NONE,
	REGISTER_DWARF_NONE,
	REGISTER_DWARF_NONE,
	REGISTER_DWARF_NONE,
	REGISTER_DWARF_NONE,
	8,
	9,
	10,
	11,
	12,
	13,
	14,
	15,
};

/* System V psABI for the Intel386 architecture, table 2.14 */
static const int8_t i386[I386_REGISTERS] = { 0, 3, 1, 2, 6, 7, 5, 4, REGISTER_DWARF_PC };

int register_dwarf(uint16_t elf_machine, unsigned int reg)
{
	if (elf_machine == EM_X86_64 && reg < X86_REGISTERS)
		return x86_64[reg];
	if (elf_machine == EM_386 && reg < I386_REGISTERS)
		return i386[reg];
	/* enum perf_event_arm_regs of arm64: x0 to x29, lr and sp as DWARF has them, then pc */
	if (elf_machine == EM_AARCH64 && reg < ARM64_REGISTERS)
		return reg == ARM64_PC ? REGISTER_DWARF_PC : (int)reg;
	return REGISTER_DWARF_NONE;
}
