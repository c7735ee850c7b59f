#ifndef XPROF_FORMAT_PROTOBUF_FIELD_H
#define XPROF_FORMAT_PROTOBUF_FIELD_H

/*
 * Reads the fields of a protocol buffers message one by one, the format of simpleperf's newer features
 * (protobuf.dev, "Encoding"). There is no schema: the caller knows the meaning of each field number.
 */

#include <stdbool.h>
#include <stdint.h>

#include "base/byte_reader.h"

struct protobuf_field {
	uint32_t number;
	uint64_t value;           /* of a varint, or of 32 or 64 bits; 0 for bytes */
	struct byte_reader bytes; /* a string, a message or packed numbers; empty for numbers */
	bool is_bytes;
};

/* Reads the next field. Returns 1, 0 at the end, -1 if the rest is not a field. */
int protobuf_field_next(struct byte_reader *message, struct protobuf_field *field);

/*
 * Reads the numbers in a message: values[N] is set to that of field N (the last one if there are several), 0 if it has none. Other
 * fields are skipped. Returns 0, or -1 if the message is damaged.
 */
int protobuf_field_values(struct byte_reader message, uint64_t *values, size_t count);

/*
 * Reads the next number of a packed field; `numbers` are its bytes. If there is none, returns 0 and the
 * reader fails.
 */
uint64_t protobuf_number(struct byte_reader *numbers);

#endif
