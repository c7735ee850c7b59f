#ifndef XPROF_TEST_SUPPORT_DWARF_BYTES_H
#define XPROF_TEST_SUPPORT_DWARF_BYTES_H

/* Writes a debug section byte by byte in any version of DWARF, width and byte order. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/strbuf.h"

struct dwarf_bytes {
	uint8_t version;      /* 2 to 5 */
	uint8_t offset_size;  /* 4 or 8 */
	uint8_t address_size; /* default 8; set to 4 for 32 bits */
	bool swap;            /* the opposite of this machine's byte order */
	struct strbuf buf;
};

void dwarf_bytes_init(struct dwarf_bytes *bytes, uint8_t version, uint8_t offset_size, bool swap);
void dwarf_bytes_fini(struct dwarf_bytes *bytes);

void dwarf_bytes_u8(struct dwarf_bytes *bytes, unsigned int value);
void dwarf_bytes_u16(struct dwarf_bytes *bytes, uint16_t value);
void dwarf_bytes_u32(struct dwarf_bytes *bytes, uint32_t value);
void dwarf_bytes_u64(struct dwarf_bytes *bytes, uint64_t value);
void dwarf_bytes_address(struct dwarf_bytes *bytes, uint64_t value);
void dwarf_bytes_offset(struct dwarf_bytes *bytes, uint64_t value);
void dwarf_bytes_text(struct dwarf_bytes *bytes, const char *text);
void dwarf_bytes_add(struct dwarf_bytes *bytes, const void *values, size_t size);

/* Prepends the length of everything so far. */
void dwarf_bytes_prepend_length(struct dwarf_bytes *bytes);
size_t dwarf_bytes_length_size(const struct dwarf_bytes *bytes);

struct dwarf_attribute {
	unsigned int name, form; /* DW_AT_*, DW_FORM_* */
};

/* Adds an abbreviation. A table of abbreviations ends with a zero. */
void dwarf_bytes_abbrev(struct dwarf_bytes *bytes, unsigned int code, unsigned int tag, bool has_children,
			const struct dwarf_attribute *attributes, size_t count);

/*
 * Adds the header of a unit, without its length; abbreviations are at offset 0. `id` is for DW_UT_skeleton and
 * DW_UT_split_compile.
 */
void dwarf_bytes_unit_header(struct dwarf_bytes *bytes, uint8_t type, uint64_t id);

#endif
