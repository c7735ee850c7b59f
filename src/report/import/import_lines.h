#ifndef XPROF_REPORT_IMPORT_IMPORT_LINES_H
#define XPROF_REPORT_IMPORT_IMPORT_LINES_H

/*
 * The lines of a text in memory, one after the other, each as a string of its own that may be changed.
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
	char *text;      /* NUL-terminated, without its end; valid until the next one */
	uint64_t number; /* from 1 on */
};

void import_lines_init(struct import_lines *lines, const char *bytes, size_t size);
bool import_lines_next(struct import_lines *lines);
void import_lines_fini(struct import_lines *lines);

#endif
