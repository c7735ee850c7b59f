#ifndef XPROF_RECORD_COMM_FILTER_H
#define XPROF_RECORD_COMM_FILTER_H

/*
 * --filter-comm: accepts samples of threads that had one of these names at the time of the sample. A thread gets its name by fork
 * (its parent's), exec, or prctl(PR_SET_NAME).
 *
 * Rings are read one after the other, so records are not in order of time. Each name is kept with its time
 * until no earlier sample can come any more. In each round:
 *
 *	comm_filter_note() for all state records so far;  comm_filter_accepts() for each sample;  comm_filter_end_round()
 */

#include <linux/perf_event.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "format/event.h"

struct comm_filter;

/* `names`: "make,cc1". `attr` gives the layout of the sample_id trailer of state records; it is not kept. */
struct comm_filter *comm_filter_create(const char *names, const struct perf_event_attr *attr);
void comm_filter_destroy(struct comm_filter *filter);

/*
 * Notes the COMM, FORK and EXIT records among `size` bytes of whole records, in any order; others are
 * skipped.
 */
void comm_filter_note(struct comm_filter *filter, const uint8_t *records, size_t size);
/* Notes one decoded COMM, FORK or EXIT record. */
void comm_filter_apply(struct comm_filter *filter, const struct event *event, uint64_t time_ns);

/* Did the thread have one of the names then? False also if no record named the thread. */
bool comm_filter_accepts(const struct comm_filter *filter, uint32_t tid, uint64_t time_ns);

/*
 * Call it after the last sample of a round: samples of the next round are later than all records noted before
 * this round.
 */
void comm_filter_end_round(struct comm_filter *filter);

/* The number of threads that are kept, for tests. */
size_t comm_filter_thread_count(const struct comm_filter *filter);

#endif
