#ifndef XPROF_SYMBOL_SYMBOLIZER_OPTIONS_H
#define XPROF_SYMBOL_SYMBOLIZER_OPTIONS_H

/* Where a symbolizer looks for names, and how it shows them. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "elf/debug_file.h"

struct object_needs;
struct symbol_archive;
struct symbol_lists;

/*
 * The perf maps stored in a recording, and the time when it ended, after which a map on this machine must not have
 * changed.
 */
struct perf_map_source {
	/*
	 * Returns the text of a process's map, which the caller frees, and its size; NULL if the recording has none.
	 * *whole: nothing is missing. Must be thread-safe. The pointer is NULL if the recording has no maps.
	 */
	char *(*text)(void *context, uint32_t pid, size_t *size_bytes, bool *whole);
	void *context;
	int64_t recorded_until_s; /* seconds since the Epoch; 0: not known */
};

struct symbolizer_options {
	const char *symfs;             /* prefix for all paths, or NULL */
	const char *const *debug_dirs; /* NULL: { "/usr/lib/debug" } */
	const char *debuginfod_cache;  /* cache of debuginfod clients, or NULL */
	const char *buildid_dir;       /* perf's cache of files; NULL: ~/.debug */
	/*
	 * The archive of an archived recording, the only source for its objects; NULL if there is none.
	 * `needs` records lookups and answers; may be NULL. Both are borrowed.
	 */
	const struct symbol_archive *archive;
	struct object_needs *needs;
	const char *kallsyms_path; /* kallsyms or System.map; NULL: /proc/kallsyms, if the running kernel was
				      recorded */
	/*
	 * If given, its names are preferred to those of kallsyms for the kernel itself. Source lines always come from
	 * it, or from a vmlinux with the recorded build-id.
	 */
	const char *vmlinux_path;
	const char *kernel_release; /* of the recorded kernel, as from uname -r; NULL: unknown */
	/* symbols stored in the recording, or NULL; the symbolizer takes ownership */
	struct symbol_lists *lists;
	struct perf_map_source perf_maps;
	bool is_of_other_host;         /* see struct debug_file_search; false if symfs has the files */
	bool kernel_is_running_kernel; /* the recording was made on this boot, so /proc/kallsyms is right */
	bool cache;                    /* cache source lines and the kernel's symbols, see cache_file.h */
	bool demangle;                 /* default of the tool: true */
	bool demangle_parameters;      /* perf: --demangle keeps parameters only in verbose mode; false */
};

/* The places to look for files, by these options. Texts are borrowed. */
struct debug_file_search symbolizer_options_search(const struct symbolizer_options *options);

/*
 * The same options with copies of all texts in `arena`. The archive, the needs and the lists are not copied.
 */
struct symbolizer_options symbolizer_options_copy(const struct symbolizer_options *options,
						  struct arena *arena);

#endif
