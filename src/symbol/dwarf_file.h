#ifndef XPROF_SYMBOL_DWARF_FILE_H
#define XPROF_SYMBOL_DWARF_FILE_H

/*
 * The debug information of one ELF file: its sections and its units.
 *
 * Nothing in here is trusted: every read is bounds-checked, what is damaged is
 * as if it were not there. Once opened a file does not change but for its shared
 * abbreviation tables, which appear when first asked for: any number of threads
 * may read at once.
 */

#include "elf/debug_file.h"
#include "symbol/dwarf_unit.h"

/* What dwz moved to another file (.gnu_debugaltlink) is looked for as debug files are. */
struct dwarf_file *dwarf_file_open(struct elf_file *elf, const struct debug_file_search *search,
				   struct error *err);

/* 1 when dwz moved parts to a file that is not found, whose build-id is *id; 0 when not; -1 when that is damaged. */
int dwarf_file_lacks_alternate(struct elf_file *elf, const struct debug_file_search *search,
			       struct build_id *id, struct error *err);

/* A .dwo file: sections named .debug_*.dwo. Takes over `elf`. */
struct dwarf_file *dwarf_file_open_split(struct elf_file *elf, struct error *err);
void dwarf_file_close(struct dwarf_file *file);

struct elf_file *dwarf_file_elf(const struct dwarf_file *file);
const struct dwarf_file *dwarf_file_alternate(const struct dwarf_file *file); /* NULL: none */
bool dwarf_file_swapped(const struct dwarf_file *file);
const struct dwarf_section *dwarf_file_section(const struct dwarf_file *file, enum dwarf_section_id id);
size_t dwarf_file_unit_count(const struct dwarf_file *file);
const struct dwarf_unit *dwarf_file_unit(const struct dwarf_file *file, size_t number);

/* The unit that contains an offset of .debug_info; NULL when none does. */
const struct dwarf_unit *dwarf_file_unit_of(const struct dwarf_file *file, uint64_t offset);

/* The unit's abbreviations, shared with all that have the same. Never NULL; empty when damaged. */
const struct dwarf_abbrev_table *dwarf_unit_abbrevs(const struct dwarf_unit *unit);

#endif
