#ifndef XPROF_FORMAT_ROUND_ORDER_H
#define XPROF_FORMAT_ROUND_ORDER_H

/*
 * Puts records in order of time, as perf does.
 *
 * A recorder drains the rings of all CPUs one after the other and then writes FINISHED_ROUND. Each ring is in
 * order of time; the file is not:
 *
 *            round 1                 round 2                 round 3
 *   cpu 0    1 2 5         │         6 7           │         11
 *   cpu 1        3 4 8     │             9 10      │            12
 *   file     1 2 5 3 4 8   R1        6 7 9 10      R2        11 12   R3   end
 *
 * While round 1 drained cpu 1, cpu 0 went on: 6 and 7 are older than 8, which came a round earlier. But a
 * pass drains everything that was in the rings when it began, so round 3 has nothing older than 8, the latest
 * record of round 1. So the end of a round completes everything up to the latest time of the round before it.
 *
 *   at       R1       R2                  R3            end
 *   ready    -        1 2 3 4 5 6 7 8     9 10          11 12
 *
 * Records with equal times keep their order. A record that is older than one that was returned already (the
 * recorder broke the rule) is returned first of the next ready ones, and counted as late.
 *
 * If a file has no rounds, records are held up to a limit of bytes; then the older half is returned, so that
 * memory is bounded.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "format/event.h"

struct round_order;

enum {
	/* several times the size of the rings of a large machine */
	ROUND_ORDER_LIMIT_BYTES = 256 * 1024 * 1024,
	/*
	 * The limit as long as no round has finished: half a million plain samples, which are out of order by
	 * milliseconds.
	 */
	ROUND_ORDER_ROUNDLESS_BYTES = 32 * 1024 * 1024,
};

/* stable: the bytes of events outlive the round_order (perf_file_is_stable()); otherwise they are copied. */
struct round_order *round_order_create(bool stable, size_t limit_bytes);
void round_order_destroy(struct round_order *order);

void round_order_add(struct round_order *order, const struct event *event, uint64_t time_ns);
void round_order_finish_round(struct round_order *order);
void round_order_finish(struct round_order *order); /* makes all remaining records ready */

/*
 * Takes the next ready record. Returns 1, or 0 if more of the file has to be read first. The event's bytes are
 * valid until the next call of any function here.
 */
int round_order_next(struct round_order *order, struct event *event, uint64_t *time_ns);

/* The number of late records, and how many times the limit was reached. */
uint64_t round_order_late_count(const struct round_order *order);
uint64_t round_order_overflow_count(const struct round_order *order);

#endif
