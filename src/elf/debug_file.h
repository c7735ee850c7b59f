#ifndef XPROF_ELF_DEBUG_FILE_H
#define XPROF_ELF_DEBUG_FILE_H

/*
 * Finds separate debug files: by build-id (DIR/.build-id/ab/cdef….debug), then by .gnu_debuglink (in the
 * file's directory, its .debug/, DIR + directory), whose CRC-32 is checked, then among the downloads of
 * debuginfod clients. A file with another build-id is never used.
 */

#include "elf/elf_file.h"

struct symbol_archive;

struct debug_file_search {
	const char *symfs;             /* prefix of every path; "" for none */
	const char *const *debug_dirs; /* NULL-terminated; default { "/usr/lib/debug", NULL } */
	/*
	 * The cache of debuginfod clients: DIR/BUILD-ID/debuginfo and …/executable (elfutils,
	 * debuginfod/debuginfod-client.c), without symfs. NULL: not searched.
	 */
	const char *debuginfod_cache;
	const char *buildid_dir;              /* perf's cache of files; NULL: ~/.debug */
	const struct symbol_archive *archive; /* for symbol/recorded_file: if not NULL, the only place that is
						 searched */
	/*
	 * For symbol/: the recording was made on another machine, so a file at the recorded path is used only if
	 * its build-id proves that it is the recorded one.
	 */
	bool is_of_other_host;
};

/*
 * Opens the debug file of `file`. Returns NULL if there is none; err is set if files were found but rejected,
 * and has the reason for the last one.
 */
struct elf_file *debug_file_open(struct elf_file *file, const struct debug_file_search *search,
				 struct error *err);

/* Opens a debug file by build-id alone, for a missing binary. */
struct elf_file *debug_file_open_build_id(const struct build_id *id, const struct debug_file_search *search,
					  struct error *err);

/* The file itself, as downloaded by a debuginfod client; NULL if it was not downloaded. */
struct elf_file *debug_file_open_downloaded_executable(const struct build_id *id,
						       const struct debug_file_search *search);

#endif
