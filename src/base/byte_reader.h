#ifndef XPROF_BASE_BYTE_READER_H
#define XPROF_BASE_BYTE_READER_H

/*
 * Bounds-checked, byte-order-aware reading of untrusted bytes.
 *
 * The reader never reads outside [next, end). A read that would do so returns
 * 0 (or NULL) and marks the reader as failed; every later read fails too, so a
 * record is decoded straight through and checked once with byte_reader_ok().
 * Nested lengths are read through a sub-reader. Nothing is copied or swapped in
 * place: pointers that are handed out live as long as the bytes do.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

struct byte_reader {
	const uint8_t *next;
	const uint8_t *end;
	bool swap;   /* the bytes are in the opposite order to this machine's */
	bool failed; /* some read went past the end */
};

static inline struct byte_reader byte_reader_over(const void *bytes, size_t size, bool swap)
{
	/* No bytes are an empty range somewhere: null + 0 is undefined (C17, 6.5.6). */
	const uint8_t *start = bytes ? bytes : (const uint8_t *)"";

	return (struct byte_reader){ .next = start, .end = bytes ? start + size : start, .swap = swap };
}

static inline bool byte_reader_ok(const struct byte_reader *r)
{
	return !r->failed;
}

static inline size_t byte_reader_left(const struct byte_reader *r)
{
	return (size_t)(r->end - r->next);
}

/* Returns the next `size` bytes and steps over them; NULL if there are fewer. */
static inline const uint8_t *byte_reader_bytes(struct byte_reader *r, size_t size)
{
	const uint8_t *bytes = r->next;

	if (r->failed || size > byte_reader_left(r)) {
		r->failed = true;
		return NULL;
	}
	r->next += size;
	return bytes;
}

static inline void byte_reader_skip(struct byte_reader *r, size_t size)
{
	(void)byte_reader_bytes(r, size);
}

static inline uint8_t byte_reader_u8(struct byte_reader *r)
{
	const uint8_t *bytes = byte_reader_bytes(r, 1);

	return bytes ? *bytes : 0;
}

static inline uint16_t byte_reader_u16(struct byte_reader *r)
{
	const uint8_t *bytes = byte_reader_bytes(r, sizeof(uint16_t));
	uint16_t value = 0;

	if (bytes)
		memcpy(&value, bytes, sizeof(value));
	return r->swap ? __builtin_bswap16(value) : value;
}

static inline uint32_t byte_reader_u32(struct byte_reader *r)
{
	const uint8_t *bytes = byte_reader_bytes(r, sizeof(uint32_t));
	uint32_t value = 0;

	if (bytes)
		memcpy(&value, bytes, sizeof(value));
	return r->swap ? __builtin_bswap32(value) : value;
}

static inline uint64_t byte_reader_u64(struct byte_reader *r)
{
	const uint8_t *bytes = byte_reader_bytes(r, sizeof(uint64_t));
	uint64_t value = 0;

	if (bytes)
		memcpy(&value, bytes, sizeof(value));
	return r->swap ? __builtin_bswap64(value) : value;
}

/*
 * Returns a reader over the next `size` bytes and steps over them; the reader has failed if there are fewer.
 */
struct byte_reader byte_reader_sub(struct byte_reader *r, size_t size);

/*
 * A NUL-terminated string inside the next `field_size` bytes (all of which are
 * stepped over, terminator and padding included). NULL, and the reader fails,
 * when no terminator is found in them.
 */
const char *byte_reader_string(struct byte_reader *r, size_t field_size);

#endif
