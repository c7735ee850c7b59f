#ifndef XPROF_TEST_SUPPORT_FOLDED_GRAPH_H
#define XPROF_TEST_SUPPORT_FOLDED_GRAPH_H

/* Flame graphs written as folded text: "main;a 3\nmain 1\n". */

#include "report/flame/flame_graph.h"

/* Makes a sorted graph; release it with flame_graph_fini(). Returns the result of flame_graph_add_folded(). */
uint64_t folded_graph_init(struct flame_graph *graph, const char *text);

#endif
