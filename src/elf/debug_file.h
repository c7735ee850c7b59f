#ifndef XPROF_ELF_DEBUG_FILE_H
#define XPROF_ELF_DEBUG_FILE_H

/*
 * Separate debug files: by build-id (DIR/.build-id/ab/cdef….debug), then by
 * .gnu_debuglink (file's directory, its .debug/, DIR + directory), whose CRC-32
 * is checked, then what a debuginfod client has downloaded. A file whose
 * build-id differs is never taken.
 */

#include "elf/elf_file.h"

struct symbol_archive;

struct debug_file_search {
	const char *symfs;             /* prefix for every path looked at; "" for none */
	const char *const *debug_dirs; /* NULL-terminated; default { "/usr/lib/debug", NULL } */
	/*
	 * The cache of debuginfod clients: DIR/BUILD-ID/debuginfo and …/executable (elfutils,
	 * debuginfod/debuginfod-client.c), without symfs. NULL: not searched.
	 */
	const char *debuginfod_cache;
	const char *buildid_dir;              /* perf's cache of files; NULL: ~/.debug */
	const struct symbol_archive *archive; /* for symbol/recorded_file: has all that there is; NULL: none */
	/*
	 * For symbol/: the recording is of another machine. A file of the same path here is the recorded one only
	 * if a build-id says so.
	 */
	bool is_of_other_host;
};

/*
 * The debug file of `file`, opened; NULL when there is none (err is set when
 * candidates were found but rejected, with the reason of the last one).
 */
struct elf_file *debug_file_open(struct elf_file *file, const struct debug_file_search *search,
				 struct error *err);

/* Finds it by build-id alone, if the binary itself is missing. */
struct elf_file *debug_file_open_build_id(const struct build_id *id, const struct debug_file_search *search,
					  struct error *err);

/* The file itself, as downloaded by a debuginfod client; NULL if it was not downloaded. */
struct elf_file *debug_file_open_downloaded_executable(const struct build_id *id,
						       const struct debug_file_search *search);

#endif
