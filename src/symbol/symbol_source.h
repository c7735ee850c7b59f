#ifndef XPROF_SYMBOL_SYMBOL_SOURCE_H
#define XPROF_SYMBOL_SYMBOL_SOURCE_H

/*
 * The symbols of one object from any source. Each kind of source is in a file of its own, with the functions of
 * struct symbol_source_kind; symbol_table.c calls these and knows no kinds.
 *
 *     symbol_source_file     an ELF file and its debug file
 *     symbol_source_kernel   /proc/kallsyms, System.map, vmlinux, files of modules
 *     symbol_source_jit      perf maps, jitdump files
 *     symbol_source_listed   symbols inside the recording (simpleperf)
 *
 *     source = symbol_source_of_file(&environment, &object);
 *     source->kind->load(source);
 *     entry = source->kind->find(source, address, &map_address);
 *     symbol_source_destroy(source);
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "elf/debug_file.h"
#include "elf/elf_file.h"
#include "symbol/dwarf/source_index.h"
#include "symbol/elf_symbols.h"
#include "symbol/kernel_place.h"
#include "symbol/kernel_source.h"
#include "symbol/object_needs.h"
#include "symbol/symbol_map.h"
#include "symbol/symbol_object.h"
#include "symbol/symbolizer_options.h"

/* Shared by all sources of a symbolizer. */
struct symbol_environment {
	const struct symbolizer_options *options;
	const struct debug_file_search *search;
	struct kernel_source *kernel;  /* the lists of the kernel's symbols */
	symbol_map_demangle *demangle; /* any thread may call it */
	void *demangle_context;
};

struct archived_object;
struct symbol_source;

struct symbol_source_kind {
	/* Reads the symbols. Called once. */
	void (*load)(struct symbol_source *source);
	/*
	 * Finds the symbol that covers an address of the object; *map_address is that address in the symbol's map. May
	 * read more symbols. Returns NULL if there is none.
	 */
	struct symbol_map_entry *(*find)(struct symbol_source *source, uint64_t address,
					 uint64_t *map_address);
	/* Opens the object's ELF file for source lines, if it is not open yet. NULL: `elf` is the only file. */
	void (*open_elf)(struct symbol_source *source);
	/*
	 * As symbol_table_find_source(), for sources with lines of their own; NULL: lines come from the debug
	 * information of `elf`.
	 */
	size_t (*find_line)(struct symbol_source *source, uint64_t address,
			    const struct source_frame **frames);
	/* Frees the members that this kind has in addition to those below. */
	void (*fini)(struct symbol_source *source);
};

/* The first member of every kind's own struct. */
struct symbol_source {
	const struct symbol_source_kind *kind;
	const struct symbol_environment *environment;
	const struct symbol_object *object;
	const uint64_t *wanted;     /* addresses that will be looked up; borrowed, set before load() */
	size_t wanted_count;        /* 0: any addresses */
	struct elf_symbols *elf;    /* the object's ELF file; NULL: not open */
	struct kernel_place *place; /* for the kernel and its modules: addresses of the code of `elf` */
	bool is_named_by_elf;       /* the symbols come from `elf` */
	enum object_form form;      /* the form in which an archive stores the names */
	char *origin;               /* the file from which the names come; NULL: there are no names */
	struct error why;           /* if origin is NULL, the reason */
};

/* Never NULL. environment and object must outlive the source. */
struct symbol_source *symbol_source_of_file(const struct symbol_environment *environment,
					    const struct symbol_object *object);
struct symbol_source *symbol_source_of_kernel(const struct symbol_environment *environment,
					      const struct symbol_object *object);
struct symbol_source *symbol_source_of_perf_map(const struct symbol_environment *environment,
						const struct symbol_object *object);
struct symbol_source *symbol_source_of_jitdump(const struct symbol_environment *environment,
					       const struct symbol_object *object);
/* The names in an archive for an object that is not a file. */
struct symbol_source *symbol_source_of_archive(const struct symbol_environment *environment,
					       const struct symbol_object *object,
					       const struct archived_object *archived);
/* Returns NULL if the recording has no symbols for the object. */
struct symbol_source *symbol_source_of_list(const struct symbol_environment *environment,
					    const struct symbol_object *object);
void symbol_source_destroy(struct symbol_source *source);

/*
 * The demangler for the names of an object; NULL: names are not demangled, as for the kernel (perf's default; only
 * Rust drivers have mangled names).
 */
symbol_map_demangle *symbol_source_demangle(const struct symbol_environment *environment,
					    const struct symbol_object *object);

/*
 * Converts an address in the object's map space to a vaddr of its ELF file. Returns 0, or -1 if there is
 * none.
 */
int symbol_source_vaddr(const struct symbol_source *source, uint64_t address, uint64_t *vaddr);

/* For use by the kinds: reads the symbols of `elf` into the source; sets `why` if there are none. */
void symbol_source_read_elf(struct symbol_source *source, enum symbol_map_overlap overlap);
struct symbol_map_entry *symbol_source_find_in_elf(struct symbol_source *source, uint64_t address,
						   uint64_t *map_address);
/* Copies the text. */
void symbol_source_set_origin(struct symbol_source *source, const char *origin);

#endif
