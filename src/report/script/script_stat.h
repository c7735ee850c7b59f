#ifndef XPROF_REPORT_SCRIPT_SCRIPT_STAT_H
#define XPROF_REPORT_SCRIPT_SCRIPT_STAT_H

/*
 * Writes the counts of perf stat record as perf script does: a line for each event, thread and CPU at the end
 * of each round of counting (STAT_ROUND).
 */

#include "base/strbuf.h"
#include "format/perf_file.h"

struct script_stat;

struct script_stat *script_stat_create(void);
void script_stat_destroy(struct script_stat *stat);

/*
 * Takes THREAD_MAP, CPU_MAP, STAT_CONFIG, STAT and STAT_ROUND; ignores others. Returns 0, or -1 if the record
 * is damaged.
 */
int script_stat_take(struct script_stat *stat, const struct perf_file *file, const struct event *event,
		     struct strbuf *out);

#endif
