#ifndef XPROF_SYMBOL_DWARF_UNIT_H
#define XPROF_SYMBOL_DWARF_UNIT_H

/*
 * Units of debug information, with what their first entries say (DWARF 5,
 * sections 3.1 and 7.5.1; versions 2 to 5). A unit does not change once it is read.
 */

#include "symbol/dwarf_value.h"

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
	const uint8_t *bytes;
	size_t size;
};

#define DWARF_NO_SLOT UINT32_MAX

struct dwarf_file;

struct dwarf_unit {
	const struct dwarf_file *file;
	uint64_t offset;      /* of its header, in .debug_info */
	uint64_t first_entry; /* likewise */
	uint64_t end;         /* likewise: first byte behind it */
	uint64_t abbrev_offset;
	uint32_t abbrev_slot; /* of the file's shared tables; DWARF_NO_SLOT: it shares none */
	struct dwarf_format format;
	uint8_t type; /* DW_UT_*; before version 5 that of its first entry */

	/* From its first entry. */
	uint16_t language; /* DW_LANG_* */
	bool has_lines;
	uint64_t line_offset; /* in .debug_line */
	uint64_t low_pc;
	uint64_t high_pc; /* 0: none */
	struct dwarf_value ranges;
	uint64_t str_offsets_base, addr_base, rnglists_base, gnu_ranges_base;
	const char *name, *directory; /* NULL: not said */
	const char *split_name;       /* where the rest is; NULL: here */
	uint64_t split_id;
	const struct dwarf_unit
		*skeleton; /* of a split unit: has its addresses and, before version 5, ranges */
};

/*
 * Of the unit at `offset` of .debug_info. -1: damaged, or of an unknown version; `unit->end` is where the next one may
 * begin, in any case behind `offset`.
 */
int dwarf_unit_read_header(const struct dwarf_file *file, uint64_t offset, struct dwarf_unit *unit);

/* What the first entry says; `table` has the abbreviation of that at least. What is damaged stays unsaid. */
void dwarf_unit_read_root(struct dwarf_unit *unit, const struct dwarf_abbrev_table *table);

/* A table of the caller's own: for who walks through a whole unit and forgets it. */
int dwarf_unit_read_abbrevs(const struct dwarf_unit *unit, struct dwarf_abbrev_table *table);

/* A reader over the unit's entries from `offset` on; failed when that lies outside of it. */
struct byte_reader dwarf_unit_reader(const struct dwarf_unit *unit, uint64_t offset);

/* NULL: it is no text, or damaged. Lives as long as the file. */
const char *dwarf_unit_text(const struct dwarf_unit *unit, const struct dwarf_value *value);

/* 0, or -1: it is no address. */
int dwarf_unit_address(const struct dwarf_unit *unit, const struct dwarf_value *value, uint64_t *address);

/* Number `index` in the unit's part of .debug_addr; 0, or -1. */
int dwarf_unit_indexed_address(const struct dwarf_unit *unit, uint64_t index, uint64_t *address);

/* The entry that a reference means, maybe in another unit or file; 0, or -1. */
int dwarf_unit_reference(const struct dwarf_unit *unit, const struct dwarf_value *value,
			 const struct dwarf_unit **target, uint64_t *offset);

/*
 * Name of a function, mangled where it has such a name, followed through its origins, which may lie in other units;
 * NULL: it has none. `table`: the unit's abbreviations.
 */
const char *dwarf_entry_name(const struct dwarf_unit *unit, const struct dwarf_abbrev_table *table,
			     uint64_t offset);

#endif
