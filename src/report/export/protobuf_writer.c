/* A field is its number and wire type, then a varint, eight bytes, or a length and that many bytes. */
#include "report/export/protobuf_writer.h"

#include <string.h>

enum wire_type { WIRE_VARINT = 0, WIRE_BYTES = 2 };

void protobuf_varint(struct strbuf *out, uint64_t value)
{
	char bytes[10];
	size_t size = 0;

	for (; value >= 0x80; value >>= 7)
		bytes[size++] = (char)(value | 0x80);
	bytes[size++] = (char)value;
	strbuf_add(out, bytes, size);
}

static void add_key(struct strbuf *out, uint32_t field, enum wire_type type)
{
	protobuf_varint(out, (uint64_t)field << 3 | type);
}

void protobuf_unsigned(struct strbuf *out, uint32_t field, uint64_t value)
{
	if (!value)
		return;
	add_key(out, field, WIRE_VARINT);
	protobuf_varint(out, value);
}

void protobuf_begin(struct strbuf *out, uint32_t field, uint64_t size)
{
	add_key(out, field, WIRE_BYTES);
	protobuf_varint(out, size);
}

void protobuf_bytes(struct strbuf *out, uint32_t field, const void *bytes, size_t size)
{
	protobuf_begin(out, field, size);
	strbuf_add(out, bytes, size);
}

void protobuf_text(struct strbuf *out, uint32_t field, const char *text)
{
	if (*text)
		protobuf_bytes(out, field, text, strlen(text));
}

void protobuf_message(struct strbuf *out, uint32_t field, const struct strbuf *message)
{
	protobuf_bytes(out, field, message->size ? message->bytes : "", message->size);
}
