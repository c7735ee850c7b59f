/* A small interpreter of layouts: dump_fields() reads each value and writes it as its kind requires. */
#include "report/dump/dump_fields.h"

#include <assert.h>
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

struct field {
	char kind[8];
	char name[24];
	size_t size; /* between brackets; 0: none */
};

/* Copies the word at the beginning of a layout, and returns what is behind it. This runs for every record: sscanf() is too slow. */
static const char *parse_word(const char *layout, char *word, size_t room)
{
	size_t length = 0;

	while (islower((unsigned char)*layout) || isdigit((unsigned char)*layout) || *layout == '_') {
		assert(length + 1 < room);
		word[length++] = *layout++;
	}
	word[length] = '\0';
	return layout;
}

/* Reads the first field of a layout. Returns the layout of those behind it. */
static const char *parse_field(const char *layout, struct field *field)
{
	layout = parse_word(layout, field->kind, sizeof(field->kind));
	field->size = *layout == '[' ? strtoul(layout + 1, (char **)&layout, 10) : 0;
	layout += strspn(layout, "] ");
	layout = parse_word(layout, field->name, sizeof(field->name));
	assert(strchr(",:", *layout));
	return layout + strspn(layout, ",: ");
}

static bool is(const struct field *field, const char *kind)
{
	return strcmp(field->kind, kind) == 0;
}

static void dump_text(struct dump_out *out, struct byte_reader *r, const char *name, size_t size)
{
	const char *text = byte_reader_string(r, size);

	if (text)
		dump_string(out, name, text);
}

static void dump_sized(struct dump_out *out, struct byte_reader *r, const struct field *field)
{
	const uint8_t *bytes = byte_reader_bytes(r, field->size);

	if (bytes && is(field, "text"))
		dump_string_n(out, field->name, (const char *)bytes,
			      strnlen((const char *)bytes, field->size));
	else if (bytes && is(field, "bytes"))
		dump_bytes(out, field->name, bytes, field->size);
}

static uint64_t read_number(struct byte_reader *r, const struct field *field)
{
	if (is(field, "u8"))
		return byte_reader_u8(r);
	if (is(field, "u16"))
		return byte_reader_u16(r);
	if (is(field, "u32") || is(field, "x32"))
		return byte_reader_u32(r);
	if (is(field, "s32"))
		return (uint64_t)(int32_t)byte_reader_u32(r);
	return byte_reader_u64(r);
}

static void dump_number(struct dump_out *out, struct byte_reader *r, const struct field *field)
{
	const uint64_t value = read_number(r, field);

	if (!byte_reader_ok(r))
		return;
	switch (field->kind[0]) {
	case 'x': dump_hex(out, field->name, value); break;
	case 's': dump_signed(out, field->name, (int64_t)value); break;
	case 't': dump_time(out, field->name, value); break;
	default: dump_unsigned(out, field->name, value);
	}
}

void dump_fields(struct dump_out *out, struct byte_reader *r, const char *layout)
{
	struct field field;

	while (*layout && byte_reader_ok(r)) {
		layout = parse_field(layout, &field);
		if (is(&field, "rows32") || is(&field, "rows64")) {
			dump_field_rows(out, field.name, r,
					is(&field, "rows32") ? byte_reader_u32(r) : byte_reader_u64(r),
					layout);
			return;
		}
		if (field.size)
			dump_sized(out, r, &field);
		else if (is(&field, "text"))
			dump_text(out, r, field.name, byte_reader_left(r));
		else if (is(&field, "string"))
			dump_text(out, r, field.name, byte_reader_u32(r));
		else
			dump_number(out, r, &field);
	}
}

void dump_field_rows(struct dump_out *out, const char *key, struct byte_reader *r, uint64_t count,
		     const char *layout)
{
	dump_rows(out, key);
	while (count-- && byte_reader_left(r) && byte_reader_ok(r)) {
		dump_row(out);
		dump_fields(out, r, layout);
		dump_row_end(out);
	}
	dump_rows_end(out);
}
