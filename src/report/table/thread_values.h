#ifndef XPROF_REPORT_TABLE_THREAD_VALUES_H
#define XPROF_REPORT_TABLE_THREAD_VALUES_H

/* The counters of each thread, below the table: report -T. */

#include "base/strbuf.h"
#include "profile/profile_facts.h"
#include "report/load/thread_counts.h"

/* A row a thread, a column an event; `raw`: a row for each of both. As perf prints them. */
void thread_values_add(struct strbuf *out, const struct thread_counts *counts,
		       const struct profile_facts *facts, bool raw);

#endif
