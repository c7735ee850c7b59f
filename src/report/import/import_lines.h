#ifndef XPROF_REPORT_IMPORT_IMPORT_LINES_H
#define XPROF_REPORT_IMPORT_IMPORT_LINES_H

/*
 * Iterates over the lines of a text in memory, each as a string that the caller may change.
 *
 *	import_lines_init(&lines, bytes, size);
 *	while (import_lines_next(&lines))
 *		read_line(lines.text, lines.number);
 *	import_lines_fini(&lines);
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/strbuf.h"

struct import_lines {
	const char *next, *end;
	struct strbuf line;
	char *text;      /* NUL-terminated, without the line's end; valid until the next call */
	uint64_t number; /* from 1 */
};

void import_lines_init(struct import_lines *lines, const char *bytes, size_t size);
bool import_lines_next(struct import_lines *lines);
void import_lines_fini(struct import_lines *lines);

#endif
