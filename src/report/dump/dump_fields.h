#ifndef XPROF_REPORT_DUMP_DUMP_FIELDS_H
#define XPROF_REPORT_DUMP_DUMP_FIELDS_H

/*
 * Writes records and sections whose layout is a sequence of fields. A layout is a text, "s32 pid, x64 start, text[16] comm":
 * kinds and names. The kinds are
 *
 *	u8 u16 u32 u64 s32 s64	numbers
 *	x32 x64			numbers shown in hexadecimal
 *	time			u64, ns
 *	text			NUL-terminated, or up to the end
 *	text[N]			N bytes, terminated or not
 *	string			u32 length, then as many bytes: struct perf_header_string
 *	bytes[N]		N bytes, shown in hexadecimal
 *	skip[N]			N bytes, not shown; has no name
 *
 * A list ends the layout: "rows32 pmus: u32 type, string name" is a u32 count, then as many rows with the fields behind the
 * colon, or fewer if the bytes end; rows64 has a u64 count.
 */

#include "base/byte_reader.h"
#include "report/dump/dump_out.h"

/* Reads the fields and writes them. Stops when the reader fails. */
void dump_fields(struct dump_out *out, struct byte_reader *r, const char *layout);

/* Writes `count` such rows. */
void dump_field_rows(struct dump_out *out, const char *key, struct byte_reader *r, uint64_t count,
		     const char *layout);

#endif
