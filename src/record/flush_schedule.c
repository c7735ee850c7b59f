/*
 * A recorder that wakes up for another reason looks at any time. So the time of the next flush depends on both last times: if it
 * depended on the last flush alone, the recorder would wake up, not look yet, and wake up again at once.
 */
#include "record/flush_schedule.h"

bool flush_schedule_look(struct flush_schedule *schedule, uint64_t now_ns)
{
	if (now_ns - schedule->looked_ns < FLUSH_LOOK_NS)
		return false;
	schedule->looked_ns = now_ns;
	return true;
}

bool flush_schedule_flush(struct flush_schedule *schedule, bool may_wait, uint64_t now_ns)
{
	if (may_wait && now_ns - schedule->flushed_ns < FLUSH_WAIT_NS)
		return false;
	schedule->flushed_ns = now_ns;
	return true;
}

uint64_t flush_schedule_next_ns(const struct flush_schedule *schedule)
{
	const uint64_t look_ns = schedule->looked_ns + FLUSH_LOOK_NS;
	const uint64_t flush_ns = schedule->flushed_ns + FLUSH_WAIT_NS;

	return look_ns > flush_ns ? look_ns : flush_ns;
}
