#ifndef XPROF_SYMBOL_DWARF_VALUE_H
#define XPROF_SYMBOL_DWARF_VALUE_H

/* Attribute values as their forms encode them (DWARF 5, section 7.5.6; GNU's forms for split and dwz files). */

#include "base/byte_reader.h"
#include "symbol/dwarf_abbrev.h"

struct dwarf_value {
	uint16_t form;        /* DW_FORM_*; 0: there is no such attribute */
	uint64_t number;      /* constant, address, offset or index */
	const uint8_t *bytes; /* of DW_FORM_string and blocks */
	size_t size;          /* without the terminator */
};

/* What a form takes, DWARF_SIZE_VARIES where its bytes say so themselves (or it is unknown). */
size_t dwarf_form_size(uint16_t form, const struct dwarf_format *format);

/* The next value; the reader fails when it is cut off or of an unknown form. */
void dwarf_value_read(struct byte_reader *r, const struct dwarf_attr *attr, const struct dwarf_format *format,
		      struct dwarf_value *value);

/* Steps over all values of an entry. */
void dwarf_values_skip(struct byte_reader *r, const struct dwarf_abbrev_table *table,
		       const struct dwarf_abbrev *abbrev, const struct dwarf_format *format);

/* An offset of a unit's width, 4 or 8 bytes; an address of 1 to 8. */
uint64_t dwarf_read_offset(struct byte_reader *r, uint8_t offset_size);
uint64_t dwarf_read_address(struct byte_reader *r, uint8_t address_size);

/* Is it a number, as opposed to an address, an offset, a reference, a text? */
bool dwarf_value_is_constant(const struct dwarf_value *value);

#endif
