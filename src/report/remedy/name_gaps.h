#ifndef XPROF_REPORT_REMEDY_NAME_GAPS_H
#define XPROF_REPORT_REMEDY_NAME_GAPS_H

/*
 * Finds the DSOs whose functions have no names, with the number of samples and the reason. Each DSO is one
 * gap with one reason.
 */

#include "process/dso.h"
#include "report/load/profile_loader.h"
#include "symbol/file_presence.h"

enum name_gap_reason { /* the first ones are values of enum recorded_file_state */
		       /* the file has no symbol table, or only exported symbols */
		       NAME_GAP_STRIPPED = RECORDED_FILE_PRESENT,
		       NAME_GAP_REPLACED = RECORDED_FILE_REPLACED,
		       NAME_GAP_GONE = RECORDED_FILE_GONE,
		       NAME_GAP_UNREADABLE = RECORDED_FILE_UNREADABLE,
		       NAME_GAP_UNPROVED = RECORDED_FILE_UNPROVED,
		       NAME_GAP_UNCOVERED, /* its symbol table does not cover the addresses */
		       NAME_GAP_UNMAPPED,  /* no mapping is known there */
		       NAME_GAP_NO_FILE,   /* kernel, run-time code and the like: `why` explains it */
		       NAME_GAP_NO_MAP,    /* run-time code whose compiler wrote no map */
};

struct name_gap {
	uint32_t profile_dso;  /* number in the profile; PROFILE_NONE: NAME_GAP_UNMAPPED */
	const struct dso *dso; /* of the process table; NULL: NAME_GAP_UNMAPPED */
	enum name_gap_reason reason;
	const char *why;        /* the symbolizer's reason, or ""; valid as long as the symbolizer */
	uint64_t self_samples;  /* samples taken in a function without a name */
	uint64_t stack_samples; /* samples with such a function in their stack, self_samples included */
};

struct name_gaps {
	struct name_gap *items; /* sorted by self_samples, then stack_samples, the largest first */
	size_t count;
	size_t small_count; /* number of gaps that were left out because of `percent` */
};

/*
 * Finds the gaps with stack_samples of at least `percent` of all samples. A profile without a symbolizer has
 * none: its names came with it.
 */
void name_gaps_find(struct name_gaps *gaps, const struct loaded_profile *loaded, double percent);
void name_gaps_fini(struct name_gaps *gaps);

#endif
