/*
 * Three members of state suffice: the depth, whether the container is still empty, and the depth of the object that
 * stands on one line. begin_value() writes everything that separates a value from the one before.
 */
#include "text/json_writer.h"

#include <math.h>

#include "base/utf8.h"

void json_init(struct json_writer *json, struct strbuf *out)
{
	*json = (struct json_writer){ .out = out, .empty = true };
}

static void add_line_break(struct json_writer *json)
{
	unsigned i;

	if (json->line_depth)
		return;
	strbuf_addc(json->out, '\n');
	for (i = 0; i < json->depth; i++)
		strbuf_addc(json->out, '\t');
}

/* Number of leading bytes that need no escape: nearly always all. */
static size_t plain_length(const char *text)
{
	const char *at = text;

	while (*at >= ' ' && *at < 0x7f && *at != '"' && *at != '\\')
		at++;
	return (size_t)(at - text);
}

static void add_text(struct strbuf *out, const char *text)
{
	strbuf_addc(out, '"');
	for (;;) {
		size_t length = plain_length(text);
		unsigned char first;

		strbuf_add(out, text, length);
		text += length;
		if (!*text)
			break;
		first = (unsigned char)*text;
		length = utf8_sequence_length(text);
		if (!length)
			strbuf_adds(out, "\\ufffd");
		else if (utf8_is_harmful(text, length))
			strbuf_addf(out, "\\u%04x", utf8_code_point(text, length));
		else if (first == '"' || first == '\\')
			strbuf_addf(out, "\\%c", first);
		else
			strbuf_add(out, text, length);
		text += length ? length : 1;
	}
	strbuf_addc(out, '"');
}

/* Writes everything that comes before a value. */
static void begin_value(struct json_writer *json, const char *name)
{
	if (json->depth) {
		if (!json->empty)
			strbuf_adds(json->out, json->line_depth ? ", " : ",");
		add_line_break(json);
	}
	if (name) {
		add_text(json->out, name);
		strbuf_adds(json->out, ": ");
	}
	json->empty = false;
}

static void begin(struct json_writer *json, const char *name, char bracket)
{
	begin_value(json, name);
	strbuf_addc(json->out, bracket);
	json->depth++;
	json->empty = true;
}

static void end(struct json_writer *json, char bracket)
{
	bool empty = json->empty;

	json->depth--;
	if (!empty)
		add_line_break(json);
	strbuf_addc(json->out, bracket);
	json->empty = false;
	if (json->depth < json->line_depth)
		json->line_depth = 0;
	if (!json->depth)
		strbuf_addc(json->out, '\n');
}

void json_begin_object(struct json_writer *json, const char *name)
{
	begin(json, name, '{');
}

void json_begin_line(struct json_writer *json)
{
	begin(json, NULL, '{');
	if (!json->line_depth)
		json->line_depth = json->depth;
}

void json_end_object(struct json_writer *json)
{
	end(json, '}');
}

void json_begin_array(struct json_writer *json, const char *name)
{
	begin(json, name, '[');
}

void json_end_array(struct json_writer *json)
{
	end(json, ']');
}

void json_string(struct json_writer *json, const char *name, const char *text)
{
	begin_value(json, name);
	add_text(json->out, text);
}

void json_unsigned(struct json_writer *json, const char *name, uint64_t value)
{
	begin_value(json, name);
	strbuf_add_decimal(json->out, value, 0);
}

void json_number(struct json_writer *json, const char *name, double value)
{
	begin_value(json, name);
	if (isfinite(value))
		strbuf_addf(json->out, "%.10g", value);
	else
		strbuf_adds(json->out, "null");
}

void json_bool(struct json_writer *json, const char *name, bool value)
{
	begin_value(json, name);
	strbuf_adds(json->out, value ? "true" : "false");
}

void json_hexadecimal(struct json_writer *json, const char *name, uint64_t value)
{
	begin_value(json, name);
	strbuf_adds(json->out, "\"0x");
	strbuf_add_hex(json->out, value, 0);
	strbuf_addc(json->out, '"');
}
