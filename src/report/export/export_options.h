#ifndef XPROF_REPORT_EXPORT_EXPORT_OPTIONS_H
#define XPROF_REPORT_EXPORT_EXPORT_OPTIONS_H

/* The parsed command line of xprof export, before any file is read. */

#include "cli/option.h"
#include "report/view/sample_choice.h"
#include "report/view/symbol_options.h"
#include "report/view/unwind_options.h"

/* The meaning of a track, or of an outermost frame. */
enum export_per { EXPORT_PER_DEFAULT, EXPORT_PER_THREAD, EXPORT_PER_PROCESS, EXPORT_PER_CPU };

struct export_options {
	const char *input;
	const char *output; /* NULL: named after the format */
	const char *format; /* NULL: by the output's name */
	int per;            /* enum export_per */
	int weight;         /* enum stack_weight */
	const char *binary; /* argument of --binary; NULL: the program or library with most samples */
	struct sample_choice samples;
	struct unwind_options stacks;
	struct symbol_options symbols;
	bool force;
	bool quiet;
};

#endif
