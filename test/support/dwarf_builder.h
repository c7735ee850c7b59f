#ifndef TEST_SUPPORT_DWARF_BUILDER_H
#define TEST_SUPPORT_DWARF_BUILDER_H

/*
 * A small ELF file with debug information, written byte by byte in any version of
 * DWARF, width and byte order. In the directory /build a compiler saw
 *
 *   unit.c:5   outer()            0x1000 to 0x1010
 *   unit.c:7     inlines inner()  0x1004 to 0x1008 and 0x100c to 0x100e
 *   inc/unit.h:2 inner()
 *
 * and gave the rest of outer() lines 6 (0x1008) and 9 (0x100e).
 */

#include "support/elf_builder.h"

struct dwarf_recipe {
	uint8_t version;     /* 2 to 5 */
	uint8_t offset_size; /* 4 or 8 */
	bool swap;
	bool cycle;          /* inner() has no name and is its own origin */
	bool no_unit_ranges; /* the unit does not have the ranges of its code */
};

/* Returns malloc()ed bytes. */
uint8_t *dwarf_builder_make(const struct dwarf_recipe *recipe, size_t *size);

/* Opens the file as /build/made. */
struct elf_file *dwarf_builder_open(const struct dwarf_recipe *recipe);

#endif
