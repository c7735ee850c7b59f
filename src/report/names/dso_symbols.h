#ifndef XPROF_REPORT_NAMES_DSO_SYMBOLS_H
#define XPROF_REPORT_NAMES_DSO_SYMBOLS_H

/*
 * Finds the symbol table of a DSO. The symbolizer knows files, not processes; this connects the two. All
 * look-ups of names and code go through here, so that a DSO has the same table everywhere.
 */

#include <stdbool.h>

#include "process/dso.h"
#include "symbol/symbolizer.h"

/*
 * Describes a DSO to the symbolizer; texts are borrowed from the DSO. Returns false if its contents cannot be
 * known.
 */
bool dso_symbols_object(const struct dso *dso, struct symbol_object *object);

/* The symbol table of a DSO; NULL if its contents cannot be known. */
struct symbol_table *dso_symbols_table(struct symbolizer *symbolizer, const struct dso *dso);

#endif
