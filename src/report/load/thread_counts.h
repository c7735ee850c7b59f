#ifndef XPROF_REPORT_LOAD_THREAD_COUNTS_H
#define XPROF_REPORT_LOAD_THREAD_COUNTS_H

/* The counts of each thread when it ended: PERF_RECORD_READ, in recordings with -s. */

#include "base/error.h"
#include "format/perf_file.h"

struct thread_count {
	uint32_t pid, tid;
	size_t file_event;
	uint64_t value; /* summed up over several records of one thread and event */
};

struct thread_counts;

struct thread_counts *thread_counts_create(void);
void thread_counts_destroy(struct thread_counts *counts);
void thread_counts_clear(struct thread_counts *counts);

/* Adds a PERF_RECORD_READ. Returns 0, or -1 if it is damaged or of an unknown event. */
int thread_counts_take(struct thread_counts *counts, const struct perf_file *file, const struct event *event);

/* The counts, in the order of the first record of each thread and event. */
size_t thread_counts_count(const struct thread_counts *counts);
const struct thread_count *thread_counts_at(const struct thread_counts *counts, size_t number);

#endif
