#ifndef XPROF_REPORT_DIFF_WAYS_SUMMARY_H
#define XPROF_REPORT_DIFF_WAYS_SUMMARY_H

/* The groups of unwind_ways.h added up by name: in all, by command, by DSO, by function. */

#include "report/diff/unwind_ways.h"

/* Chains that end where threads begin agree, though start-up code is missing from them. */
struct ways_sums {
	uint64_t samples;
	uint64_t by_fault[CHAIN_FAULTS]; /* samples by their first fault */
	uint64_t frames, missing, wrong;
};

struct ways_row {
	char *name;    /* of the command, DSO or function */
	char *dso;     /* of a function; else NULL */
	char *example; /* of a function that hides its caller: the caller that is skipped most often */
	struct ways_sums sums; /* of DSOs and functions: only samples whose first fault is there */
	uint64_t in_samples;   /* of a DSO: all samples with a frame in it */
	uint64_t example_samples;
};

struct ways_rows {
	struct ways_row *list; /* most samples first; DSOs and functions: most faults first */
	size_t count, capacity;
};

struct ways_summary {
	struct ways_sums all;
	uint64_t dump_too_short; /* samples whose whole stack ends before the start of its thread */
	uint64_t skips;          /* number of skipped callers */
	struct ways_rows comms, dsos, functions, skipped_behind;
};

void ways_summary_init(struct ways_summary *summary, const struct unwind_ways *ways,
		       const struct way_names *names);
void ways_summary_fini(struct ways_summary *summary);

#endif
