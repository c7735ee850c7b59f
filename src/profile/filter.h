#ifndef XPROF_PROFILE_FILTER_H
#define XPROF_PROFILE_FILTER_H

/*
 * Selects the samples of a profile for a view, in perf report's terms. There are two kinds of filters. Those by CPU,
 * taken_stacks and named_only remove samples from rows and totals. (So does a time filter, which is applied before samples
 * enter the profile.) All others hide samples: they are in no row, but stay in the total to which percentages refer, unless
 * the user asks for relative percentages.
 */

#include "profile/profile.h"

struct filter {
	/* Each list is NULL-terminated; NULL: no filter. Compared with the names of the leaf, exactly, as in perf. */
	const char *const *comms;
	const char *const *dsos;    /* short name or whole path */
	const char *const *symbols; /* or the function's start as "0x…" */
	const char *const *cgroups; /* paths */
	const bool *stacks;         /* by node of the profile's stacks: stacks that end at a true one pass;
				     NULL: all */
	const bool *taken_stacks;   /* likewise: samples that end at a true one are removed; NULL: none */
	bool named_only;            /* removes samples whose leaf has no function */
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

/* Is the sample shown? If so, it is part of the total, too. */
bool filter_passes(const struct filter *filter, const struct profile *profile,
		   const struct profile_sample *sample);

#endif
