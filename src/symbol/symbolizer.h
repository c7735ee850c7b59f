#ifndef XPROF_SYMBOL_SYMBOLIZER_H
#define XPROF_SYMBOL_SYMBOLIZER_H

/*
 * Finds function names by (object, address); has one symbol table for each object. Not thread-safe, but see
 * symbol_table_group().
 *
 *     struct symbol_table *table = symbolizer_table(symbolizer, &object);
 *
 *     if (symbol_table_find(table, address, &symbol) == 1)
 *             printf("%s\n", symbol.name);
 */

#include "symbol/symbol_lists.h"
#include "symbol/symbol_table.h"
#include "symbol/symbolizer_options.h"

struct symbolizer;

/* Takes ownership of options->lists. */
struct symbolizer *symbolizer_create(const struct symbolizer_options *options);
void symbolizer_destroy(struct symbolizer *symbolizer);

/* The places where it looks for files; texts live as long as the symbolizer. */
const struct debug_file_search *symbolizer_search(const struct symbolizer *symbolizer);
/* The symfs of its options; "" for none. */
const char *symbolizer_symfs(const struct symbolizer *symbolizer);
/* The archive in which everything is looked up; NULL if there is none. */
const struct symbol_archive *symbolizer_archive(const struct symbolizer *symbolizer);

/*
 * Never NULL. Equal objects (by build-id, else path) have the same table. Nothing is read before the first
 * symbol_table_find(). Call it for the kernel before its modules: the kernel's address decides whether
 * modules are still at their recorded addresses.
 */
struct symbol_table *symbolizer_table(struct symbolizer *symbolizer, const struct symbol_object *object);

#endif
