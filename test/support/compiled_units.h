#ifndef XPROF_TEST_SUPPORT_COMPILED_UNITS_H
#define XPROF_TEST_SUPPORT_COMPILED_UNITS_H

/* An ELF file with units of debug information that say where their code is, and no more. */

#include "elf/elf_file.h"

struct compiled_unit {
	uint64_t low, high;
};

struct elf_file *compiled_units_open(const struct compiled_unit *units, size_t count);

#endif
