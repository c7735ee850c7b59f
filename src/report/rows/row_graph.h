#ifndef XPROF_REPORT_ROWS_ROW_GRAPH_H
#define XPROF_REPORT_ROWS_ROW_GRAPH_H

/*
 * The call graph below a row of the table: perf report's -g, its options and its drawing.
 *
 *            |
 *            ---main
 *               |
 *               |--60.00%--parse
 *               |          read_line
 *               |
 *                --39.50%--sort
 *
 * Functions that were reached by only one path are drawn below each other, without shares of their own.
 */

#include <stdbool.h>

#include "base/strbuf.h"
#include "report/rows/hist.h"
#include "report/rows/row_tree.h"

enum row_graph_style {
	ROW_GRAPH_OFF,
	ROW_GRAPH_GRAPH,   /* shares of the whole event */
	ROW_GRAPH_FRACTAL, /* shares of the caller above */
	ROW_GRAPH_FLAT,    /* one list per path */
	ROW_GRAPH_FOLDED,  /* one line per path */
};

enum row_graph_value { ROW_GRAPH_PERCENT, ROW_GRAPH_PERIOD, ROW_GRAPH_COUNT };

struct row_graph_options {
	enum row_graph_style style;
	double min_percent;   /* branches with less than this are left out */
	unsigned print_limit; /* branches drawn at each place; 0: all */
	bool order_set;       /* false: caller with children, callee without */
	enum call_order order;
	enum row_graph_key key;
	enum row_graph_value value;
};

/*
 * Parses the argument of -g: TYPE, THRESHOLD, LIMIT, ORDER, KEY and VALUE in any order, separated by commas.
 * Options that are not named keep their values. NULL means -g without argument. Returns 0, or -1 with err.
 */
int row_graph_parse(struct row_graph_options *options, const char *text, struct error *err);

/* Words that row_graph_parse() accepts, for completion; NULL-terminated. */
extern const char *const row_graph_words[];

/*
 * Draws graphs, one after the other. `skip_first` leaves out the first function if the graph begins with only
 * one, which the row names already. `columns` is the maximum width of lines; 0: any. Everything is borrowed.
 */
struct row_graph_drawer;
struct row_graph_drawer *row_graph_drawer_create(const struct hist *hist,
						 const struct row_graph_options *options, bool skip_first,
						 size_t columns);
void row_graph_drawer_destroy(struct row_graph_drawer *drawer);

/* Appends the graph of one row. */
void row_graph_draw(struct row_graph_drawer *drawer, const struct hist_row *row, struct strbuf *out);

/*
 * The call graphs of a table's rows, drawn by as many threads as there are CPUs and taken in order. Each
 * needs all samples with its function in their stacks, so drawing can take longer than loading the recording.
 */
struct row_graphs;

/* Draws the graphs of the first `count` rows as row_graph_draw() would. Everything is borrowed. */
struct row_graphs *row_graphs_create(const struct hist *hist, uint32_t count,
				     const struct row_graph_options *options, bool skip_first,
				     size_t columns);

/* Appends the graph of row `number`. Call it for each row once, from 0 on. */
void row_graphs_take(struct row_graphs *graphs, uint32_t number, struct strbuf *out);

void row_graphs_destroy(struct row_graphs *graphs);

#endif
