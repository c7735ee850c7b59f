#include "support/folded_graph.h"

#include <stdio.h>
#include <string.h>

uint64_t folded_graph_init(struct flame_graph *graph, const char *text)
{
	FILE *file = fmemopen((void *)text, strlen(text), "r");
	uint64_t left_out;

	flame_graph_init(graph, false);
	left_out = flame_graph_add_folded(graph, file);
	flame_graph_sort(graph);
	fclose(file);
	return left_out;
}
