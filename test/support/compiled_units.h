#ifndef XPROF_TEST_SUPPORT_COMPILED_UNITS_H
#define XPROF_TEST_SUPPORT_COMPILED_UNITS_H

/* An ELF file with units of debug information that say where their code is, and no more or where the rest is. */

#include "elf/elf_file.h"

struct compiled_unit {
	uint64_t low, high;
};

struct elf_file *compiled_units_open(const struct compiled_unit *units, size_t count);

/* The rest of each is in that .dwo file. */
struct elf_file *compiled_units_open_split(const struct compiled_unit *units, size_t count,
					   const char *split_name);

#endif
