#ifndef XPROF_TEST_SUPPORT_COMPILED_UNITS_H
#define XPROF_TEST_SUPPORT_COMPILED_UNITS_H

/* An ELF file with units of debug information that have only the range of their code, or also the name of a split file. */

#include "elf/elf_file.h"

struct compiled_unit {
	uint64_t low, high;
};

struct elf_file *compiled_units_open(const struct compiled_unit *units, size_t count);

/* The rest of each unit is in that .dwo file. */
struct elf_file *compiled_units_open_split(const struct compiled_unit *units, size_t count,
					   const char *split_name);

#endif
