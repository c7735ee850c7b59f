#ifndef XPROF_ELF_DEBUG_FILE_H
#define XPROF_ELF_DEBUG_FILE_H

/*
 * Separate debug files: by build-id (DIR/.build-id/ab/cdef….debug), then by
 * .gnu_debuglink (file's directory, its .debug/, DIR + directory), whose CRC-32
 * is checked. A file whose build-id differs is never taken.
 */

#include "elf/elf_file.h"

struct debug_file_search {
	const char *symfs;             /* prefix for every path looked at; "" for none */
	const char *const *debug_dirs; /* NULL-terminated; default { "/usr/lib/debug", NULL } */
};

/*
 * The debug file of `file`, opened; NULL when there is none (err is set when
 * candidates were found but rejected, with the reason of the last one).
 */
struct elf_file *debug_file_open(struct elf_file *file, const struct debug_file_search *search,
				 struct error *err);

/* By build-id alone, when the binary itself is not there. */
struct elf_file *debug_file_open_build_id(const struct build_id *id, const struct debug_file_search *search,
					  struct error *err);

#endif
