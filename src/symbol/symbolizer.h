#ifndef XPROF_SYMBOL_SYMBOLIZER_H
#define XPROF_SYMBOL_SYMBOLIZER_H

/*
 * From (object, address) to a function name: one symbol table for each object, keyed by what it is. One thread at a
 * time; but see symbol_table_group().
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

/* Takes over options->lists. */
struct symbolizer *symbolizer_create(const struct symbolizer_options *options);
void symbolizer_destroy(struct symbolizer *symbolizer);

/* Where it looks for files; texts live as long as the symbolizer. */
const struct debug_file_search *symbolizer_search(const struct symbolizer *symbolizer);
/* Of its options; "" for none. */
const char *symbolizer_symfs(const struct symbolizer *symbolizer);
/* The archive that everything is looked up in; NULL: there is none. */
const struct symbol_archive *symbolizer_archive(const struct symbolizer *symbolizer);

/*
 * Never NULL. Equal objects (by build-id, else path) give the same table.
 * Nothing is read before the first symbol_table_find(). The kernel's own object
 * comes before those of its modules: where it was decides whether they are
 * still where they were.
 */
struct symbol_table *symbolizer_table(struct symbolizer *symbolizer, const struct symbol_object *object);

#endif
