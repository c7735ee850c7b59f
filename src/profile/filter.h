#ifndef XPROF_PROFILE_FILTER_H
#define XPROF_PROFILE_FILTER_H

/*
 * Which samples of a profile a view is to see, in perf's terms. A comm, dso,
 * symbol, pid, tid or cpu filter hides samples but leaves the total as it is
 * (--percentage relative changes that); a time filter is applied before samples
 * enter the profile, so it changes the total too.
 */

#include "profile/profile.h"

struct filter {
	/* Each list NULL-terminated, NULL: everything passes. Compared with the leaf's own names, exactly as perf does. */
	const char *const *comms;
	const char *const *dsos;
	const char *const *symbols;
	const uint32_t *pids;
	size_t pid_count;
	const uint32_t *tids;
	size_t tid_count;
	const uint32_t *cpus;
	size_t cpu_count;
};

bool filter_passes(const struct filter *filter, const struct profile *profile, const struct profile_sample *sample);

#endif
