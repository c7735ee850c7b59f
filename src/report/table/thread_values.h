#ifndef XPROF_REPORT_TABLE_THREAD_VALUES_H
#define XPROF_REPORT_TABLE_THREAD_VALUES_H

/* The counts of each thread, printed below the table: report -T. */

#include "base/strbuf.h"
#include "profile/profile_facts.h"
#include "report/load/thread_counts.h"

/*
 * Appends a row per thread with a column per event or, with `raw`, a row per thread and event, as perf does.
 */
void thread_values_add(struct strbuf *out, const struct thread_counts *counts,
		       const struct profile_facts *facts, bool raw);

#endif
