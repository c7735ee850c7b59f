#ifndef XPROF_RECORD_COMM_FILTER_H
#define XPROF_RECORD_COMM_FILTER_H

/*
 * --filter-comm: which samples are of threads with one of these names, at the time of the sample. A thread gets its name by fork
 * (its parent's), exec, or prctl(PR_SET_NAME).
 *
 * Rings are read one behind the other, so records come in no order of time. Each name is kept with its time until no sample of
 * before can come any more:
 *
 *	comm_filter_note() all state records that are there;  comm_filter_accepts() for each sample;  comm_filter_end_round()
 */

#include <linux/perf_event.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "format/event.h"

struct comm_filter;

/* `names`: "make,cc1". `attr` tells what stands behind state records (sample_id_all); it is not kept. */
struct comm_filter *comm_filter_create(const char *names, const struct perf_event_attr *attr);
void comm_filter_destroy(struct comm_filter *filter);

/* Whole records: COMM, FORK and EXIT among them, in any order; others are skipped. */
void comm_filter_note(struct comm_filter *filter, const uint8_t *records, size_t size);
/* One of these, of that time. */
void comm_filter_apply(struct comm_filter *filter, const struct event *event, uint64_t time_ns);

/* False, too, for a thread that no record named. */
bool comm_filter_accepts(const struct comm_filter *filter, uint32_t tid, uint64_t time_ns);

/* All samples of the round have been asked about: those of the next are later than what was noted before this round. */
void comm_filter_end_round(struct comm_filter *filter);

/* For tests: the threads that are kept. */
size_t comm_filter_thread_count(const struct comm_filter *filter);

#endif
