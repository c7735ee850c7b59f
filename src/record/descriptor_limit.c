/*
 * Raises the soft limit, and the hard limit, too, if it is in the way and the user may change it
 * (CAP_SYS_RESOURCE).
 */
#include "record/descriptor_limit.h"

#include <sys/resource.h>

enum { SPARE_DESCRIPTORS = 64 }; /* for files and sockets other than events */

static size_t events_within(const struct rlimit *limit)
{
	return limit->rlim_cur > SPARE_DESCRIPTORS ? (size_t)limit->rlim_cur - SPARE_DESCRIPTORS : 0;
}

size_t descriptor_limit_raise(size_t events)
{
	struct rlimit limit;

	if (getrlimit(RLIMIT_NOFILE, &limit) < 0)
		return events;
	if (events_within(&limit) >= events)
		return events_within(&limit);
	limit.rlim_cur = events + SPARE_DESCRIPTORS;
	if (limit.rlim_max < limit.rlim_cur) {
		struct rlimit raised = { .rlim_cur = limit.rlim_cur, .rlim_max = limit.rlim_cur };

		if (setrlimit(RLIMIT_NOFILE, &raised) == 0)
			return events;
		limit.rlim_cur = limit.rlim_max;
	}
	(void)setrlimit(RLIMIT_NOFILE, &limit);
	(void)getrlimit(RLIMIT_NOFILE, &limit);
	return events_within(&limit);
}
