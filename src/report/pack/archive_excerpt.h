#ifndef XPROF_REPORT_PACK_ARCHIVE_EXCERPT_H
#define XPROF_REPORT_PACK_ARCHIVE_EXCERPT_H

/*
 * Of a program or library what the needs name: symbols, call frame information, instructions, Go's own tables, as an
 * excerpt of its ELF file.
 */

#include "archive/archive_writer.h"
#include "elf/debug_file.h"
#include "symbol/elf_symbols.h"
#include "symbol/object_needs.h"

/* `symbols`: of the file, opened and not yet read. */
int archive_excerpt_write(struct archive_writer *writer, const char *name, struct object_need *need,
			  struct elf_symbols *symbols, const struct debug_file_search *search,
			  struct error *err);

#endif
