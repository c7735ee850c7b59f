#ifndef XPROF_SYMBOL_DWARF_FILE_H
#define XPROF_SYMBOL_DWARF_FILE_H

/*
 * The debug information of one ELF file: its sections, its units and the ranges of their code. Does not
 * change once opened, so any number of threads may read it, each through a handle of its own.
 */

#include "elf/debug_file.h"
#include "symbol/dwarf/dwarf_ranges.h"

/* A unit with code, or the skeleton of one. Texts live as long as the file. */
struct dwarf_unit {
	uint64_t entry;      /* offset of its first entry in .debug_info */
	uint64_t size_bytes; /* in .debug_info, and in .debug_abbrev if that has to be searched */
	uint64_t low_pc;     /* base of its ranges */
	bool says_ranges;
	const char *split_name; /* the .dwo file with the rest of a skeleton; NULL: not a skeleton */
	const char *directory;  /* directory of compilation; NULL: unknown */
	uint64_t split_id;
	uint64_t addr_base, ranges_base; /* for split units: offsets of their parts of .debug_addr and
					    .debug_ranges */
};

struct dwarf_unit_range {
	uint64_t low, high;
	uint32_t unit;
};

struct dwarf_file;

/*
 * The file to which dwz moved common parts (.gnu_debugaltlink) is searched like debug files. err is set if a
 * part is missing.
 */
struct dwarf_file *dwarf_file_open(struct elf_file *elf, const struct debug_file_search *search,
				   struct error *err);

/*
 * Returns 1 if dwz moved parts to a file that is not found, with its build-id in *id; 0 if not; -1 with err set if
 * .gnu_debugaltlink is damaged.
 */
int dwarf_file_lacks_alternate(struct elf_file *elf, const struct debug_file_search *search,
			       struct build_id *id, struct error *err);
void dwarf_file_close(struct dwarf_file *file);

const struct dwarf_sections *dwarf_file_sections(const struct dwarf_file *file);
const struct dwarf_sections *dwarf_file_alternate(const struct dwarf_file *file); /* NULL: none */

/* Opens a handle for one thread. */
int dwarf_file_open_handle(const struct dwarf_file *file, struct dwarf_handle *handle);

size_t dwarf_file_unit_count(const struct dwarf_file *file);
const struct dwarf_unit *dwarf_file_unit(const struct dwarf_file *file, size_t number);

/* The ranges that the units themselves have, in the order of units. */
const struct dwarf_unit_range *dwarf_file_ranges(const struct dwarf_file *file, size_t *count);

#endif
