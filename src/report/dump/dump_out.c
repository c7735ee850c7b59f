/*
 * separate() looks at the last byte of the text to know whether a separator is needed, so callers do not track it.
 * `depth` indents the lines.
 */
#include "report/dump/dump_out.h"

#include <inttypes.h>
#include <string.h>

#include "base/utf8.h"

void dump_out_init(struct dump_out *out, bool json, struct color color)
{
	*out = (struct dump_out){ .json = json, .color = color };
	strbuf_init(&out->text);
}

void dump_out_fini(struct dump_out *out)
{
	strbuf_fini(&out->text);
}

static char last_byte(const struct dump_out *out)
{
	return out->text.size ? out->text.bytes[out->text.size - 1] : '\n';
}

/* Adds the separator between two fields; none at the beginning of a line, group or list. */
static void separate(struct dump_out *out)
{
	char last = last_byte(out);

	if (out->json) {
		if (last != '{' && last != '[' && last != '\n')
			strbuf_addc(&out->text, ',');
	} else if (last != '{' && last != '\n' && last != ' ') {
		strbuf_adds(&out->text, out->depth ? " " : "  ");
	}
}

static void begin_field(struct dump_out *out, const char *key)
{
	separate(out);
	if (!key)
		return;
	if (out->json)
		strbuf_addc(&out->text, '"');
	strbuf_adds(&out->text, key);
	strbuf_adds(&out->text, out->json ? "\":" : " ");
}

void dump_entry(struct dump_out *out, const char *kind, const char *heading)
{
	if (out->json)
		strbuf_addf(&out->text, "{\"kind\":\"%s\"", kind);
	else if (heading)
		strbuf_addf(&out->text, "%s%s%s", color_on(out->color, COLOR_HEADING), heading,
			    color_off(out->color));
}

void dump_entry_end(struct dump_out *out)
{
	strbuf_adds(&out->text, out->json ? "}\n" : "\n");
}

void dump_unsigned(struct dump_out *out, const char *key, uint64_t value)
{
	begin_field(out, key);
	strbuf_add_decimal(&out->text, value, 0);
}

void dump_signed(struct dump_out *out, const char *key, int64_t value)
{
	begin_field(out, key);
	strbuf_addf(&out->text, "%" PRId64, value);
}

void dump_hex(struct dump_out *out, const char *key, uint64_t value)
{
	begin_field(out, key);
	strbuf_adds(&out->text, out->json ? "\"0x" : "0x");
	strbuf_add_hex(&out->text, value, 0);
	if (out->json)
		strbuf_addc(&out->text, '"');
}

/*
 * Bytes that are no UTF-8 are shown as if they were Latin-1; characters that a terminal would obey are escaped in text and in
 * JSON.
 */
static void add_quoted(struct strbuf *text, const char *characters, size_t size)
{
	strbuf_addc(text, '"');
	for (size_t i = 0; i < size; i++) {
		const unsigned char byte = (unsigned char)characters[i];
		const size_t length = utf8_length(characters + i, size - i);

		if (!length)
			strbuf_addf(text, "\\u%04x", byte);
		else if (utf8_is_harmful(characters + i, length))
			strbuf_addf(text, "\\u%04x", utf8_code_point(characters + i, length));
		else if (byte == '"' || byte == '\\')
			strbuf_addf(text, "\\%c", byte);
		else
			strbuf_add(text, characters + i, length);
		i += length ? length - 1 : 0;
	}
	strbuf_addc(text, '"');
}

void dump_string_n(struct dump_out *out, const char *key, const char *bytes, size_t size)
{
	begin_field(out, key);
	add_quoted(&out->text, bytes, size);
}

void dump_string(struct dump_out *out, const char *key, const char *value)
{
	dump_string_n(out, key, value, strlen(value));
}

void dump_word(struct dump_out *out, const char *key, const char *value)
{
	begin_field(out, key);
	if (out->json)
		add_quoted(&out->text, value, strlen(value));
	else
		strbuf_adds(&out->text, value);
}

void dump_bool(struct dump_out *out, const char *key, bool value)
{
	begin_field(out, key);
	strbuf_adds(&out->text, out->json ? (value ? "true" : "false") : (value ? "yes" : "no"));
}

void dump_time(struct dump_out *out, const char *key, uint64_t time_ns)
{
	const uint64_t second = 1000000000;

	separate(out);
	if (out->json)
		strbuf_addf(&out->text, "\"%s_ns\":%" PRIu64, key, time_ns);
	else
		strbuf_addf(&out->text, "%s %" PRIu64 ".%09" PRIu64, key, time_ns / second, time_ns % second);
}

