#ifndef XPROF_RECORD_FLUSH_SCHEDULE_H
#define XPROF_RECORD_FLUSH_SCHEDULE_H

/*
 * When a recorder looks whether to flush, and when it does: it looks four times a second at most. Records that are compressed wait
 * up to two seconds unless there are many: small blocks compress badly, and a recorder that wakes up finds its caches cold.
 */

#include <stdbool.h>
#include <stdint.h>

struct flush_schedule {
	uint64_t looked_ns, flushed_ns; /* the last times; both are the beginning at first */
};

enum { FLUSH_LOOK_NS = 250 * 1000 * 1000, FLUSH_WAIT_NS = 2000 * 1000 * 1000 };

/* Is it time to look? If so, notes that the recorder looked. */
bool flush_schedule_look(struct flush_schedule *schedule, uint64_t now_ns);

/* The recorder looks: is a flush due? `may_wait`: the records are few and will be compressed. If so, notes the flush. */
bool flush_schedule_flush(struct flush_schedule *schedule, bool may_wait, uint64_t now_ns);

/* The first time at which the recorder looks and flushes records that may wait. Until then it need not wake up. */
uint64_t flush_schedule_next_ns(const struct flush_schedule *schedule);

#endif
