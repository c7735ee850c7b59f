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
 * They leave in file order, not in order of time: the process table is indexed by time, so that samples need
 * not be sorted.
 *
 * Files without rounds, and rounds larger than the rings of any machine, would need unbounded memory: if too
 * many samples wait, the earlier half leaves.
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

/* `stable`: the bytes of events outlive the queue, so they are not copied. */
struct sample_queue *sample_queue_create(bool stable);
void sample_queue_destroy(struct sample_queue *queue);

/*
 * Call it only after sample_queue_next() has returned NULL. Returns true if the queue is full, so that some
 * samples may leave.
 */
bool sample_queue_add(struct sample_queue *queue, const struct queued_sample *sample);

/* Call it at FINISHED_ROUND: samples up to the latest time of the previous round may leave. */
void sample_queue_finish_round(struct sample_queue *queue);

/* Lets all samples leave, at the end of the file. */
void sample_queue_finish(struct sample_queue *queue);

/*
 * Returns the next sample that may leave, valid until the next call, or NULL if more has to be read first.
 * The bytes of its event stay until sample_queue_add() or sample_queue_finish_round() is called.
 */
const struct queued_sample *sample_queue_next(struct sample_queue *queue);

/* The time up to which samples have left. */
uint64_t sample_queue_taken_ns(const struct sample_queue *queue);

#endif
