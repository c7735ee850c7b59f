#ifndef XPROF_REPORT_DUMP_DUMP_LAYOUT_H
#define XPROF_REPORT_DUMP_DUMP_LAYOUT_H

/*
 * A file's header and sections as its first bytes have them, whether they make
 * sense or not: what there is to say of a file that cannot be opened.
 */

#include "base/error.h"
#include "format/mapped_file.h"
#include "report/dump/dump_out.h"

enum { DUMP_PEEK_BYTES = 4096 };

struct dump_source {
	struct mapped_file map;         /* the whole file, when it is one */
	uint8_t first[DUMP_PEEK_BYTES]; /* otherwise what could be peeked at in a pipe */
};

/*
 * Looks at `path` ("-" is standard input) without taking anything out of it. A
 * source that cannot be looked at is empty; opening it for good will say why.
 */
void dump_source_init(struct dump_source *source, const char *path);
void dump_source_init_memory(struct dump_source *source, const void *bytes,
			     size_t size); /* that outlive it */
void dump_source_fini(struct dump_source *source);

/* The header, and the sections of a file that is not in pipe mode. */
void dump_layout(struct dump_out *out, const struct dump_source *source);

#endif
