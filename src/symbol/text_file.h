#ifndef XPROF_SYMBOL_TEXT_FILE_H
#define XPROF_SYMBOL_TEXT_FILE_H

/*
 * Whole text files of lines that begin with hexadecimal numbers: kallsyms,
 * System.map, perf maps. Files in /proc have no size, so they are read until
 * they end, and lines are cut apart in place: texts point into the bytes.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

struct text_file {
	char *bytes; /* NUL-terminated at size; free() them */
	size_t size;
};

/* At most max_bytes are read; a longer file is an error. `name` is for messages. */
int text_file_read(struct text_file *text, int fd, const char *name, size_t max_bytes, struct error *err);

/*
 * The next line, whose newline becomes a NUL; NULL behind the last one. *end is
 * where its terminator is. Bytes after a NUL inside of a line are lost.
 */
char *text_next_line(char **next, const char *file_end, char **end);

/* Steps over a hexadecimal number of 1 to 16 digits ("0x" is allowed in front) and one blank behind it. */
bool text_take_hex(const char **at, uint64_t *value);

#endif
