#ifndef XPROF_REPORT_FLAME_FLAME_OPTIONS_H
#define XPROF_REPORT_FLAME_FLAME_OPTIONS_H

/* The parsed command line of xprof flamegraph, before any file is read. */

#include "cli/option.h"
#include "profile/name_pairs.h"
#include "report/flame/flame_page.h"
#include "report/view/sample_choice.h"
#include "report/view/symbol_options.h"
#include "report/view/unwind_options.h"

/* FLAME_FORMAT_AUTO: by the output's suffix. */
enum flame_format { FLAME_FORMAT_AUTO, FLAME_FORMAT_HTML, FLAME_FORMAT_SVG };

struct flame_options {
	const char *input;
	const char *folded;      /* folded text to read instead of a recording */
	const char *diff;        /* input of the same kind to compare with */
	struct name_pairs pairs; /* --rename */
	const char *output;
	int format; /* enum flame_format */

	struct sample_choice samples;
	struct unwind_options stacks;

	/* the picture */
	struct flame_recipe recipe;
	int weight; /* enum stack_weight */
	bool reverse;
	bool inverted;
	const char *title;
	int colors; /* enum flame_colors */
	double min_width_px;

	struct symbol_options symbols;

	bool force;
	bool quiet;
};

extern const struct option flame_option_table[];
extern const struct flame_options flame_option_defaults;

/*
 * Can the page choose among samples by itself? No for differences, which are of call paths, for folded stacks, and for
 * pictures: they do not contain samples.
 */
bool flame_options_want_samples(const struct flame_options *options);

/* Frees the lists. */
void flame_options_fini(struct flame_options *options);

#endif
