#ifndef XPROF_REPORT_DUMP_RECORD_LISTS_H
#define XPROF_REPORT_DUMP_RECORD_LISTS_H

/*
 * Lists of what a recording holds besides samples, as perf report prints them instead of the table: how many records of
 * each type (--stats), the tasks and who began whom (--tasks), and what they had mapped in the end (--mmaps).
 */

#include "base/error.h"
#include "base/strbuf.h"
#include "format/perf_file.h"

enum record_list {
	RECORD_LIST_STATS,
	RECORD_LIST_TASKS,
	RECORD_LIST_MMAPS, /* the tasks, each with its mappings of code */
};

/* Reads all of the file, which has not been read yet. */
int record_lists_add(struct strbuf *out, struct perf_file *file, enum record_list list, struct error *err);

#endif
