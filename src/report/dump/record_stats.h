#ifndef XPROF_REPORT_DUMP_RECORD_STATS_H
#define XPROF_REPORT_DUMP_RECORD_STATS_H

/* Counts records by type and samples by event: perf report --stats. */

#include "base/strbuf.h"
#include "format/perf_file.h"

struct record_stats;

struct record_stats *record_stats_create(void);
void record_stats_destroy(struct record_stats *stats);

void record_stats_count(struct record_stats *stats, const struct perf_file *file, const struct event *event);

/* Appends the lines. Call it after the last record. */
void record_stats_add(struct strbuf *out, const struct record_stats *stats, const struct perf_file *file);

#endif
