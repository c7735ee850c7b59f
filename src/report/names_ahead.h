#ifndef XPROF_REPORT_NAMES_AHEAD_H
#define XPROF_REPORT_NAMES_AHEAD_H

/*
 * Symbol tables are read by a thread of their own while samples are still being
 * unwound: of each DSO that a stack leads to, when it does so for the first time.
 * Reading them takes as long as the samples of a recording of ten seconds do.
 *
 * From creation to the end the symbolizer belongs to the thread, which there is from the first wish on.
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

/* Waits for the tables that are wanted, if `all`, else for the one that is being read. NULL is nothing. */
void names_ahead_destroy(struct names_ahead *ahead, bool all);

#endif
