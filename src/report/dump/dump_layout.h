#ifndef XPROF_REPORT_DUMP_DUMP_LAYOUT_H
#define XPROF_REPORT_DUMP_DUMP_LAYOUT_H

/*
 * Writes the header and sections of a file from its first bytes, even if they are damaged, so that there is
 * something to see of a file that cannot be opened.
 */

#include "base/error.h"
#include "format/mapped_file.h"
#include "report/dump/dump_out.h"

enum { DUMP_PEEK_BYTES = 4096 };

struct dump_source {
	struct mapped_file map;         /* the whole file, unless it is a pipe */
	uint8_t first[DUMP_PEEK_BYTES]; /* of a pipe: bytes peeked at */
};

/*
 * Looks at `path` ("-" is standard input) without consuming anything. If that fails the source is empty;
 * perf_file_open() will report the reason.
 */
void dump_source_init(struct dump_source *source, const char *path);
/* The same for bytes in memory, which are borrowed. */
void dump_source_init_memory(struct dump_source *source, const void *bytes, size_t size);
void dump_source_fini(struct dump_source *source);

/* Writes the header and, unless the file is in pipe mode, the sections. */
void dump_layout(struct dump_out *out, const struct dump_source *source);

#endif
