#ifndef XPROF_REPORT_ROWS_ROW_GRAPHS_H
#define XPROF_REPORT_ROWS_ROW_GRAPHS_H

/*
 * The call graphs of a table's rows, drawn by as many threads as there are CPUs and taken in order. Each
 * needs all samples with its function in their stacks, so drawing can take longer than loading the recording.
 */

#include "report/rows/row_graph.h"

struct row_graphs;

/* Draws the graphs of the first `count` rows as row_graph_draw() would. Everything is borrowed. */
struct row_graphs *row_graphs_create(const struct hist *hist, uint32_t count,
				     const struct row_graph_options *options, bool skip_first,
				     size_t columns);

/* Appends the graph of row `number`. Call it for each row once, from 0 on. */
void row_graphs_take(struct row_graphs *graphs, uint32_t number, struct strbuf *out);

void row_graphs_destroy(struct row_graphs *graphs);

#endif
