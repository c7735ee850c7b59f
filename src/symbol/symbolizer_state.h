#ifndef XPROF_SYMBOL_SYMBOLIZER_STATE_H
#define XPROF_SYMBOL_SYMBOLIZER_STATE_H

/*
 * The members of a symbolizer and its tables, for the files that implement them: symbolizer (options, tables,
 * names), symbol_loading (where the symbols of a table come from), symbol_table (what it answers).
 */

#include <pthread.h>

#include "base/arena.h"
#include "base/hash_table.h"
#include "elf/debug_file.h"
#include "symbol/symbol_map.h"
#include "symbol/symbolizer.h"

struct symbol_table {
	struct symbolizer *symbolizer;
	struct symbol_object object; /* texts in the symbolizer's arena */
	bool opened, loaded;
	uint64_t *wanted; /* addresses that will be asked for; none: any may be */
	size_t wanted_count, wanted_capacity;
	struct symbol_map *map; /* borrowed from what follows; NULL when nothing could be loaded */
	struct zip_file *zip;   /* of an APK, whose libraries have tables of their own; else NULL */
	struct elf_symbols *elf;
	bool listed;                /* the map is what the recording brought with it */
	bool named_by_elf;          /* the map is that of `elf`; of the kernel it may have lines alone */
	bool looked_for_elf;        /* of the kernel and its modules */
	struct kernel_place *place; /* likewise: where their code was; NULL: other objects */
	bool looked_for_lines;
	struct named_source *lines; /* NULL: no debug information, or not looked for */
	struct perf_map *perf_map;
	struct jitdump *jitdump;
	struct symbol_map *jitdump_map; /* by offset in the file */
	struct source_frame jit_frame;  /* what was answered last */
	const struct archived_object
		*archived;         /* NULL: there is no archive, or it has nothing of this object */
	struct object_need *need;  /* may be NULL: records the questions */
	struct kallsyms *kallsyms; /* of the kernel, if the map is its, and of modules; the kernel source's */
	uint64_t relocation;       /* of kallsyms: address in the map + relocation = address asked for */
	const char *module;        /* of a module: what the group of its symbols is called; else NULL */
	char *source;
	struct error why;
};

struct symbolizer {
	struct symbolizer_options options;
	struct debug_file_search search;
	char *cache_directory; /* NULL: no cache */
	struct arena arena;
	struct symbol_table **tables;
	size_t table_count;
	size_t table_capacity;
	struct hash_table by_object;
	struct kernel_source *kernel_source; /* of the kernel and all modules */
	pthread_mutex_t names_lock;          /* of what follows: threads with tables of their own share it */
	struct arena names;                  /* demangled */
	struct swift_demangler *swift;       /* NULL: no Swift name has been met */
};

static inline bool symbol_object_is_file(const struct symbol_object *object)
{
	return object->kind == SYMBOL_OBJECT_ELF || object->kind == SYMBOL_OBJECT_VDSO;
}

static inline bool symbol_object_is_kernel(const struct symbol_object *object)
{
	return object->kind == SYMBOL_OBJECT_KERNEL || object->kind == SYMBOL_OBJECT_MODULE;
}

/* As long as the symbolizer that `context` is; NULL when the name is not mangled. Any thread may call. */
const char *symbolizer_demangle(const char *name, void *context);

/* Names of the kernel are not demangled: perf's default, and only Rust drivers have such. */
bool symbol_table_shows_demangled(const struct symbol_table *table);

/* The ELF file of the kernel or a module, which has lines, and names where no list has them. */
bool symbol_table_open_kernel_elf(struct symbol_table *table, struct error *err);

/* Instead of a part of the kernel's list, which does not cover an address. */
void symbol_table_read_whole_list(struct symbol_table *table);

/* The table of the library around an address of an APK, which becomes one of the library; NULL: there is none. */
struct symbol_table *symbol_table_library_at(const struct symbol_table *table, uint64_t *address);

/* Its answers are to the addresses themselves, and there are no others. */
struct named_source *symbol_table_archived_lines(struct symbol_table *table);

/* For the archive that is being made: where the table's names came from. */
void symbol_table_tell_origin(const struct symbol_table *table);

#endif
