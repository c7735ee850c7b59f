#ifndef XPROF_SYMBOL_SYMBOL_LISTS_H
#define XPROF_SYMBOL_SYMBOL_LISTS_H

/*
 * Symbols that are stored in a recording, by file: simpleperf writes those of every sampled function. Filled once,
 * then used by one thread at a time.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "symbol/symbol_map.h"

enum symbol_list_kind {
	SYMBOL_LIST_ELF,    /* vaddrs */
	SYMBOL_LIST_MODULE, /* addresses are vaddrs of a relocatable file */
	SYMBOL_LIST_PLAIN, /* addresses are in the map space of struct symbol_object: kernel, DEX files, code made at
			      run time */
};

struct symbol_list_file {
	const char *path; /* not NUL-terminated; copied */
	size_t path_size;
	enum symbol_list_kind kind;
	uint64_t min_vaddr; /* of its executable segments */
	bool has_place;
	uint64_t place; /* location of min_vaddr: its file offset or, for a module, its distance from the load
			   address */
};

struct symbol_lists;
struct symbol_list;

struct symbol_lists *symbol_lists_create(void);
void symbol_lists_destroy(struct symbol_lists *lists);

/* Begins a file: the symbols that are added next belong to it. A file that was added before is ignored. */
void symbol_lists_add_file(struct symbol_lists *lists, const struct symbol_list_file *file);
void symbol_lists_add_symbol(struct symbol_lists *lists, const char *name, size_t name_size, uint64_t vaddr,
			     uint64_t size_bytes);

/* NULL if there are no symbols for the path. */
struct symbol_list *symbol_lists_find(struct symbol_lists *lists, const char *path);

/* The map of a list, sealed at the first call: see symbol_map_seal(). */
struct symbol_map *symbol_list_map(struct symbol_list *list, symbol_map_demangle *demangle, void *context);

/*
 * The difference between an address in the map space of the object and its vaddr. code_start: the file offset
 * of the mapping of code, or the load address of a module.
 */
uint64_t symbol_list_relocation(const struct symbol_list *list, uint64_t code_start);

#endif
