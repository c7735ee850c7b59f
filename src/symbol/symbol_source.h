#ifndef XPROF_SYMBOL_SYMBOL_SOURCE_H
#define XPROF_SYMBOL_SYMBOL_SOURCE_H

/*
 * The symbols of one object, wherever they come from. Each kind of source is a file of its own with the functions of
 * struct symbol_source_kind; symbol_table.h asks them and knows no kind.
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
	/* Reads the symbols, once. */
	void (*load)(struct symbol_source *source);
	/* The symbol that covers an address of the object, and that address as the symbol's map has it. May read more. */
	struct symbol_map_entry *(*find)(struct symbol_source *source, uint64_t address,
					 uint64_t *map_address);
	/* Opens the object's ELF file, if lines are wanted and it is not open. NULL: there is no other than `elf`. */
	void (*open_elf)(struct symbol_source *source);
	/* As symbol_table_find_source(), where no debug information has the lines; NULL: the source knows none. */
	size_t (*find_line)(struct symbol_source *source, uint64_t address,
			    const struct source_frame **frames);
	/* Frees what this kind has beside the members below. */
	void (*fini)(struct symbol_source *source);
};

/* The first member of every kind's own struct. */
struct symbol_source {
	const struct symbol_source_kind *kind;
	const struct symbol_environment *environment;
	const struct symbol_object *object;
	const uint64_t *wanted;     /* addresses that will be asked for; borrowed, set before loading */
	size_t wanted_count;        /* 0: any may be */
	struct elf_symbols *elf;    /* the object's ELF file; NULL: not open */
	struct kernel_place *place; /* of the kernel and its modules: where the code of `elf` was */
	bool is_named_by_elf;       /* the symbols are those of `elf` */
	enum object_form form;      /* the form in which an archive keeps the names that were found */
	char *origin;               /* the file that the names come from; NULL: there are none */
	struct error why;           /* then: for this reason */
};

/* Never NULL; environment and object outlive them. Opening an object's file needs no thread of its own. */
struct symbol_source *symbol_source_of_file(const struct symbol_environment *environment,
					    const struct symbol_object *object);
struct symbol_source *symbol_source_of_kernel(const struct symbol_environment *environment,
					      const struct symbol_object *object);
struct symbol_source *symbol_source_of_perf_map(const struct symbol_environment *environment,
						const struct symbol_object *object);
struct symbol_source *symbol_source_of_jitdump(const struct symbol_environment *environment,
					       const struct symbol_object *object);
/* The names that an archive kept of an object that is no file. */
struct symbol_source *symbol_source_of_archive(const struct symbol_environment *environment,
					       const struct symbol_object *object,
					       const struct archived_object *archived);
/* NULL: the recording lists no symbols for the object. */
struct symbol_source *symbol_source_of_list(const struct symbol_environment *environment,
					    const struct symbol_object *object);
void symbol_source_destroy(struct symbol_source *source);

/* NULL: names stay as they are. Those of the kernel do: perf's default, and only Rust drivers have mangled ones. */
symbol_map_demangle *symbol_source_demangle(const struct symbol_environment *environment,
					    const struct symbol_object *object);

/* From the object's map space to the vaddr in its ELF file; 0, or -1. */
int symbol_source_vaddr(const struct symbol_source *source, uint64_t address, uint64_t *vaddr);

/* For the kinds: the symbols of `elf` become those of the source; `why` says what is missing. */
void symbol_source_read_elf(struct symbol_source *source, enum symbol_map_overlap overlap);
struct symbol_map_entry *symbol_source_find_in_elf(struct symbol_source *source, uint64_t address,
						   uint64_t *map_address);
/* Copies the text. */
void symbol_source_set_origin(struct symbol_source *source, const char *origin);

#endif
