#ifndef XPROF_REPORT_DUMP_DUMP_FIELDS_H
#define XPROF_REPORT_DUMP_DUMP_FIELDS_H

/* Writes records and sections whose layout is a sequence of fields, described by tables. */

#include "base/byte_reader.h"
#include "report/dump/dump_out.h"

enum dump_field_kind {
	DUMP_END,
	DUMP_U8,
	DUMP_U16,
	DUMP_U32,
	DUMP_S32,
	DUMP_S64,
	DUMP_U64,
	DUMP_HEX32,
	DUMP_HEX64,
	DUMP_TIME,       /* u64, ns */
	DUMP_TEXT,       /* NUL-terminated, or up to the end */
	DUMP_TEXT_FIXED, /* `size` bytes, terminated or not */
	DUMP_TEXT_SIZED, /* u32 length, then as many bytes: struct perf_header_string */
	DUMP_BYTES,      /* `size` bytes, shown in hexadecimal */
	DUMP_SKIP,       /* `size` bytes, not shown */
};

struct dump_field {
	enum dump_field_kind kind;
	const char *name;
	unsigned int size;
};

/* Reads the fields and writes them. Stops when the reader fails. */
void dump_fields(struct dump_out *out, struct byte_reader *r, const struct dump_field *fields);

/* Writes a list of `count` rows with these fields, or fewer if the bytes end. */
void dump_field_rows(struct dump_out *out, const char *key, struct byte_reader *r, uint64_t count,
		     const struct dump_field *fields);

#endif
