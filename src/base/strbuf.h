#ifndef XPROF_BASE_STRBUF_H
#define XPROF_BASE_STRBUF_H

/*
 * A growable byte string. `bytes` is always NUL-terminated at `size` (also when
 * empty), so it can be used as a C string; it may hold NULs of its own.
 */

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct strbuf {
	char *bytes;
	size_t size;     /* without the terminator */
	size_t capacity; /* 0: nothing allocated yet */
};

/* `bytes` of a buffer that has nothing allocated. Never written to. */
extern const char strbuf_nothing[1];
/* The value of an empty buffer where it is declared; strbuf_init() is for members of larger structs. */
#define STRBUF_INIT ((struct strbuf){ .bytes = (char *)strbuf_nothing })

void strbuf_init(struct strbuf *buf);
void strbuf_fini(struct strbuf *buf);
void strbuf_reset(struct strbuf *buf); /* makes it empty, keeps the memory */

void strbuf_add(struct strbuf *buf, const void *bytes, size_t size);
void strbuf_adds(struct strbuf *buf, const char *text);
void strbuf_addc(struct strbuf *buf, char c);
void strbuf_addf(struct strbuf *buf, const char *format, ...) __attribute__((format(printf, 2, 3)));

/*
 * Append numbers and text padded on the left to `width` characters, as %*PRIu64, %*PRIx64 (with zeros:
 * %0*PRIu64 and %0*PRIx64) and %*s do, at a tenth of their cost. Meant for output with millions of fields.
 */
void strbuf_add_decimal(struct strbuf *buf, uint64_t value, unsigned int width);
void strbuf_add_decimal_zeros(struct strbuf *buf, uint64_t value, unsigned int width);
void strbuf_add_hex(struct strbuf *buf, uint64_t value, unsigned int width);
void strbuf_add_hex_zeros(struct strbuf *buf, uint64_t value, unsigned int width);
void strbuf_add_right(struct strbuf *buf, const char *text, unsigned int width);

void strbuf_add_zeros(struct strbuf *buf, size_t count);

/* Cuts the text to `size` bytes; does nothing if it is shorter. */
void strbuf_cut(struct strbuf *buf, size_t size);

/* Append integers in this machine's byte order, or in the opposite one if `swap`. */
void strbuf_add_u16(struct strbuf *buf, uint16_t value, bool swap);
void strbuf_add_u32(struct strbuf *buf, uint32_t value, bool swap);
void strbuf_add_u64(struct strbuf *buf, uint64_t value, bool swap);

/* Takes the bytes out of the buffer, which is empty afterwards; the caller frees them. */
char *strbuf_detach(struct strbuf *buf);

#endif
