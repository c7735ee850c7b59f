/* A field is a tag with number and wire type, then a value; protobuf_field_next() has a case for each wire type. */
#include "format/protobuf_field.h"

enum wire_type {
	WIRE_VARINT = 0,
	WIRE_64_BITS = 1,
	WIRE_BYTES = 2,
	WIRE_32_BITS = 5,
};

/* Seven bits per byte, the lowest first. The top bit says that another byte follows; there are ten at most. */
uint64_t protobuf_number(struct byte_reader *numbers)
{
	uint64_t value = 0;
	uint8_t byte;

	for (unsigned int shift = 0; shift < 70; shift += 7) {
		byte = byte_reader_u8(numbers);
		if (shift < 64)
			value |= (uint64_t)(byte & 0x7f) << shift;
		if (!(byte & 0x80))
			return value;
	}
	numbers->failed = true;
	return 0;
}

int protobuf_field_next(struct byte_reader *message, struct protobuf_field *field)
{
	uint64_t tag;

	if (byte_reader_ok(message) && byte_reader_left(message) == 0)
		return 0;
	message->swap =
		__BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__; /* little-endian, whatever machine wrote it */
	tag = protobuf_number(message);
	*field = (struct protobuf_field){ .number = (uint32_t)(tag >> 3),
					  .bytes = byte_reader_over(NULL, 0, false),
					  .is_bytes = (tag & 7) == WIRE_BYTES };
	switch (tag & 7) {
	case WIRE_VARINT: field->value = protobuf_number(message); break;
	case WIRE_64_BITS: field->value = byte_reader_u64(message); break;
	case WIRE_BYTES: field->bytes = byte_reader_sub(message, protobuf_number(message)); break;
	case WIRE_32_BITS: field->value = byte_reader_u32(message); break;
	default: return -1; /* groups, which are obsolete */
	}
	return byte_reader_ok(message) ? 1 : -1;
}

int protobuf_field_values(struct byte_reader message, uint64_t *values, size_t count)
{
	struct protobuf_field field;
	int found;

	for (size_t i = 0; i < count; i++)
		values[i] = 0;
	while ((found = protobuf_field_next(&message, &field)) > 0)
		if (field.number < count)
			values[field.number] = field.value;
	return found;
}
