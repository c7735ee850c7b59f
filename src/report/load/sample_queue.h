#ifndef XPROF_REPORT_LOAD_SAMPLE_QUEUE_H
#define XPROF_REPORT_LOAD_SAMPLE_QUEUE_H

/*
 * Holds samples until everything that happened before them is known.
 *
 * Rings are drained one after the other, a round is one pass over all of them:
 *
 *   ring 0   ──1──4──┬──6──9──┬──        A record of a round is later than
 *   ring 1   ──2──3──┼──5──7──┼──12      every record of the round before the
 *           round 1  │ round 2 │         last: when round 2 is finished, nothing
 *                    FINISHED_ROUND      earlier than 4 can come any more.
 *
 * They leave in file order, not in order of time: the process table is indexed
 * by time, so that samples need not be sorted.
 *
 * Of files without rounds, and of rounds that are larger than any machine's rings,
 * the earlier half leaves when there are too many.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "format/event.h"

struct sample_queue;

struct queued_sample {
	struct event event;
	uint64_t time_ns;
	size_t file_event; /* number in the perf_file */
};

/* stable: the bytes of events outlive the queue and need not be copied. */
struct sample_queue *sample_queue_create(bool stable);
void sample_queue_destroy(struct sample_queue *queue);

/* After sample_queue_next() has given NULL. True: the queue is full, and some may leave. */
bool sample_queue_add(struct sample_queue *queue, const struct queued_sample *sample);

/* A round is finished: samples up to the latest time of the round before it may leave. */
void sample_queue_finish_round(struct sample_queue *queue);

/* All may leave. */
void sample_queue_finish(struct sample_queue *queue);

/*
 * The next that may leave, valid until the next call, or NULL: more has to be read. The bytes of its event stay until
 * another function but sample_queue_finish() is called.
 */
const struct queued_sample *sample_queue_next(struct sample_queue *queue);

/* The time up to which samples have left. */
uint64_t sample_queue_taken_ns(const struct sample_queue *queue);

#endif
