#include "report/flame/flame_diff.h"

#include <math.h>
#include <stdlib.h>

#include "base/hash_table.h"
#include "base/xalloc.h"
#include "profile/compare.h"

/* A node is found again by its parent and key. */
struct step {
	uint32_t parent, key;
};

static uint64_t hash_of(const struct step *step)
{
	return hash_u64(((uint64_t)step->parent << 32 | step->key) * 0x9e3779b97f4a7c15u);
}

static bool node_equal(const void *tree, uint32_t node, const void *key)
{
	const struct call_node *at = call_tree_at(tree, node);
	const struct step *step = key;

	return at->key == step->key && at->parent == step->parent;
}

static void index_nodes(struct hash_table *index, const struct call_tree *tree)
{
	uint32_t count = call_tree_node_count(tree), node;

	hash_table_init(index);
	for (node = 0; node < count; node++) {
		const struct call_node *at = call_tree_at(tree, node);

		hash_table_insert(index, hash_of(&(struct step){ at->parent, at->key }), node);
	}
}

/* Parents are older than their nodes, so where a parent was before is known when a node is looked for. */
void flame_diff_init(struct flame_diff *diff, const struct call_tree *tree, const struct call_tree *before)
{
	uint32_t count = call_tree_node_count(tree), node;
	uint32_t *same = xmalloc(((size_t)count + 1) * sizeof(*same));
	struct hash_table index;

	*diff = (struct flame_diff){ .before = xcalloc((size_t)count + 1, sizeof(*diff->before)),
				     .before_total = call_tree_weight(before),
				     .total = call_tree_weight(tree) };
	index_nodes(&index, before);
	for (node = 0; node < count; node++) {
		const struct call_node *at = call_tree_at(tree, node);
		struct step step = { CALL_TREE_NONE, at->key };

		same[node] = HASH_TABLE_NONE;
		if (at->parent != CALL_TREE_NONE) {
			step.parent = same[at->parent];
			if (step.parent == HASH_TABLE_NONE)
				continue;
		}
		same[node] = hash_table_find(&index, hash_of(&step), node_equal, before, &step);
		if (same[node] != HASH_TABLE_NONE)
			diff->before[node] = call_tree_at(before, same[node])->total_weight;
	}
	hash_table_fini(&index);
	free(same);
}

void flame_diff_fini(struct flame_diff *diff)
{
	free(diff->before);
}

double flame_diff_before(const struct flame_diff *diff, uint32_t node)
{
	return compare_percent((double)diff->before[node], (double)diff->before_total);
}

double flame_diff_points(const struct flame_diff *diff, const struct call_tree *tree, uint32_t node)
{
	return compare_percent((double)call_tree_at(tree, node)->total_weight, (double)diff->total) -
	       flame_diff_before(diff, node);
}

void flame_diff_class(char class_name[3], double points)
{
	double size = fabs(points);

	class_name[0] = size < 0.05 ? 'z' : points > 0 ? 'p' : 'm';
	class_name[1] = (char)('0' + (size >= 0.5) + (size >= 2) + (size >= 8));
	class_name[2] = '\0';
}
