#include "report/flame/flame_page.h"

#include <stdlib.h>
#include <string.h>

#include "base/hash_table.h"
#include "base/xalloc.h"

enum { SHADES = 4 };

const char *const flame_kind_names[FLAME_KIND_COUNT] = {
	[FLAME_GROUP] = "group",     [FLAME_USER] = "user",       [FLAME_KERNEL] = "kernel",
	[FLAME_JIT] = "JIT",         [FLAME_INLINED] = "inlined", [FLAME_GUESSED] = "guessed",
	[FLAME_UNKNOWN] = "unknown",
};

const char flame_kind_letters[FLAME_KIND_COUNT + 1] = "gukjian";

void flame_color_class(char class_name[3], const struct flame_frame *frame)
{
	class_name[0] = flame_kind_letters[frame->kind];
	class_name[1] = (char)('0' + hash_bytes(frame->name, strlen(frame->name)) % SHADES);
	class_name[2] = '\0';
}

static void place_siblings(struct flame_layout *layout, const struct call_tree *tree, uint32_t first,
			   uint64_t start, uint32_t depth)
{
	uint32_t node;

	for (node = first; node != CALL_TREE_NONE; node = call_tree_at(tree, node)->next_sibling) {
		layout->start[node] = start;
		layout->depth[node] = depth;
		start += call_tree_at(tree, node)->total_weight;
	}
	if (first != CALL_TREE_NONE && depth > layout->height)
		layout->height = depth;
}

/* Nodes are younger than their parents, so one pass up places them and one pass down counts them. */
void flame_layout_init(struct flame_layout *layout, const struct flame_graph *graph)
{
	const struct call_tree *tree = graph->tree;
	uint32_t count = call_tree_node_count(tree), node;
	size_t room = (size_t)count + 1;

	*layout = (struct flame_layout){
		.start = xmalloc(room * sizeof(*layout->start)),
		.depth = xmalloc(room * sizeof(*layout->depth)),
		.frames = xmalloc(room * sizeof(*layout->frames)),
	};
	place_siblings(layout, tree, call_tree_first(tree), 0, 1);
	for (node = 0; node < count; node++) {
		place_siblings(layout, tree, call_tree_at(tree, node)->first_child, layout->start[node],
			       layout->depth[node] + 1);
		layout->frames[node] = 1;
	}
	while (node--) {
		uint32_t parent = call_tree_at(tree, node)->parent;

		if (parent != CALL_TREE_NONE)
			layout->frames[parent] += layout->frames[node];
	}
}

void flame_layout_fini(struct flame_layout *layout)
{
	free(layout->start);
	free(layout->depth);
	free(layout->frames);
}
