#ifndef XPROF_SYMBOL_DWARF_SECTIONS_H
#define XPROF_SYMBOL_DWARF_SECTIONS_H

/*
 * The debug sections of one file, decompressed and relocated, from which lines and inlined functions are
 * read.
 */

#include "elf/elf_file.h"

enum dwarf_section_id {
	DWARF_INFO,
	DWARF_ABBREV,
	DWARF_LINE,
	DWARF_STR,
	DWARF_LINE_STR,
	DWARF_STR_OFFSETS,
	DWARF_ADDR,
	DWARF_RANGES,
	DWARF_RNGLISTS,
	DWARF_SECTION_COUNT,
};

struct dwarf_section {
	const uint8_t *bytes; /* NULL: there is none */
	size_t size;
};

struct dwarf_sections {
	struct dwarf_section at[DWARF_SECTION_COUNT];
	bool is_64bit, swap;
};

/* Used as a string table, too; the last name is empty. */
extern const char dwarf_section_names[DWARF_SECTION_COUNT + 1][24];

/*
 * `suffix`: "", or ".dwo" for the sections of split debug information. Damaged sections are left out, and err
 * says why. Sections live as long as the file.
 */
void dwarf_sections_of(struct dwarf_sections *sections, struct elf_file *elf, const char *suffix,
		       struct error *err);

/* Does the text end inside its section? True for texts that are in none of the sections. */
bool dwarf_sections_hold_text(const struct dwarf_sections *sections, const char *text);

#endif
