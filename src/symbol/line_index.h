#ifndef XPROF_SYMBOL_LINE_INDEX_H
#define XPROF_SYMBOL_LINE_INDEX_H

/*
 * The line number program of one unit, run once (DWARF 5, section 6.2; versions
 * 2 to 5): address → file and line.
 */

#include "base/strbuf.h"
#include "symbol/dwarf_unit.h"

struct line_row {
	uint64_t address;
	uint32_t file;
	uint32_t line; /* 0: no line stands for this code */
};

struct line_file {
	const char *name; /* NULL: damaged */
	uint64_t directory;
};

/* Rows of rising addresses, without a gap. */
struct line_sequence {
	uint64_t low, high;
	size_t first, count; /* rows */
};

/* Zeroed before the first use; read again and again, it uses its memory again. */
struct line_index {
	const char *unit_directory;
	bool counts_from_0; /* version 5: the first file has number 0 */
	const char **directories;
	size_t directory_count, directory_capacity;
	struct line_file *files;
	size_t file_count, file_capacity;
	struct line_row *rows;
	size_t row_count, row_capacity;
	struct line_sequence *sequences; /* by rising low */
	size_t sequence_count, sequence_capacity;
};

/* Where code may lie: what was left out of the program has lines at addresses like 0. */
typedef bool line_index_is_code(uint64_t vaddr, const void *context);

/* Files and rows of a unit that has_lines; what is damaged ends it. */
void line_index_read(struct line_index *index, const struct dwarf_unit *unit, line_index_is_code *is_code,
		     const void *context);

/* Files alone: what numbers of files in the unit's entries mean. */
void line_index_read_files(struct line_index *index, const struct dwarf_unit *unit);
void line_index_fini(struct line_index *index);

/* The row that covers the address; NULL when none does. */
const struct line_row *line_index_find(const struct line_index *index, uint64_t address);

/* Appends the path of a file, as far as it is known; false: there is no such file. */
bool line_index_path(const struct line_index *index, uint64_t file, struct strbuf *path);

#endif
