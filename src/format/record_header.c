/* Encodes the eight bytes of the header, in either byte order. */
#include "format/record_header.h"

void record_header_add(struct strbuf *out, uint32_t type, uint16_t misc, size_t size_bytes, bool swap)
{
	strbuf_add_u32(out, type, swap);
	strbuf_add_u16(out, misc, swap);
	strbuf_add_u16(out, (uint16_t)size_bytes, swap);
}
