/* A small interpreter of tables: dump_fields() reads each value and writes it as its kind requires. */
#include "report/dump/dump_fields.h"

#include <string.h>

static void dump_text_fixed(struct dump_out *out, struct byte_reader *r, const struct dump_field *field)
{
	const uint8_t *bytes = byte_reader_bytes(r, field->size);

	if (bytes)
		dump_string_n(out, field->name, (const char *)bytes,
			      strnlen((const char *)bytes, field->size));
}

static void dump_text(struct dump_out *out, struct byte_reader *r, const char *name, size_t size)
{
	const char *text = byte_reader_string(r, size);

	if (text)
		dump_string(out, name, text);
}

static void dump_byte_field(struct dump_out *out, struct byte_reader *r, const struct dump_field *field)
{
	const uint8_t *bytes = byte_reader_bytes(r, field->size);

	if (bytes)
		dump_bytes(out, field->name, bytes, field->size);
}

static uint64_t read_number(struct byte_reader *r, enum dump_field_kind kind)
{
	switch (kind) {
	case DUMP_U8: return byte_reader_u8(r);
	case DUMP_U16: return byte_reader_u16(r);
	case DUMP_U32:
	case DUMP_HEX32: return byte_reader_u32(r);
	case DUMP_S32: return (uint64_t)(int32_t)byte_reader_u32(r);
	default: return byte_reader_u64(r);
	}
}

static void dump_number(struct dump_out *out, struct byte_reader *r, const struct dump_field *field)
{
	uint64_t value = read_number(r, field->kind);

	if (!byte_reader_ok(r))
		return;
	if (field->kind == DUMP_HEX32 || field->kind == DUMP_HEX64)
		dump_hex(out, field->name, value);
	else if (field->kind == DUMP_S32 || field->kind == DUMP_S64)
		dump_signed(out, field->name, (int64_t)value);
	else if (field->kind == DUMP_TIME)
		dump_time(out, field->name, value);
	else
		dump_unsigned(out, field->name, value);
}

void dump_fields(struct dump_out *out, struct byte_reader *r, const struct dump_field *fields)
{
	for (; fields->kind != DUMP_END && byte_reader_ok(r); fields++) {
		switch (fields->kind) {
		case DUMP_TEXT: dump_text(out, r, fields->name, byte_reader_left(r)); break;
		case DUMP_TEXT_FIXED: dump_text_fixed(out, r, fields); break;
		case DUMP_TEXT_SIZED: dump_text(out, r, fields->name, byte_reader_u32(r)); break;
		case DUMP_BYTES: dump_byte_field(out, r, fields); break;
		case DUMP_SKIP: byte_reader_skip(r, fields->size); break;
		default: dump_number(out, r, fields);
		}
	}
}

void dump_field_rows(struct dump_out *out, const char *key, struct byte_reader *r, uint64_t count,
		     const struct dump_field *fields)
{
	dump_rows(out, key);
	while (count-- && byte_reader_left(r) && byte_reader_ok(r)) {
		dump_row(out);
		dump_fields(out, r, fields);
		dump_row_end(out);
	}
	dump_rows_end(out);
}
