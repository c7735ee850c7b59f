#ifndef XPROF_REPORT_DUMP_RECORD_LISTS_H
#define XPROF_REPORT_DUMP_RECORD_LISTS_H

/*
 * Lists that perf report prints instead of the table: the number of records of each type (--stats), the tasks
 * with their parents (--tasks), and the mappings that they had at the end (--mmaps).
 */

#include "base/error.h"
#include "base/strbuf.h"
#include "format/perf_file.h"

enum record_list {
	RECORD_LIST_STATS,
	RECORD_LIST_TASKS,
	RECORD_LIST_MMAPS, /* the tasks, each with its mappings of code */
};

/* Reads the whole file, from which no record must have been read yet. Returns 0, or -1 with err. */
int record_lists_add(struct strbuf *out, struct perf_file *file, enum record_list list, struct error *err);

#endif
