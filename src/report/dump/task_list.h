#ifndef XPROF_REPORT_DUMP_TASK_LIST_H
#define XPROF_REPORT_DUMP_TASK_LIST_H

/*
 * The tasks of a recording, each with its parent and the code that it had mapped at the end: perf report
 * --tasks, --mmaps.
 */

#include "base/error.h"
#include "base/strbuf.h"
#include "format/perf_file.h"

struct task_list;

struct task_list *task_list_create(void);
void task_list_destroy(struct task_list *list);

/*
 * Applies a COMM, FORK, EXIT, MMAP or MMAP2, in the order of the file; ignores others. Returns 0, or -1 with
 * err if it is damaged.
 */
int task_list_apply(struct task_list *list, const struct perf_file *file, const struct event *event,
		    struct error *err);

/* Appends a line for each task, indented below its parent. Call it after the last record. */
void task_list_add(struct strbuf *out, struct task_list *list, bool with_mappings);

#endif
