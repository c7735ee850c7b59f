#ifndef XPROF_REPORT_EXPORT_PROTOBUF_WRITER_H
#define XPROF_REPORT_EXPORT_PROTOBUF_WRITER_H

/*
 * Writes protocol buffers messages field by field (protobuf.dev, "Encoding"). As in proto3, numbers that are 0 and empty
 * strings are left out. A nested message is first made in a buffer of its own.
 *
 *     protobuf_unsigned(&line, 1, function_id);
 *     protobuf_message(&location, 4, &line);
 */

#include <stdint.h>

#include "base/strbuf.h"

/* For int64 fields: a larger number becomes INT64_MAX. */
static inline uint64_t protobuf_int64(uint64_t value)
{
	return value > INT64_MAX ? INT64_MAX : value;
}

void protobuf_varint(struct strbuf *out, uint64_t value);
/* For any integer type: int64 is encoded in the same way. */
void protobuf_unsigned(struct strbuf *out, uint32_t field, uint64_t value);
/* Written even if it is empty: an item of a repeated field, or a member of a oneof. */
void protobuf_bytes(struct strbuf *out, uint32_t field, const void *bytes, size_t size);
/* Writes the beginning of a message of `size` bytes, which the caller appends. */
void protobuf_begin(struct strbuf *out, uint32_t field, uint64_t size);
void protobuf_text(struct strbuf *out, uint32_t field, const char *text); /* left out if empty */
void protobuf_message(struct strbuf *out, uint32_t field, const struct strbuf *message);

#endif
