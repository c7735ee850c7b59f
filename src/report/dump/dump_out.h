#ifndef XPROF_REPORT_DUMP_DUMP_OUT_H
#define XPROF_REPORT_DUMP_DUMP_OUT_H

/*
 * The writer of a dump, as text or as JSON lines.
 *
 * Text, for people and grep: an entry begins a line, fields are `key value`, a group is `key{...}`, a list
 * begins a line of its own below the entry. JSON lines, for programs: an entry is one object on one line,
 * with its kind. There, addresses, ids and masks are strings ("0x1f"), since a JSON number cannot hold 64
 * bits exactly everywhere; counts, sizes and times are numbers. Text from a file is escaped in both; bytes
 * that are not UTF-8 are taken as Latin-1, so that JSON stays valid.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/strbuf.h"
#include "cli/color.h"

struct dump_out {
	struct strbuf text; /* the output; the caller may empty it at any time */
	bool json;
	struct color color;
	unsigned int depth; /* number of open groups and lists */
};

void dump_out_init(struct dump_out *out, bool json, struct color color);
void dump_out_fini(struct dump_out *out);

/* Begins an entry. Text begins with `heading`, JSON with {"kind":"KIND". */
void dump_entry(struct dump_out *out, const char *kind, const char *heading);
void dump_entry_end(struct dump_out *out);

/* Write a field. In a list the key is NULL. */
void dump_unsigned(struct dump_out *out, const char *key, uint64_t value);
void dump_signed(struct dump_out *out, const char *key, int64_t value);
void dump_hex(struct dump_out *out, const char *key, uint64_t value);
void dump_string(struct dump_out *out, const char *key,
		 const char *value); /* from the file: quoted and escaped */
void dump_string_n(struct dump_out *out, const char *key, const char *bytes, size_t size);
void dump_word(struct dump_out *out, const char *key, const char *value); /* a constant: not quoted in text */
void dump_bool(struct dump_out *out, const char *key, bool value);

/* Text: seconds with nine decimals. JSON: the number of nanoseconds, with "_ns" appended to the key. */
void dump_time(struct dump_out *out, const char *key, uint64_t time_ns);

/* Lower-case digits without spaces, as for a build-id. */
void dump_bytes(struct dump_out *out, const char *key, const uint8_t *bytes, size_t size);

/* The first values of an entry: in text without their keys. */
void dump_lead_hex(struct dump_out *out, const char *key, uint64_t value);
void dump_lead_word(struct dump_out *out, const char *key, const char *value, enum color_role role);

/* The names of the set bits, "|" between them, then bits without names in hexadecimal. */
struct dump_bit_name {
	uint64_t bits;
	const char *name;
};
void dump_bits(struct dump_out *out, const char *key, uint64_t value, const struct dump_bit_name *names);

void dump_group(struct dump_out *out, const char *key); /* begins a group of fields */
void dump_group_end(struct dump_out *out);
void dump_list(struct dump_out *out, const char *key); /* begins a list on one line; inside, keys are NULL */
void dump_list_end(struct dump_out *out);
void dump_rows(struct dump_out *out,
	       const char *key); /* begins a list of groups, each on a line of its own */
void dump_row(struct dump_out *out);
void dump_row_end(struct dump_out *out);
void dump_rows_end(struct dump_out *out);

/*
 * Text: bytes in hexadecimal and as characters, sixteen per line, with offsets. JSON: one string of digits.
 */
void dump_hex_lines(struct dump_out *out, const char *key, const uint8_t *bytes, size_t size,
		    uint64_t first_offset);

#endif
