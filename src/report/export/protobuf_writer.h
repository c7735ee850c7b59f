#ifndef XPROF_REPORT_EXPORT_PROTOBUF_WRITER_H
#define XPROF_REPORT_EXPORT_PROTOBUF_WRITER_H

/*
 * Protocol buffers messages, field by field (protobuf.dev, "Encoding"). As proto3 has it, numbers that are 0 and empty
 * strings are left out; a message within another is made in a buffer of its own first.
 *
 *     protobuf_unsigned(&line, 1, function_id);
 *     protobuf_message(&location, 4, &line);
 */

#include <stdint.h>

#include "base/strbuf.h"

/* For int64 fields: a larger number becomes the largest. */
static inline uint64_t protobuf_int64(uint64_t value)
{
	return value > INT64_MAX ? INT64_MAX : value;
}

void protobuf_varint(struct strbuf *out, uint64_t value);
/* Of any integer type: int64 has the same bytes. */
void protobuf_unsigned(struct strbuf *out, uint32_t field, uint64_t value);
/* Written even if it is empty: an item of a repeated field, or a member of a oneof. */
void protobuf_bytes(struct strbuf *out, uint32_t field, const void *bytes, size_t size);
void protobuf_text(struct strbuf *out, uint32_t field, const char *text); /* left out if it is empty */
void protobuf_message(struct strbuf *out, uint32_t field, const struct strbuf *message);

#endif