static void add_hex_digits(struct strbuf *text, const uint8_t *bytes, size_t size)
{
	static const char digits[] = "0123456789abcdef";

	for (size_t i = 0; i < size; i++) {
		strbuf_addc(text, digits[bytes[i] >> 4]);
		strbuf_addc(text, digits[bytes[i] & 15]);
	}
}

void dump_bytes(struct dump_out *out, const char *key, const uint8_t *bytes, size_t size)
{
	begin_field(out, key);
	if (out->json)
		strbuf_addc(&out->text, '"');
	add_hex_digits(&out->text, bytes, size);
	if (out->json)
		strbuf_addc(&out->text, '"');
}

void dump_lead_hex(struct dump_out *out, const char *key, uint64_t value)
{
	if (out->json) {
		dump_hex(out, key, value);
		return;
	}
	separate(out);
	strbuf_addf(&out->text, "%s0x%06" PRIx64 "%s", color_on(out->color, COLOR_FAINT), value,
		    color_off(out->color));
}

void dump_lead_word(struct dump_out *out, const char *key, const char *value, enum color_role role)
{
	if (out->json) {
		dump_word(out, key, value);
		return;
	}
	separate(out);
	strbuf_addf(&out->text, "%s%s%s", color_on(out->color, role), value, color_off(out->color));
}

void dump_bits(struct dump_out *out, const char *key, uint64_t value, const struct dump_bit_name *names)
{
	uint64_t rest = value;
	const char *between = "";

	begin_field(out, key);
	if (out->json)
		strbuf_addc(&out->text, '"');
	for (; names->name; names++) {
		if ((value & names->bits) != names->bits || !(rest & names->bits))
			continue;
		strbuf_addf(&out->text, "%s%s", between, names->name);
		between = "|";
		rest &= ~names->bits;
	}
	if (rest || value == 0)
		strbuf_addf(&out->text, rest ? "%s0x%" PRIx64 : "%s%" PRIu64, between, rest);
	if (out->json)
		strbuf_addc(&out->text, '"');
}

void dump_group(struct dump_out *out, const char *key)
{
	separate(out);
	strbuf_addf(&out->text, out->json ? "\"%s\":{" : "%s{", key);
	out->depth++;
}

void dump_group_end(struct dump_out *out)
{
	out->depth--;
	strbuf_addc(&out->text, '}');
}

static void begin_line(struct dump_out *out)
{
	strbuf_addc(&out->text, '\n');
	for (unsigned int i = 0; i <= out->depth; i++)
		strbuf_adds(&out->text, "    ");
}

void dump_list(struct dump_out *out, const char *key)
{
	if (out->json) {
		separate(out);
		strbuf_addf(&out->text, "\"%s\":[", key);
	} else {
		begin_line(out);
		strbuf_addf(&out->text, "%s:", key);
	}
	out->depth++;
}

void dump_list_end(struct dump_out *out)
{
	out->depth--;
	if (out->json)
		strbuf_addc(&out->text, ']');
}

void dump_rows(struct dump_out *out, const char *key)
{
	dump_list(out, key);
}

void dump_row(struct dump_out *out)
{
	if (out->json) {
		separate(out);
		strbuf_addc(&out->text, '{');
	} else {
		begin_line(out);
	}
	out->depth++;
}

void dump_row_end(struct dump_out *out)
{
	out->depth--;
	if (out->json)
		strbuf_addc(&out->text, '}');
}

void dump_rows_end(struct dump_out *out)
{
	dump_list_end(out);
}

static void add_hex_line(struct dump_out *out, const uint8_t *bytes, size_t size, uint64_t offset)
{
	begin_line(out);
	strbuf_addf(&out->text, "%08" PRIx64 " ", offset);
	for (size_t i = 0; i < 16; i++) {
		if (i < size)
			strbuf_addf(&out->text, " %02x", bytes[i]);
		else
			strbuf_adds(&out->text, "   ");
	}
	strbuf_adds(&out->text, "  ");
	for (size_t i = 0; i < size; i++)
		strbuf_addc(&out->text, bytes[i] >= 0x20 && bytes[i] < 0x7f ? (char)bytes[i] : '.');
}

void dump_hex_lines(struct dump_out *out, const char *key, const uint8_t *bytes, size_t size,
		    uint64_t first_offset)
{
	if (out->json) {
		dump_bytes(out, key, bytes, size);
		return;
	}
	for (size_t i = 0; i < size; i += 16)
		add_hex_line(out, bytes + i, size - i < 16 ? size - i : 16, first_offset + i);
}
