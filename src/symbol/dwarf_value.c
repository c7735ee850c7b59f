#include "symbol/dwarf_value.h"

#include <dwarf.h>

#include "base/leb128.h"

uint64_t dwarf_read_offset(struct byte_reader *r, uint8_t offset_size)
{
	return offset_size == 8 ? byte_reader_u64(r) : byte_reader_u32(r);
}

uint64_t dwarf_read_address(struct byte_reader *r, uint8_t address_size)
{
	switch (address_size) {
	case 1: return byte_reader_u8(r);
	case 2: return byte_reader_u16(r);
	case 4: return byte_reader_u32(r);
	case 8: return byte_reader_u64(r);
	default: r->failed = true; return 0;
	}
}

static uint64_t read_u24(struct byte_reader *r)
{
	uint64_t first = byte_reader_u8(r), second = byte_reader_u8(r), third = byte_reader_u8(r);
	bool big_endian = r->swap == (__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__);

	return big_endian ? first << 16 | second << 8 | third : third << 16 | second << 8 | first;
}

size_t dwarf_form_size(uint16_t form, const struct dwarf_format *format)
{
	switch (form) {
	case DW_FORM_flag_present:
	case DW_FORM_implicit_const: return 0;
	case DW_FORM_data1:
	case DW_FORM_ref1:
	case DW_FORM_flag:
	case DW_FORM_strx1:
	case DW_FORM_addrx1: return 1;
	case DW_FORM_data2:
	case DW_FORM_ref2:
	case DW_FORM_strx2:
	case DW_FORM_addrx2: return 2;
	case DW_FORM_strx3:
	case DW_FORM_addrx3: return 3;
	case DW_FORM_data4:
	case DW_FORM_ref4:
	case DW_FORM_strx4:
	case DW_FORM_addrx4:
	case DW_FORM_ref_sup4: return 4;
	case DW_FORM_data8:
	case DW_FORM_ref8:
	case DW_FORM_ref_sig8:
	case DW_FORM_ref_sup8: return 8;
	case DW_FORM_data16: return 16;
	case DW_FORM_addr: return format->address_size;
	case DW_FORM_ref_addr: /* DWARF 2 had addresses here */
		return format->version == 2 ? format->address_size : format->offset_size;
	case DW_FORM_strp:
	case DW_FORM_line_strp:
	case DW_FORM_sec_offset:
	case DW_FORM_strp_sup:
	case DW_FORM_GNU_ref_alt:
	case DW_FORM_GNU_strp_alt: return format->offset_size;
	default: return DWARF_SIZE_VARIES;
	}
}

static void read_fixed(struct byte_reader *r, size_t size, struct dwarf_value *value)
{
	switch (size) {
	case 1: value->number = byte_reader_u8(r); break;
	case 2: value->number = byte_reader_u16(r); break;
	case 3: value->number = read_u24(r); break;
	case 4: value->number = byte_reader_u32(r); break;
	case 8: value->number = byte_reader_u64(r); break;
	case 16:
		value->bytes = byte_reader_bytes(r, size);
		value->size = size;
		break;
	default: r->failed = true;
	}
}

static void read_block(struct byte_reader *r, uint64_t size, struct dwarf_value *value)
{
	if (size > byte_reader_left(r)) {
		r->failed = true;
		return;
	}
	value->size = (size_t)size;
	value->bytes = byte_reader_bytes(r, value->size);
}

static void read_text(struct byte_reader *r, struct dwarf_value *value)
{
	const uint8_t *end = memchr(r->next, 0, byte_reader_left(r));

	if (!end) {
		r->failed = true;
		return;
	}
	value->size = (size_t)(end - r->next);
	value->bytes = byte_reader_bytes(r, value->size + 1);
}

static void read_varying(struct byte_reader *r, uint16_t form, struct dwarf_value *value)
{
	switch (form) {
	case DW_FORM_sdata: value->number = (uint64_t)leb128_signed(r); break;
	case DW_FORM_udata:
	case DW_FORM_ref_udata:
	case DW_FORM_strx:
	case DW_FORM_addrx:
	case DW_FORM_loclistx:
	case DW_FORM_rnglistx:
	case DW_FORM_GNU_addr_index:
	case DW_FORM_GNU_str_index: value->number = leb128_unsigned(r); break;
	case DW_FORM_string: read_text(r, value); break;
	case DW_FORM_block1: read_block(r, byte_reader_u8(r), value); break;
	case DW_FORM_block2: read_block(r, byte_reader_u16(r), value); break;
	case DW_FORM_block4: read_block(r, byte_reader_u32(r), value); break;
	case DW_FORM_block:
	case DW_FORM_exprloc: read_block(r, leb128_unsigned(r), value); break;
	default: r->failed = true;
	}
}

void dwarf_value_read(struct byte_reader *r, const struct dwarf_attr *attr, const struct dwarf_format *format,
		      struct dwarf_value *value)
{
	uint64_t form = attr->form;
	size_t size;

	if (form == DW_FORM_indirect)
		form = leb128_unsigned(r);
	*value = (struct dwarf_value){ .form = form <= UINT16_MAX ? (uint16_t)form : 0 };
	switch (value->form) {
	case DW_FORM_implicit_const: value->number = (uint64_t)attr->implicit; return;
	case DW_FORM_flag_present: value->number = 1; return;
	}
	size = dwarf_form_size(value->form, format);
	if (size == DWARF_SIZE_VARIES)
		read_varying(r, value->form, value);
	else
		read_fixed(r, size, value);
}

void dwarf_values_skip(struct byte_reader *r, const struct dwarf_abbrev_table *table,
		       const struct dwarf_abbrev *abbrev, const struct dwarf_format *format)
{
	const struct dwarf_attr *attr = table->attrs + abbrev->first_attr, *end = attr + abbrev->attr_count;
	struct dwarf_value value;

	if (abbrev->fixed_size_bytes != DWARF_SIZE_VARIES) {
		byte_reader_skip(r, abbrev->fixed_size_bytes);
		return;
	}
	for (; attr < end && byte_reader_ok(r); attr++)
		dwarf_value_read(r, attr, format, &value);
}

bool dwarf_value_is_constant(const struct dwarf_value *value)
{
	switch (value->form) {
	case DW_FORM_data1:
	case DW_FORM_data2:
	case DW_FORM_data4:
	case DW_FORM_data8:
	case DW_FORM_udata:
	case DW_FORM_sdata:
	case DW_FORM_implicit_const: return true;
	default: return false;
	}
}
