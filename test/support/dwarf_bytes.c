#include "support/dwarf_bytes.h"

#include <dwarf.h>
#include <stdlib.h>
#include <string.h>

void dwarf_bytes_init(struct dwarf_bytes *bytes, uint8_t version, uint8_t offset_size, bool swap)
{
	*bytes = (struct dwarf_bytes){
		.version = version, .offset_size = offset_size, .address_size = 8, .swap = swap
	};
	strbuf_init(&bytes->buf);
}

void dwarf_bytes_fini(struct dwarf_bytes *bytes)
{
	strbuf_fini(&bytes->buf);
}

void dwarf_bytes_u8(struct dwarf_bytes *bytes, unsigned int value)
{
	strbuf_addc(&bytes->buf, (char)value);
}

void dwarf_bytes_u16(struct dwarf_bytes *bytes, uint16_t value)
{
	strbuf_add_u16(&bytes->buf, value, bytes->swap);
}

void dwarf_bytes_u32(struct dwarf_bytes *bytes, uint32_t value)
{
	strbuf_add_u32(&bytes->buf, value, bytes->swap);
}

void dwarf_bytes_u64(struct dwarf_bytes *bytes, uint64_t value)
{
	strbuf_add_u64(&bytes->buf, value, bytes->swap);
}

void dwarf_bytes_address(struct dwarf_bytes *bytes, uint64_t value)
{
	if (bytes->address_size == 8)
		dwarf_bytes_u64(bytes, value);
	else
		dwarf_bytes_u32(bytes, (uint32_t)value);
}

void dwarf_bytes_offset(struct dwarf_bytes *bytes, uint64_t value)
{
	if (bytes->offset_size == 8)
		dwarf_bytes_u64(bytes, value);
	else
		dwarf_bytes_u32(bytes, (uint32_t)value);
}

void dwarf_bytes_text(struct dwarf_bytes *bytes, const char *text)
{
	strbuf_add(&bytes->buf, text, strlen(text) + 1);
}

void dwarf_bytes_add(struct dwarf_bytes *bytes, const void *values, size_t size)
{
	strbuf_add(&bytes->buf, values, size);
}

void dwarf_bytes_prepend_length(struct dwarf_bytes *bytes)
{
	size_t size = bytes->buf.size;
	char *rest = strbuf_detach(&bytes->buf);

	if (bytes->offset_size == 8)
		dwarf_bytes_u32(bytes, UINT32_MAX);
	dwarf_bytes_offset(bytes, size);
	strbuf_add(&bytes->buf, rest, size);
	free(rest);
}

size_t dwarf_bytes_length_size(const struct dwarf_bytes *bytes)
{
	return bytes->offset_size == 8 ? 12 : 4;
}

/* LEB128 of at most 14 bits. */
static void add_leb128(struct dwarf_bytes *bytes, unsigned int value)
{
	if (value >= 0x80) {
		dwarf_bytes_u8(bytes, value | 0x80);
		value >>= 7;
	}
	dwarf_bytes_u8(bytes, value);
}

void dwarf_bytes_abbrev(struct dwarf_bytes *bytes, unsigned int code, unsigned int tag, bool has_children,
			const struct dwarf_attribute *attributes, size_t count)
{
	add_leb128(bytes, code);
	add_leb128(bytes, tag);
	dwarf_bytes_u8(bytes, has_children);
	for (size_t i = 0; i < count; i++) {
		add_leb128(bytes, attributes[i].name);
		add_leb128(bytes, attributes[i].form);
	}
	dwarf_bytes_u16(bytes, 0);
}

void dwarf_bytes_unit_header(struct dwarf_bytes *bytes, uint8_t type, uint64_t id)
{
	dwarf_bytes_u16(bytes, bytes->version);
	if (bytes->version < 5) {
		dwarf_bytes_offset(bytes, 0);
		dwarf_bytes_u8(bytes, bytes->address_size);
		return;
	}
	dwarf_bytes_u8(bytes, type);
	dwarf_bytes_u8(bytes, bytes->address_size);
	dwarf_bytes_offset(bytes, 0);
	if (type == DW_UT_skeleton || type == DW_UT_split_compile)
		dwarf_bytes_u64(bytes, id);
}
