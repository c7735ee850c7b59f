/*
 * Thin wrappers of malloc(), each through checked(). Sizes that overflow die like exhausted memory does, and a size of 0 asks
 * for one byte, so that NULL always means failure.
 */
#include "base/xalloc.h"

#include <malloc.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* stdio may want memory of its own, so the line is written without it. */
static _Noreturn void die_of_exhaustion(void)
{
	static const char message[] = "xprof: out of memory\n";
	ssize_t ignored = write(STDERR_FILENO, message, sizeof(message) - 1);

	(void)ignored;
	_exit(1);
}

static void *checked(void *block)
{
	if (!block)
		die_of_exhaustion();
	return block;
}

/* malloc(0) may return NULL without being out of memory (C17, 7.22.3). */
static size_t at_least_one(size_t size_bytes)
{
	return size_bytes ? size_bytes : 1;
}

void *xmalloc(size_t size_bytes)
{
	return checked(malloc(at_least_one(size_bytes)));
}

void *xcalloc(size_t count, size_t size_bytes)
{
	return checked(calloc(at_least_one(count), at_least_one(size_bytes)));
}

void *xcalloc_written(size_t count, size_t size_bytes)
{
	size_t all_bytes;
	void *block;

	if (__builtin_mul_overflow(count, size_bytes, &all_bytes))
		die_of_exhaustion();
	block = xmalloc(all_bytes);
	/* Without this, a compiler may turn malloc() and memset() into calloc(). */
	__asm__ volatile("" ::: "memory");
	memset(block, 0, all_bytes);
	return block;
}

void *xrealloc(void *block, size_t size_bytes)
{
	return checked(realloc(block, at_least_one(size_bytes)));
}

char *xstrdup(const char *text)
{
	return checked(strdup(text));
}

char *xstrndup(const char *text, size_t length)
{
	return checked(strndup(text, length));
}

char *xasprintf(const char *format, ...)
{
	va_list arguments;
	char *text = NULL;
	int length;

	va_start(arguments, format);
	length = vasprintf(&text, format, arguments);
	va_end(arguments);
	if (length < 0)
		die_of_exhaustion();
	return text;
}

void xalloc_give_back(void)
{
#ifdef M_MMAP_THRESHOLD
	/* By itself glibc would then give back each 128 KiB, and the next trees would fault them in again. */
	enum { LARGE_BYTES = 1 << 20, KEPT_BYTES = 2 << 20 };

	(void)mallopt(M_MMAP_THRESHOLD, LARGE_BYTES);
	(void)mallopt(M_TRIM_THRESHOLD, KEPT_BYTES);
#endif
}

void xalloc_trim(void)
{
#ifdef __GLIBC__
	(void)malloc_trim(0);
#endif
}

void *array_grow(void *items, size_t *capacity, size_t needed, size_t item_size_bytes)
{
	enum { FIRST_CAPACITY = 16 }; /* smaller steps are not worth their calls */
	size_t grown = *capacity, size_bytes;

	if (needed <= *capacity)
		return items;
	if (grown < FIRST_CAPACITY)
		grown = FIRST_CAPACITY;
	while (grown < needed)
		grown = grown > SIZE_MAX / 2 ? needed : grown * 2;
	if (__builtin_mul_overflow(grown, item_size_bytes, &size_bytes))
		die_of_exhaustion();
	items = xrealloc(items, size_bytes);
	*capacity = grown;
	return items;
}
