#ifndef XPROF_REPORT_LOAD_NAMES_AHEAD_H
#define XPROF_REPORT_LOAD_NAMES_AHEAD_H

/*
 * Where symbols come from is opened by a thread of its own while samples are still being unwound: the file of each DSO
 * that a stack leads to, when it does so for the first time, and the kernel's list, which takes the kernel as long to
 * write down as thousands of samples take. What is in a file is read when it is known what will be asked.
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

/* Waits for what is wanted, if `all`, else for the one that is being read. NULL is nothing. */
void names_ahead_destroy(struct names_ahead *ahead, bool all);

#endif
