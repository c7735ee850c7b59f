#ifndef XPROF_SYMBOL_SYMBOLIZER_H
#define XPROF_SYMBOL_SYMBOLIZER_H

/*
 * From (object, address) to a function name. Objects are opened once, keyed by what they are, and their
 * symbol tables are loaded on the first question. One thread at a time, because the first question loads; but
 * see symbol_table_group(). Addresses are in the object's map space, see symbol_object.h.
 *
 *     struct symbol_table *table = symbolizer_table(symbolizer, &object);
 *
 *     if (symbol_table_find(table, address, &symbol) == 1)
 *             printf("%s\n", symbol.name);
 */

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "elf/debug_file.h"
#include "symbol/dwarf/source_index.h"
#include "symbol/symbol_lists.h"
#include "symbol/symbol_object.h"

struct archived_object;
struct object_needs;
struct symbol_archive;
struct symbolizer;
struct symbol_table;

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

struct symbol {
	const char *name; /* demangled if so asked; lives as long as the symbolizer */
	uint64_t start;   /* map space of the object */
	uint64_t end;     /* first address behind it */
	bool is_plt;
	bool is_local; /* STB_LOCAL */
};

/* Where files are looked for by these options, whose texts are borrowed. */
struct debug_file_search symbolizer_options_search(const struct symbolizer_options *options);

struct symbolizer *symbolizer_create(const struct symbolizer_options *options);
void symbolizer_destroy(struct symbolizer *symbolizer);

/* Where it looks for files; texts live as long as the symbolizer. */
const struct debug_file_search *symbolizer_search(const struct symbolizer *symbolizer);
/* Of its options; "" for none. */
const char *symbolizer_symfs(const struct symbolizer *symbolizer);
/*
 * Never NULL. Equal objects (by build-id, else path) give the same table.
 * Nothing is read before the first symbol_table_find(). The kernel's own object
 * comes before those of its modules: where it was decides whether they are
 * still where they were.
 */
struct symbol_table *symbolizer_table(struct symbolizer *symbolizer, const struct symbol_object *object);

/*
 * Preloads before the first lookup everything that does not depend on the addresses: opens files, reads the
 * kernel's list.
 */
void symbol_table_open(struct symbol_table *table);
/* These addresses will be asked for: a large file's other symbols are not looked at until one of them is. Adds up. */
void symbol_table_want(struct symbol_table *table, const uint64_t *addresses, size_t count);
/* Reads what the first question would, if there has been none. */
void symbol_table_load(struct symbol_table *table);

/*
 * The owner key of a table, for several threads. Tables with the same key may be used by one thread at a
 * time; tables with different keys may be loaded and asked for functions at the same time, while no table is
 * created. NULL: no other thread may use any table meanwhile. Opens files.
 */
const void *symbol_table_group(struct symbol_table *table);
/* About as many as what loading takes depends on; 0: little, or not known. */
size_t symbol_table_file_bytes(const struct symbol_table *table);

/* 1 and *symbol filled, or 0: nothing is known at this address. */
int symbol_table_find(struct symbol_table *table, uint64_t address, struct symbol *symbol);

/*
 * Source of an address, innermost first: what was inlined there, and last the function that was compiled, which
 * symbol_table_find() may know by a better name. 0: there is no debug information that knows. Frames are valid
 * until the next question, texts as long as the symbolizer.
 */
size_t symbol_table_find_source(struct symbol_table *table, uint64_t address,
				const struct source_frame **frames);

/* Looks up the source of many addresses at once, which is a lot faster than one by one. */
void symbol_table_prepare_source(struct symbol_table *table, const uint64_t *addresses, size_t count);

/*
 * After the first find: where the names came from ("/usr/lib/debug/….debug", "/proc/kallsyms"), or NULL when
 * nothing could be loaded; and then *why is a one-line reason with the remedy ("build-id of /usr/bin/x is …, the
 * recording has …: the file was replaced since").
 */
const char *symbol_table_source(const struct symbol_table *table, const char **why);

/* After the first find, of a file: has it, or has its debug file, a symbol table with all of its functions? */
bool symbol_table_is_full(const struct symbol_table *table);

/* Is there debug information, for symbol_table_find_source()? */
bool symbol_table_has_lines(struct symbol_table *table);

/* The archive that all is looked up in, NULL: there is none; and what that knows of an object, NULL: nothing. */
const struct symbol_archive *symbolizer_archive(const struct symbolizer *symbolizer);
const struct archived_object *symbol_table_archived(const struct symbol_table *table);

#endif
