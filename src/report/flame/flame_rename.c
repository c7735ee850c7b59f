/* Names are part of the keys of nodes, so renaming makes a new tree, in which nodes of the same path become one. */

#include "report/flame/flame_rename.h"

#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"

static double part_of(const struct call_tree *tree, uint32_t node)
{
	double all = (double)call_tree_weight(tree);

	return all > 0 ? (double)call_tree_at(tree, node)->total_weight / all : 0;
}

/* Files count where a stack enters them. */
static void weigh(const struct flame_graph *graph, const struct call_tree *tree,
		  struct named_weights *commands, struct named_weights *files)
{
	for (uint32_t node = 0; node < call_tree_node_count(tree); node++) {
		const struct call_node *at = call_tree_at(tree, node);
		const struct flame_frame frame = flame_graph_frame(graph, at->key);

		if (at->parent == CALL_TREE_NONE)
			named_weights_add(commands, frame.name, part_of(tree, node));
		if (!*frame.dso)
			continue;
		if (at->parent == CALL_TREE_NONE ||
		    strcmp(flame_graph_frame(graph, call_tree_at(tree, at->parent)->key).dso, frame.dso) != 0)
			named_weights_add(files, frame.dso, part_of(tree, node));
	}
}

void flame_rename_find(struct name_pairs *pairs, const struct flame_graph *graph,
		       const struct call_tree *before, const struct call_tree *after)
{
	struct named_weights commands[2] = { 0 }, files[2] = { 0 };

	weigh(graph, before, &commands[0], &files[0]);
	weigh(graph, after, &commands[1], &files[1]);
	name_pairs_find(pairs, &files[0], &files[1]);
	name_pairs_find(pairs, &commands[0], &commands[1]);
	for (int side = 0; side < 2; side++) {
		named_weights_fini(&commands[side]);
		named_weights_fini(&files[side]);
	}
}

/*
 * For a frame without a name, "libfoo.so+0x1f40" or "[libfoo.so]" in libfoo.so: the text after that, a mark or "". NULL if it has
 * a name.
 */
static const char *behind_nameless(const struct flame_frame *frame)
{
	const size_t length = strlen(frame->dso);
	const bool bracketed = frame->name[0] == '[';
	const char *end = frame->name + bracketed;

	if (!length || strncmp(end, frame->dso, length) != 0)
		return NULL;
	end += length;
	if (bracketed)
		return *end == ']' ? end + 1 : NULL;
	return strncmp(end, "+0x", 3) ? NULL : end + 3 + strspn(end + 3, "0123456789abcdef");
}

static uint32_t rename_key(struct flame_graph *graph, const struct flame_names *names, uint32_t key,
			   bool lowest)
{
	const struct flame_frame frame = flame_graph_frame(graph, key);
	const bool is_before = names->side == COMPARE_BEFORE;
	const char *name = frame.name, *dso = frame.dso, *behind = behind_nameless(&frame);
	char *whole = NULL;
	uint32_t renamed = key;

	if (is_before && lowest)
		name = name_pairs_comm_after(names->pairs, name_pairs_after(names->pairs, name));
	if (is_before)
		dso = name_pairs_after(names->pairs, dso);
	if (behind && !dso_builds_agree(names->builds, names->pairs, names->side, frame.dso))
		name = whole = xasprintf("[%s]%s", dso, behind);
	if (name != frame.name || dso != frame.dso)
		renamed = flame_graph_add_key(graph, name, dso, frame.kind);
	free(whole);
	return renamed;
}

struct call_tree *flame_rename(struct flame_graph *graph, const struct flame_names *names,
			       const struct call_tree *tree, uint32_t *places)
{
	struct call_tree *renamed = call_tree_create();

	for (uint32_t node = 0; node < call_tree_node_count(tree); node++) {
		const struct call_node *at = call_tree_at(tree, node);
		const bool lowest = at->parent == CALL_TREE_NONE;

		places[node] = call_tree_child(renamed, lowest ? CALL_TREE_NONE : places[at->parent],
					       rename_key(graph, names, at->key, lowest));
		call_tree_add(renamed, places[node], at->self_count, at->self_weight);
	}
	call_tree_sum_up(renamed);
	return renamed;
}
