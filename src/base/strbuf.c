/*
 * Nearly all functions that add something end in append(), which makes room and terminates the text. An empty buffer points to
 * a shared constant and owns nothing; `capacity` 0 says so and is checked before bytes are written or freed.
 */
#include "base/strbuf.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"

const char strbuf_nothing[1];

void strbuf_init(struct strbuf *buf)
{
	*buf = STRBUF_INIT;
}

void strbuf_fini(struct strbuf *buf)
{
	if (buf->capacity)
		free(buf->bytes);
	strbuf_init(buf);
}

void strbuf_reset(struct strbuf *buf)
{
	buf->size = 0;
	if (buf->capacity)
		buf->bytes[0] = '\0';
}

/* Makes room for `size` more bytes and the terminator. */
static void reserve(struct strbuf *buf, size_t size)
{
	char *owned = buf->capacity ? buf->bytes : NULL;
	size_t needed;

	if (__builtin_add_overflow(buf->size, size, &needed) || __builtin_add_overflow(needed, 1, &needed))
		needed = SIZE_MAX; /* array_grow() reports it */
	if (needed > buf->capacity)
		buf->bytes = array_grow(owned, &buf->capacity, needed, 1);
}

static char *append(struct strbuf *buf, size_t size)
{
	char *start;

	reserve(buf, size);
	start = buf->bytes + buf->size;
	buf->size += size;
	buf->bytes[buf->size] = '\0';
	return start;
}

void strbuf_add(struct strbuf *buf, const void *bytes, size_t size)
{
	if (size)
		memcpy(append(buf, size), bytes, size);
}

void strbuf_adds(struct strbuf *buf, const char *text)
{
	strbuf_add(buf, text, strlen(text));
}

void strbuf_addc(struct strbuf *buf, char c)
{
	*append(buf, 1) = c;
}

/* Most texts fit into what is already there; the others are formatted a second time. */
__attribute__((format(printf, 2, 0))) static void addv(struct strbuf *buf, const char *format,
						       va_list arguments)
{
	va_list again;
	size_t room;
	int length;

	va_copy(again, arguments);
	reserve(buf, 0);
	room = buf->capacity - buf->size;
	length = vsnprintf(buf->bytes + buf->size, room, format, arguments);
	if (length > 0 && (size_t)length >= room) {
		reserve(buf, (size_t)length);
		vsnprintf(buf->bytes + buf->size, (size_t)length + 1, format, again);
	}
	va_end(again);
	if (length > 0)
		buf->size += (size_t)length;
	buf->bytes[buf->size] = '\0';
}

void strbuf_addf(struct strbuf *buf, const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	addv(buf, format, arguments);
	va_end(arguments);
}

enum { DIGITS_MAX = 20 }; /* of 64 bits, decimal */

static void add_padded(struct strbuf *buf, const char *text, size_t length, char padding, size_t width)
{
	const size_t pad = width > length ? width - length : 0;
	char *out = append(buf, pad + length);

	if (pad)
		memset(out, padding, pad);
	memcpy(out + pad, text, length);
}

/* Two digits per division: exports of long recordings are mostly numbers. */
static void add_decimal(struct strbuf *buf, uint64_t value, char padding, size_t width)
{
	static const char pairs[] = "00010203040506070809101112131415161718192021222324"
				    "25262728293031323334353637383940414243444546474849"
				    "50515253545556575859606162636465666768697071727374"
				    "75767778798081828384858687888990919293949596979899";
	char digits[DIGITS_MAX], *first = digits + DIGITS_MAX;

	while (value >= 10) {
		first -= 2;
		memcpy(first, pairs + value % 100 * 2, 2);
		value /= 100;
	}
	if (value || first == digits + DIGITS_MAX)
		*--first = (char)('0' + value);
	add_padded(buf, first, (size_t)(digits + DIGITS_MAX - first), padding, width);
}

void strbuf_add_decimal(struct strbuf *buf, uint64_t value, unsigned int width)
{
	add_decimal(buf, value, ' ', width);
}

void strbuf_add_decimal_zeros(struct strbuf *buf, uint64_t value, unsigned int width)
{
	add_decimal(buf, value, '0', width);
}

static void add_hex(struct strbuf *buf, uint64_t value, char padding, size_t width)
{
	char digits[DIGITS_MAX], *first = digits + DIGITS_MAX;

	do {
		*--first = "0123456789abcdef"[value & 15];
		value >>= 4;
	} while (value);
	add_padded(buf, first, (size_t)(digits + DIGITS_MAX - first), padding, width);
}

void strbuf_add_hex(struct strbuf *buf, uint64_t value, unsigned int width)
{
	add_hex(buf, value, ' ', width);
}

void strbuf_add_hex_zeros(struct strbuf *buf, uint64_t value, unsigned int width)
{
	add_hex(buf, value, '0', width);
}

void strbuf_add_right(struct strbuf *buf, const char *text, unsigned int width)
{
	add_padded(buf, text, strlen(text), ' ', width);
}

void strbuf_add_zeros(struct strbuf *buf, size_t count)
{
	if (count)
		memset(append(buf, count), 0, count);
}

void strbuf_cut(struct strbuf *buf, size_t size)
{
	if (size >= buf->size)
		return;
	buf->size = size;
	buf->bytes[size] = 0;
}

void strbuf_add_u16(struct strbuf *buf, uint16_t value, bool swap)
{
	value = swap ? __builtin_bswap16(value) : value;
	strbuf_add(buf, &value, sizeof(value));
}

void strbuf_add_u32(struct strbuf *buf, uint32_t value, bool swap)
{
	value = swap ? __builtin_bswap32(value) : value;
	strbuf_add(buf, &value, sizeof(value));
}

void strbuf_add_u64(struct strbuf *buf, uint64_t value, bool swap)
{
	value = swap ? __builtin_bswap64(value) : value;
	strbuf_add(buf, &value, sizeof(value));
}

char *strbuf_detach(struct strbuf *buf)
{
	char *bytes = buf->capacity ? buf->bytes : xstrdup("");

	strbuf_init(buf);
	return bytes;
}
