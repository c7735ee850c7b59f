#ifndef XPROF_REPORT_REMEDY_NAME_GAPS_H
#define XPROF_REPORT_REMEDY_NAME_GAPS_H

/*
 * Where functions have no names: DSO by DSO, in how many samples, and why. Each DSO is one gap with one reason.
 */

#include "process/dso.h"
#include "report/load/profile_loader.h"
#include "symbol/file_presence.h"

enum name_gap_reason { /* the first ones are the states of files: enum recorded_file_state */
		       NAME_GAP_STRIPPED =
			       RECORDED_FILE_PRESENT, /* it has no symbol table, or only that of what it offers to others */
		       NAME_GAP_REPLACED = RECORDED_FILE_REPLACED,
		       NAME_GAP_GONE = RECORDED_FILE_GONE,
		       NAME_GAP_UNREADABLE = RECORDED_FILE_UNREADABLE,
		       NAME_GAP_UNPROVED = RECORDED_FILE_UNPROVED,
		       NAME_GAP_UNCOVERED, /* it has one that does not cover the addresses */
		       NAME_GAP_UNMAPPED,  /* nothing was known to be mapped there */
		       NAME_GAP_NO_FILE, /* code of the kernel, of run-time compilers and the like: `why` says all */
		       NAME_GAP_NO_MAP, /* code of a run-time compiler that has not said what is what */
};

struct name_gap {
	uint32_t profile_dso;  /* PROFILE_NONE: NAME_GAP_UNMAPPED */
	const struct dso *dso; /* of the process table; NULL: NAME_GAP_UNMAPPED */
	enum name_gap_reason reason;
	const char *why;        /* what the symbolizer says; "": nothing. Lives as long as the symbolizer */
	uint64_t self_samples;  /* that were taken in a function without a name */
	uint64_t stack_samples; /* in whose stack such a function is, those included */
};

struct name_gaps {
	struct name_gap *items; /* most self_samples, then most stack_samples, first */
	size_t count;
	size_t small_count; /* others, that are in too few samples to be looked at */
};

/*
 * Those that are in at least `percent` of all samples (stack_samples). None in a profile without a symbolizer: its names came
 * with it.
 */
void name_gaps_find(struct name_gaps *gaps, const struct loaded_profile *loaded, double percent);
void name_gaps_fini(struct name_gaps *gaps);

#endif
