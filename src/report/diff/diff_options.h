#ifndef XPROF_REPORT_DIFF_DIFF_OPTIONS_H
#define XPROF_REPORT_DIFF_DIFF_OPTIONS_H

/* The parsed command line of xprof diff, before any file is read. */

#include "cli/color.h"
#include "cli/option.h"
#include "profile/profile_diff.h"
#include "report/diff/diff_result.h"
#include "report/view/sample_choice.h"
#include "report/view/symbol_options.h"
#include "report/view/unwind_options.h"
#include "report/view/view.h"

struct diff_options {
	/* which view */
	bool json;
	bool folded;
	bool ways; /* --unwind without a choice: two ways of unwinding one file instead of two files */

	/* what is compared */
	int normalize; /* enum diff_normalize */
	bool normalize_set;
	double work[COMPARE_SIDES];    /* --work */
	const char *work_event;        /* or: this event has counted the work */
	int compute;                   /* enum diff_compute */
	double weights[COMPARE_SIDES]; /* of --compute=wdiff, the earlier file's first */
	double confidence_percent;
	struct name_pairs pairs; /* from --rename; more are found when the files are open */

	/* the table */
	const char *sort;
	unsigned order; /* enum diff_order */
	bool children;
	bool all;
	bool callers;
	bool period;
	bool baseline_only;
	const char *separator;
	unsigned top;
	bool top_set;

	struct unwind_options stacks;

	/* which samples */
	struct sample_choice samples;
	int percentage; /* enum percentage */

	struct symbol_options symbols;

	/* output */
	bool header;
	bool quiet;
	bool pager;
	enum color_mode color;
};

extern const struct option diff_option_table[];
extern const struct diff_options diff_option_defaults;

/*
 * Converts --sort to a set of enum diff_key. Returns 0, or -1 with err for keys that cannot be compared
 * between recordings.
 */
int diff_options_keys(const struct diff_options *options, unsigned *keys, struct error *err);

/* Frees the lists. */
void diff_options_fini(struct diff_options *options);

#endif
