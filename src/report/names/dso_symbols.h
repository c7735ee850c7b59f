#ifndef XPROF_REPORT_NAMES_DSO_SYMBOLS_H
#define XPROF_REPORT_NAMES_DSO_SYMBOLS_H

/*
 * Where the symbolizer, which knows nothing of processes, finds the functions of what processes have mapped. All who
 * ask for names or for code ask through here, so that they get the same table for the same DSO.
 */

#include <stdbool.h>

#include "process/dso.h"
#include "symbol/symbolizer.h"

/* Describes a DSO to the symbolizer; texts are the DSO's. False: its contents cannot be known. */
bool dso_symbols_object(const struct dso *dso, struct symbol_object *object);

/* The symbol table that a DSO's functions are looked up in; NULL: nothing can be known about what is in it. */
struct symbol_table *dso_symbols_table(struct symbolizer *symbolizer, const struct dso *dso);

#endif
