#ifndef XPROF_SYMBOL_SYMBOL_LISTS_H
#define XPROF_SYMBOL_SYMBOL_LISTS_H

/*
 * Symbols that a recording brings with it, file by file: simpleperf writes those of every function that it has met.
 * Filled once, then asked by one thread at a time.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "symbol/symbol_map.h"

enum symbol_list_kind {
	SYMBOL_LIST_ELF,    /* vaddrs */
	SYMBOL_LIST_MODULE, /* vaddrs of a relocatable file */
	SYMBOL_LIST_PLAIN, /* as in the map space of struct symbol_object: kernel, DEX files, code made at run time */
};

struct symbol_list_file {
	const char *path; /* not terminated; copied */
	size_t path_size;
	enum symbol_list_kind kind;
	uint64_t min_vaddr; /* of its executable segments */
	bool has_place;
	uint64_t place; /* of min_vaddr: file offset; of a module the distance from where it was loaded to */
};

struct symbol_lists;
struct symbol_list;

struct symbol_lists *symbol_lists_create(void);
void symbol_lists_destroy(struct symbol_lists *lists);

/* Symbols that are added from now on are those of this file. A file that is added again is passed over. */
void symbol_lists_add_file(struct symbol_lists *lists, const struct symbol_list_file *file);
void symbol_lists_add_symbol(struct symbol_lists *lists, const char *name, size_t name_size, uint64_t vaddr,
			     uint64_t size_bytes);

/* NULL when nothing is listed for the path. */
struct symbol_list *symbol_lists_find(struct symbol_lists *lists, const char *path);

/* Sealed at the first call. As symbol_map_seal(). */
struct symbol_map *symbol_list_map(struct symbol_list *list, symbol_map_demangle *demangle, void *context);

/*
 * The difference between an address in the map space of the object and its vaddr. code_start: the file offset
 * of the mapping of code, or the load address of a module.
 */
uint64_t symbol_list_relocation(const struct symbol_list *list, uint64_t code_start);

#endif
