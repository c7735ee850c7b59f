#ifndef XPROF_REPORT_DUMP_DUMP_FIELDS_H
#define XPROF_REPORT_DUMP_DUMP_FIELDS_H

/* Records and sections whose layout is a row of fields, as tables. */

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
	DUMP_TEXT,       /* NUL-terminated, to the end */
	DUMP_TEXT_FIXED, /* in `size` bytes, terminated or not */
	DUMP_TEXT_SIZED, /* u32 length, then as many bytes: struct perf_header_string */
	DUMP_BYTES,      /* `size` of them */
	DUMP_SKIP,       /* `size` of them */
};

struct dump_field {
	enum dump_field_kind kind;
	const char *name;
	unsigned int size;
};

/* Reads and writes them; a reader that fails stops it. */
void dump_fields(struct dump_out *out, struct byte_reader *r, const struct dump_field *fields);

/* A list of rows of such fields: `count` of them, or as many as there are bytes for. */
void dump_field_rows(struct dump_out *out, const char *key, struct byte_reader *r, uint64_t count,
		     const struct dump_field *fields);

#endif
