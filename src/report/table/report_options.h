#ifndef XPROF_REPORT_TABLE_REPORT_OPTIONS_H
#define XPROF_REPORT_TABLE_REPORT_OPTIONS_H

/* The parsed command line of xprof report, before any file is read. */

#include "cli/color.h"
#include "cli/option.h"
#include "report/rows/column.h"
#include "report/rows/row_graph.h"
#include "report/view/sample_choice.h"
#include "report/view/symbol_options.h"
#include "report/view/unwind_options.h"
#include "report/view/view.h"
#include "report/view/view_folded.h"

/* The header above the table. */
enum report_header { REPORT_HEADER_BRIEF, REPORT_HEADER_FULL, REPORT_HEADER_NONE };

struct report_options {
	const char *input;

	/* which view */
	bool folded;
	bool json;
	bool stack_summary;                          /* --stacks */
	bool name_summary;                           /* --names */
	bool histogram;                              /* see view_histogram.c */
	bool stats, tasks, mmaps, dump, header_only; /* see raw_report.c */
	bool blocks, loops, indirect, total_cycles;  /* see code_report.c */
	const char *binary;    /* program of these reports; NULL: the one with most branches */
	bool header_at_length; /* -I */

	struct unwind_options stacks;

	/* which samples */
	struct sample_choice samples;
	int percentage; /* enum percentage */

	/* the table */
	struct layout_request columns; /* parent and children follow from other options */
	uint64_t time_quantum_ns;      /* the column time has a row for each such span */
	bool nanoseconds;
	bool raw_trace;
	bool mem_mode;                  /* the weight of samples is the latency of their memory accesses */
	bool hierarchy;                 /* rows of one key below those of the key before */
	bool thread_counts, raw_counts; /* -T: what counters stood at when threads ended; not as a table */
	const char *separator;
	const char *itrace;
	const char *parent;         /* NULL: perf's default pattern */
	const char *ignore_callees; /* NULL: none */
	const char *symbol_part;
	bool exclude_other;
	bool hide_unresolved;
	bool children;
	struct number_list widths; /* of the first columns */
	double percent_limit;
	unsigned top;
	bool top_set;
	struct row_graph_options graph;
	bool graph_set;  /* -g or --no-call-graph was given */
	bool graph_bare; /* -g had no argument, so the next word may be it */

	/* folded */
	int weight; /* enum stack_weight */
	bool annotate;
	bool addresses;

	/* symbols */
	struct symbol_options symbols;
	bool full_source_path;

	/* output */
	enum report_header header;
	bool quiet;
	unsigned verbose;
	bool pager;
	enum color_mode color;
};

extern const struct option report_option_table[];
extern const struct report_options report_option_defaults;

/* Frees the lists. */
void report_options_fini(struct report_options *options);

#endif
