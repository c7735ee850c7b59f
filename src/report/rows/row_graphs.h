#ifndef XPROF_REPORT_ROWS_ROW_GRAPHS_H
#define XPROF_REPORT_ROWS_ROW_GRAPHS_H

/*
 * The call graphs of a table's rows, drawn by as many threads as there are CPUs and taken in order. Each is made of all
 * samples that its function is called in, so that drawing them takes longer than loading the recording does.
 */

#include "report/rows/row_graph.h"

struct row_graphs;

/* All borrowed: the first `count` rows are drawn as row_graph_draw() does, no matter by whom. */
struct row_graphs *row_graphs_create(const struct hist *hist, uint32_t count,
				     const struct row_graph_options *options, bool skip_first,
				     size_t columns);

/* Appends the graph of row `number`: from 0 on, each once. */
void row_graphs_take(struct row_graphs *graphs, uint32_t number, struct strbuf *out);

void row_graphs_destroy(struct row_graphs *graphs);

#endif
