#ifndef XPROF_TEXT_JSON_WRITER_H
#define XPROF_TEXT_JSON_WRITER_H

/*
 * JSON text (RFC 8259), piece by piece: commas, line breaks and indentation come
 * by themselves. Strings may hold any bytes: what is no valid UTF-8 becomes
 * U+FFFD, for JSON has no way to write it.
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
	bool empty;          /* nothing in the object or array at hand yet */
	unsigned line_depth; /* of the outermost object that stands on one line; 0: none is open */
};

void json_init(struct json_writer *json, struct strbuf *out);

/* `name` is NULL inside arrays, and for the outermost value. */
void json_begin_object(struct json_writer *json, const char *name);
/* An object that stands on one line, with all that is in it. */
void json_begin_line(struct json_writer *json);
void json_end_object(struct json_writer *json);
void json_begin_array(struct json_writer *json, const char *name);
void json_end_array(struct json_writer *json);
void json_string(struct json_writer *json, const char *name, const char *text);
void json_unsigned(struct json_writer *json, const char *name, uint64_t value);
/* null when it is not finite, which JSON has no way to write. */
void json_number(struct json_writer *json, const char *name, double value);
void json_bool(struct json_writer *json, const char *name, bool value);
/* Addresses need more bits than many readers' numbers have: "0x1f40". */
void json_hexadecimal(struct json_writer *json, const char *name, uint64_t value);

#endif
