#ifndef XPROF_BASE_LEB128_H
#define XPROF_BASE_LEB128_H

/* Variable-length integers (DWARF 5, section 7.6). Bits beyond the 64th are dropped. */

#include "base/byte_reader.h"

static inline uint64_t leb128_unsigned(struct byte_reader *r)
{
	uint64_t value = 0;
	unsigned int shift = 0;
	uint8_t byte;

	do {
		byte = byte_reader_u8(r);
		if (shift < 64)
			value |= (uint64_t)(byte & 0x7f) << shift;
		shift += shift < 64 ? 7 : 0;
	} while (byte & 0x80);
	return value;
}

static inline int64_t leb128_signed(struct byte_reader *r)
{
	uint64_t value = 0;
	unsigned int shift = 0;
	uint8_t byte;

	do {
		byte = byte_reader_u8(r);
		if (shift < 64)
			value |= (uint64_t)(byte & 0x7f) << shift;
		shift += shift < 64 ? 7 : 0;
	} while (byte & 0x80);
	if (shift < 64 && (byte & 0x40))
		value |= ~(uint64_t)0 << shift;
	return (int64_t)value;
}

#endif
