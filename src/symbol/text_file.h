#ifndef XPROF_SYMBOL_TEXT_FILE_H
#define XPROF_SYMBOL_TEXT_FILE_H

/*
 * Whole text files of lines that begin with hexadecimal numbers: kallsyms, System.map, perf maps. Files in
 * /proc have no size, so they are read to their end. Lines are split in place: texts point into the bytes.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

struct text_file {
	char *bytes; /* NUL-terminated at size; free() them */
	size_t size;
};

/* Reads a file of at most max_bytes; a longer file is an error. `name` is for messages. */
int text_file_read(struct text_file *text, int fd, const char *name, size_t max_bytes, struct error *err);

/*
 * Returns the next line, whose newline it replaces by a NUL; NULL at the end. *end is the position of that
 * NUL. Bytes behind another NUL in the line are lost.
 */
char *text_next_line(char **next, const char *file_end, char **end);

/*
 * Reads a hexadecimal number of 1 to 16 digits, with or without "0x", and skips one blank behind it. Returns
 * false, with *at unchanged, if there is none.
 */
bool text_take_hex(const char **at, uint64_t *value);

#endif
