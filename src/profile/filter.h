#ifndef XPROF_PROFILE_FILTER_H
#define XPROF_PROFILE_FILTER_H

/*
 * Selects the samples of a profile for a view, in perf report's terms. There are two kinds. Those by CPU,
 * by taken_stacks and by named_only take samples away: they are in no row and in no total. (So does a time filter, which is
 * applied before samples enter the profile.) All others hide samples: they are in no row, but stay in the
 * total that shares refer to, unless the user asks for relative shares.
 */

#include "profile/profile.h"

struct filter {
	/* Each list NULL-terminated, NULL: everything passes. Compared with the leaf's own names, exactly as perf does. */
	const char *const *comms;
	const char *const *dsos;    /* short name or whole path */
	const char *const *symbols; /* or "0x" and the function's start, in hexadecimal */
	const char *const *cgroups; /* paths */
	const bool *stacks;       /* by node of the profile's stacks: those that end there pass; NULL: all */
	const bool *taken_stacks; /* by node likewise: samples that end there are taken away; NULL: none */
	bool named_only;          /* takes samples away whose leaf has no function */
	const uint32_t *pids;
	size_t pid_count;
	const uint32_t *tids;
	size_t tid_count;
	const uint32_t *cpus;
	size_t cpu_count;
};

/* Is the sample part of the total? */
bool filter_counts(const struct filter *filter, const struct profile *profile,
		   const struct profile_sample *sample);

/* Is it shown? Then it is part of the total, too. */
bool filter_passes(const struct filter *filter, const struct profile *profile,
		   const struct profile_sample *sample);

#endif
