#ifndef XPROF_FORMAT_PROTOBUF_FIELD_H
#define XPROF_FORMAT_PROTOBUF_FIELD_H

/*
 * The fields of a protocol buffers message, one after the other: what simpleperf's newer features are
 * written as (protobuf.dev, "Encoding"). No schema: the caller knows which number means what.
 */

#include <stdbool.h>
#include <stdint.h>

#include "base/byte_reader.h"

struct protobuf_field {
	uint32_t number;
	uint64_t value;           /* of a varint, or of 32 or 64 bits; 0 for bytes */
	struct byte_reader bytes; /* of a string, a message, packed numbers; empty for numbers */
	bool is_bytes;
};

/* The next one: 1, 0 at the end, -1 when what is left is no field. */
int protobuf_field_next(struct byte_reader *message, struct protobuf_field *field);

/* A number of a packed field: `numbers` is its bytes. 0, and the reader fails, where there is none. */
uint64_t protobuf_number(struct byte_reader *numbers);

#endif
