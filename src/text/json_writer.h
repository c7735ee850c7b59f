#ifndef XPROF_TEXT_JSON_WRITER_H
#define XPROF_TEXT_JSON_WRITER_H

/*
 * Writes JSON text (RFC 8259) piece by piece; adds commas, line breaks and indentation. Strings may hold any
 * bytes: invalid UTF-8 becomes U+FFFD, since JSON cannot hold it.
 *
 *     json_init(&json, &out);
 *     json_begin_object(&json, NULL);
 *     json_string(&json, "name", "cycles");
 *     json_unsigned(&json, "samples", 42);
 *     json_end_object(&json);
 */

#include <stdbool.h>
#include <stdint.h>

#include "base/strbuf.h"

struct json_writer {
	struct strbuf *out;
	unsigned depth;
	bool empty;          /* the current object or array has no member yet */
	unsigned line_depth; /* depth of the outermost open object that is written on one line; 0 if there is
				none */
};

void json_init(struct json_writer *json, struct strbuf *out);

/* `name` is NULL inside arrays, and for the outermost value. */
void json_begin_object(struct json_writer *json, const char *name);
/* Begins an object that is written on one line, including everything in it. */
void json_begin_line(struct json_writer *json);
void json_end_object(struct json_writer *json);
void json_begin_array(struct json_writer *json, const char *name);
void json_end_array(struct json_writer *json);
void json_string(struct json_writer *json, const char *name, const char *text);
void json_unsigned(struct json_writer *json, const char *name, uint64_t value);
/* Writes null if the value is not finite, since JSON cannot hold it. */
void json_number(struct json_writer *json, const char *name, double value);
void json_bool(struct json_writer *json, const char *name, bool value);
/* Writes a string such as "0x1f40", because many JSON readers cannot hold a 64-bit number. */
void json_hexadecimal(struct json_writer *json, const char *name, uint64_t value);

#endif
