#ifndef XPROF_REPORT_FLAME_OPTIONS_H
#define XPROF_REPORT_FLAME_OPTIONS_H

/* What the command line of xprof flamegraph says, before any file is read. */

#include "cli/option.h"
#include "report/flame_page.h"
#include "report/list_option.h"

enum flame_weight { FLAME_WEIGHT_PERIOD, FLAME_WEIGHT_SAMPLES };

/* Auto: by the output's name. */
enum flame_format { FLAME_FORMAT_AUTO, FLAME_FORMAT_HTML, FLAME_FORMAT_SVG };

struct flame_options {
	const char *input;
	const char *folded; /* text instead of a recording */
	const char *diff;   /* what to compare with, of the same kind */
	const char *output;
	int format; /* enum flame_format */

	/* which samples; as in report_options.h */
	const char *event;
	struct text_list comms, dsos, symbols, cgroups;
	const char *stack; /* stack_pattern.h */
	struct number_list pids, tids, cpus;
	const char *time;
	unsigned max_stack;
	int unwind;   /* enum unwind_choice */
	int unwinder; /* enum unwind_engine */
	bool join_stacks;
	bool guess;

	/* the picture */
	struct flame_recipe recipe;
	int weight; /* enum flame_weight */
	bool reverse;
	bool inverted;
	const char *title;
	int colors; /* enum flame_colors */
	double min_width_px;

	/* symbols */
	const char *vmlinux;
	const char *kallsyms;
	const char *symfs;
	struct text_list debug_dirs; /* instead of /usr/lib/debug */
	bool demangle;
	bool inlines;
	bool cache;

	bool force;
	bool quiet;
};

extern const struct option flame_option_table[];
extern const struct flame_options flame_option_defaults;

/* Releases what callbacks collected. */
void flame_options_fini(struct flame_options *options);

#endif
