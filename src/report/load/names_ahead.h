#ifndef XPROF_REPORT_LOAD_NAMES_AHEAD_H
#define XPROF_REPORT_LOAD_NAMES_AHEAD_H

/*
 * Preloads symbol files in a background thread while samples are still being unwound: the file of each DSO,
 * when a stack leads there for the first time, and the kernel's symbol list, which takes the kernel as long
 * to write as thousands of samples take. Symbols are read later, when the addresses are known.
 *
 * The thread starts with the first request; from creation to the end the symbolizer belongs to it.
 */

#include "process/dso.h"
#include "symbol/symbolizer.h"

struct names_ahead;

struct names_ahead *names_ahead_create(struct symbolizer *symbolizer);

/*
 * Its table will be needed. Cheap, and nothing from the second time on; nothing for NULL, too. Where there can be no
 * thread, tables are read when they are asked for, as ever.
 */
void names_ahead_want(struct names_ahead *ahead, const struct dso *dso);

/* Waits for what is wanted, if `all`, else for the one that is being read. NULL is nothing. */
void names_ahead_destroy(struct names_ahead *ahead, bool all);

#endif
