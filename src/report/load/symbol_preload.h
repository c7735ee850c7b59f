#ifndef XPROF_REPORT_LOAD_SYMBOL_PRELOAD_H
#define XPROF_REPORT_LOAD_SYMBOL_PRELOAD_H

/*
 * Preloads symbol files in a background thread while samples are still being unwound: the file of each DSO,
 * when a stack leads there for the first time, and the kernel's symbol list, which takes the kernel as long
 * to write as thousands of samples take. Symbols are read later, when the addresses are known.
 *
 * The thread starts with the first request; from creation to the end the symbolizer belongs to it.
 */

#include "process/dso.h"
#include "symbol/symbolizer.h"

struct symbol_preload;

struct symbol_preload *symbol_preload_create(struct symbolizer *symbolizer);

/*
 * Its table will be needed. Cheap, and nothing from the second time on; nothing for NULL, too. Where there can be no
 * thread, tables are read when they are asked for, as ever.
 */
void symbol_preload_want(struct symbol_preload *preload, const struct dso *dso);

/* Waits for what is wanted, if `all`, else for the one that is being read. NULL is nothing. */
void symbol_preload_destroy(struct symbol_preload *preload, bool all);

#endif
