#ifndef XPROF_SYMBOL_SYMBOLIZER_OPTIONS_H
#define XPROF_SYMBOL_SYMBOLIZER_OPTIONS_H

/* Where a symbolizer looks for names, and how they read. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "elf/debug_file.h"

struct object_needs;
struct symbol_archive;
struct symbol_lists;

/* The perf maps that a recording brings with it, and when it ended: which maps of this machine are not too young. */
struct perf_map_source {
	/*
	 * The text of a process's map, to be freed, and its size; NULL: the recording has none. *whole: nothing is missing.
	 * Several threads may call it. NULL: the recording has none of any process.
	 */
	char *(*text)(void *context, uint32_t pid, size_t *size_bytes, bool *whole);
	void *context;
	int64_t recorded_until_s; /* seconds since the Epoch; 0: not known */
};

struct symbolizer_options {
	const char *symfs;             /* NULL or a directory prefix */
	const char *const *debug_dirs; /* NULL: { "/usr/lib/debug" } */
	const char *debuginfod_cache;  /* NULL, or where debuginfod clients keep their downloads */
	const char *buildid_dir;       /* perf's cache of files; NULL: ~/.debug */
	/*
	 * The archive of an archived recording, the only source for its objects; NULL if there is none.
	 * Borrowed, as are the needs, which record questions and answers and may be NULL.
	 */
	const struct symbol_archive *archive;
	struct object_needs *needs;
	const char *kallsyms_path; /* kallsyms or System.map; NULL: /proc/kallsyms if its kernel was recorded */
	/* If given, its names come before those of kallsyms for the kernel proper. Its lines, or those of the vmlinux
	 * with the recorded build-id that is found, always count. */
	const char *vmlinux_path;
	const char *kernel_release; /* of the recorded kernel, as uname -r gives it; NULL: not known */
	struct symbol_lists
		*lists; /* names that the recording brings with it, or NULL; the symbolizer takes them over */
	struct perf_map_source perf_maps;
	bool is_of_other_host; /* see struct debug_file_search; not if symfs says where the files are */
	bool kernel_is_running_kernel; /* the recording was made on this boot: /proc/kallsyms may be believed */
	bool cache; /* source lines and the kernel's symbols are kept for the next time, see cache_file.h */
	bool demangle;            /* default of the tool: true */
	bool demangle_parameters; /* perf: --demangle keeps parameters only in verbose mode; false */
};

/* Where files are looked for by these options, whose texts are borrowed. */
struct debug_file_search symbolizer_options_search(const struct symbolizer_options *options);

/* The same options with copies of all texts, but for those of the archive, the needs and the lists. */
struct symbolizer_options symbolizer_options_copy(const struct symbolizer_options *options,
						  struct arena *arena);

#endif
