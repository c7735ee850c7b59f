#ifndef XPROF_SYMBOL_DWARF_ABBREV_H
#define XPROF_SYMBOL_DWARF_ABBREV_H

/* Abbreviation tables: what the attributes of a debugging information entry are (DWARF 5, section 7.5.3). */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

struct dwarf_attr {
	uint16_t name;    /* DW_AT_*, 0 when it is beyond 16 bits: nobody's */
	uint16_t form;    /* DW_FORM_* */
	int32_t implicit; /* DW_FORM_implicit_const */
};

struct dwarf_abbrev {
	uint64_t code;
	uint32_t first_attr; /* among the table's */
	uint16_t attr_count;
	uint16_t tag; /* DW_TAG_* */
	bool has_children;
	uint16_t fixed_size_bytes; /* of all attributes together; DWARF_SIZE_VARIES */
};

#define DWARF_SIZE_VARIES UINT16_MAX

/* How wide a unit's addresses and offsets are: forms have other sizes in each. */
struct dwarf_format {
	uint8_t version;
	uint8_t offset_size;  /* 4 or 8 */
	uint8_t address_size; /* 1, 2, 4 or 8 */
};

struct dwarf_abbrev_table {
	struct dwarf_abbrev *abbrevs;
	size_t count, capacity;
	struct dwarf_attr *attrs;
	size_t attr_count, attr_capacity;
	bool dense;          /* the entry with code c is abbrevs[c - 1] */
	uint64_t read_bytes; /* of the section, ever */
};

/*
 * The table that begins at `offset` of .debug_abbrev, into a table that may hold an old one, whose memory is used
 * again. `only`: stop behind the entry with this code, 0 for all. -1: damaged; the table is empty then.
 */
int dwarf_abbrev_table_read(struct dwarf_abbrev_table *table, const uint8_t *section, size_t size,
			    uint64_t offset, const struct dwarf_format *format, uint64_t only);
void dwarf_abbrev_table_fini(struct dwarf_abbrev_table *table);

/* NULL when there is no such entry. */
const struct dwarf_abbrev *dwarf_abbrev_search(const struct dwarf_abbrev_table *table, uint64_t code);

static inline const struct dwarf_abbrev *dwarf_abbrev_find(const struct dwarf_abbrev_table *table,
							   uint64_t code)
{
	if (table->dense)
		return code - 1 < table->count ? &table->abbrevs[code - 1] : NULL;
	return dwarf_abbrev_search(table, code);
}

#endif
