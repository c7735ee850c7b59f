#ifndef XPROF_SYMBOL_DWARF_FILE_H
#define XPROF_SYMBOL_DWARF_FILE_H

/*
 * The debug information of one ELF file: its sections, its units and where their
 * code is. Constant once opened: any number of threads may read, each through a
 * handle of its own.
 */

#include "elf/debug_file.h"
#include "symbol/dwarf/dwarf_ranges.h"

/* A unit with code, or the skeleton of one. Texts live as long as the file. */
struct dwarf_unit {
	uint64_t entry;      /* offset of its first entry in .debug_info */
	uint64_t size_bytes; /* of .debug_info, and of .debug_abbrev where it has to be searched */
	uint64_t low_pc;     /* what ranges count from */
	bool says_ranges;
	const char *split_name; /* the .dwo file that has the rest; NULL: this is all */
	const char *directory;  /* in which it was compiled; NULL: not known */
	uint64_t split_id;
	uint64_t addr_base, ranges_base; /* of split units, where .debug_addr and .debug_ranges begin */
};

struct dwarf_unit_range {
	uint64_t low, high;
	uint32_t unit;
};

struct dwarf_file;

/*
 * The file to which dwz moved common parts (.gnu_debugaltlink) is found as debug files are. err: a part is
 * missing.
 */
struct dwarf_file *dwarf_file_open(struct elf_file *elf, const struct debug_file_search *search,
				   struct error *err);

/* 1 when dwz moved parts to a file that is not found, whose build-id is *id; 0 when not; -1 when that is damaged. */
int dwarf_file_lacks_alternate(struct elf_file *elf, const struct debug_file_search *search,
			       struct build_id *id, struct error *err);
void dwarf_file_close(struct dwarf_file *file);

const struct dwarf_sections *dwarf_file_sections(const struct dwarf_file *file);
const struct dwarf_sections *dwarf_file_alternate(const struct dwarf_file *file); /* NULL: none */

/* For one thread. */
int dwarf_file_open_handle(const struct dwarf_file *file, struct dwarf_handle *handle);

size_t dwarf_file_unit_count(const struct dwarf_file *file);
const struct dwarf_unit *dwarf_file_unit(const struct dwarf_file *file, size_t number);

/* As the units say it themselves, in their order. */
const struct dwarf_unit_range *dwarf_file_ranges(const struct dwarf_file *file, size_t *count);

#endif
