#ifndef XPROF_REPORT_DUMP_DUMP_OUT_H
#define XPROF_REPORT_DUMP_DUMP_OUT_H

/*
 * The writer of a dump: one description of a record, two shapes.
 *
 * Text, for eyes and grep: a line begins at an entry, fields are `key value`,
 * a group is `key{...}`, a list begins a line of its own below the entry.
 * JSON lines, for programs: an entry is one object on one line, with its kind.
 * There, addresses, ids and masks are strings ("0x1f"), since a JSON number
 * cannot hold 64 bits exactly everywhere; counts, sizes and times are numbers.
 * Text from a file is escaped in both; bytes that are not UTF-8 are taken as
 * Latin-1, so that JSON stays valid.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/strbuf.h"
#include "cli/color.h"

struct dump_out {
	struct strbuf text; /* the caller takes it away when it pleases */
	bool json;
	struct color color;
	unsigned int depth; /* groups and lists that are open */
};

void dump_out_init(struct dump_out *out, bool json, struct color color);
void dump_out_fini(struct dump_out *out);

/* An entry: the text form begins with `heading`, the JSON form with {"kind":"KIND". Either may be what the other lacks. */
void dump_entry(struct dump_out *out, const char *kind, const char *heading);
void dump_entry_end(struct dump_out *out);

/* Fields. In a list the key is NULL. */
void dump_unsigned(struct dump_out *out, const char *key, uint64_t value);
void dump_signed(struct dump_out *out, const char *key, int64_t value);
void dump_hex(struct dump_out *out, const char *key, uint64_t value);
void dump_string(struct dump_out *out, const char *key, const char *value); /* from the file: quoted */
void dump_string_n(struct dump_out *out, const char *key, const char *bytes, size_t size);
void dump_word(struct dump_out *out, const char *key,
	       const char *value); /* a name of the format's: not quoted in text */
void dump_bool(struct dump_out *out, const char *key, bool value);

/* Seconds with nine digits in text; in JSON the number of nanoseconds, under key_ns. */
void dump_time(struct dump_out *out, const char *key, uint64_t time_ns);

/* Lower-case digits without spaces, as for a build-id. */
void dump_bytes(struct dump_out *out, const char *key, const uint8_t *bytes, size_t size);

/* A value whose text is printed bare and without its key: what leads an entry. */
void dump_lead_hex(struct dump_out *out, const char *key, uint64_t value);
void dump_lead_word(struct dump_out *out, const char *key, const char *value, enum color_role role);

/* The names of the bits that are set, "|" between them; a rest without names in hexadecimal. */
struct dump_bit_name {
	uint64_t bits;
	const char *name;
};
void dump_bits(struct dump_out *out, const char *key, uint64_t value, const struct dump_bit_name *names);

void dump_group(struct dump_out *out, const char *key); /* fields of its own */
void dump_group_end(struct dump_out *out);
void dump_list(struct dump_out *out, const char *key); /* items on the same line; key NULL inside */
void dump_list_end(struct dump_out *out);
void dump_rows(struct dump_out *out, const char *key); /* a list of groups, each on a line of its own */
void dump_row(struct dump_out *out);
void dump_row_end(struct dump_out *out);
void dump_rows_end(struct dump_out *out);

/* The bytes in hexadecimal and as characters, sixteen a line, each with its offset; JSON: key and digits. */
void dump_hex_lines(struct dump_out *out, const char *key, const uint8_t *bytes, size_t size,
		    uint64_t first_offset);

#endif
