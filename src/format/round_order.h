#ifndef XPROF_FORMAT_ROUND_ORDER_H
#define XPROF_FORMAT_ROUND_ORDER_H

/*
 * Records in order of time, as perf delivers them.
 *
 * A recorder drains the rings of all CPUs one after the other and then writes
 * FINISHED_ROUND. Each ring is in order of time; the file is not:
 *
 *            round 1                 round 2                 round 3
 *   cpu 0    1 2 5         │         6 7           │         11
 *   cpu 1        3 4 8     │             9 10      │            12
 *   file     1 2 5 3 4 8   R1        6 7 9 10      R2        11 12   R3   end
 *
 * While round 1 drained cpu 1, cpu 0 went on: 6 and 7 are older than 8, which
 * came a round earlier. But whatever a ring got before the pass began was taken
 * by it, so nothing of round 3 is older than 8, the latest record of round 1:
 * a round tells that what is up to the latest time of the round before it is complete.
 *
 *   at       R1       R2                  R3            end
 *   ready    -        1 2 3 4 5 6 7 8     9 10          11 12
 *
 * Records of one time leave in the order in which they came. A record that is
 * older than what has left already (a recorder that broke the promise) leaves
 * first of all that are ready next, and is counted.
 *
 * Files without rounds are held up to a limit of bytes; then the older half
 * leaves, so that memory is bounded whatever a file lacks.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "format/event.h"

struct round_order;

enum {
	ROUND_ORDER_LIMIT_BYTES = 256 * 1024 * 1024, /* some times what the rings of a large machine hold */
	/* While no round has finished: half a million plain samples, which are out of order by milliseconds. */
	ROUND_ORDER_ROUNDLESS_BYTES = 32 * 1024 * 1024,
};

/* stable: events' bytes outlive the order (perf_file_is_stable()); otherwise they are copied. */
struct round_order *round_order_create(bool stable, size_t limit_bytes);
void round_order_destroy(struct round_order *order);

void round_order_add(struct round_order *order, const struct event *event, uint64_t time_ns);
void round_order_finish_round(struct round_order *order);
void round_order_finish(struct round_order *order); /* all that is left is ready */

/*
 * The next that is ready: 1, or 0 when more of the file has to be read. Its bytes are valid until the next call of
 * anything here.
 */
int round_order_next(struct round_order *order, struct event *event, uint64_t *time_ns);

/* How many left late, and how many times the limit was reached. */
uint64_t round_order_late_count(const struct round_order *order);
uint64_t round_order_overflow_count(const struct round_order *order);

#endif
