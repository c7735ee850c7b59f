#ifndef XPROF_REPORT_PACK_ARCHIVE_EXCERPT_H
#define XPROF_REPORT_PACK_ARCHIVE_EXCERPT_H

/*
 * Writes the needed parts of a program or library as an excerpt of its ELF file: symbols, call frame
 * information, instructions, Go's own tables.
 */

#include "archive/archive_writer.h"
#include "elf/debug_file.h"
#include "symbol/elf_symbols.h"
#include "symbol/object_needs.h"

/* `symbols` are those of the file, opened and not yet read. Returns 0, or -1 with err. */
int archive_excerpt_write(struct archive_writer *writer, const char *name, struct object_need *need,
			  struct elf_symbols *symbols, const struct debug_file_search *search,
			  struct error *err);

#endif
