/*
 * Call paths, functions alone and functions with callees are all `things`, and compared alike: add_sums() fills in
 * totals, add_slices() the same by slices of time, and find_changes() decides for all things of a kind together. Paths
 * are matched from the root, by parent and key.
 */
#include "report/flame/flame_diff.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash_table.h"
#include "base/xalloc.h"

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

	for (node = 0; node < count; node++) {
		const struct call_node *at = call_tree_at(tree, node);

		hash_table_insert(index, hash_of(&(struct step){ at->parent, at->key }), node);
	}
}

/* By node of `tree`, the node of the same path in `before`. Parents have lower numbers than their nodes. The caller frees it. */
static uint32_t *find_same(const struct call_tree *tree, const struct call_tree *before)
{
	uint32_t count = call_tree_node_count(tree), node;
	uint32_t *same = xmalloc(((size_t)count + 1) * sizeof(*same));
	struct hash_table index = { 0 };

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
	}
	hash_table_fini(&index);
	return same;
}

/* --- things that are compared: paths, functions by themselves, functions with what they call ---------------------- */

/* Fewer samples of both sides cannot show a difference, so such things are not compared. */
enum { LEAST_SAMPLES = 10, NOT_COMPARED = -1 };

struct slices_of {
	double part[COMPARE_SIDES][COMPARE_SLICES];
};

struct things {
	size_t count;
	double *weight[COMPARE_SIDES];
	uint64_t *samples; /* of both sides */
	int64_t *place;    /* index in `slices`, or NOT_COMPARED */
	struct slices_of *slices;
	size_t compared;
};

static void things_init(struct things *things, size_t count)
{
	*things = (struct things){ .count = count };
	for (int side = 0; side < COMPARE_SIDES; side++)
		things->weight[side] = xcalloc(count + 1, sizeof(double));
	things->samples = xcalloc(count + 1, sizeof(*things->samples));
	things->place = xcalloc(count + 1, sizeof(*things->place));
}

static void things_fini(struct things *things)
{
	free(things->weight[COMPARE_BEFORE]);
	free(things->weight[COMPARE_AFTER]);
	free(things->samples);
	free(things->place);
	free(things->slices);
}

static void add_thing(struct things *things, size_t thing, int side, uint64_t count, uint64_t weight)
{
	things->weight[side][thing] += (double)weight;
	things->samples[thing] += count;
}

/* Call after all have been added. */
static void choose_compared(struct things *things)
{
	for (size_t i = 0; i < things->count; i++)
		things->place[i] =
			things->samples[i] >= LEAST_SAMPLES ? (int64_t)things->compared++ : NOT_COMPARED;
	things->slices = xcalloc(things->compared + 1, sizeof(*things->slices));
}

static double *slices_at(struct things *things, size_t thing, int side)
{
	return things->place[thing] == NOT_COMPARED ? NULL : things->slices[things->place[thing]].part[side];
}

/* --- the comparison ---------------------------------------------------------------------------------------------- */

struct comparing {
	const struct flame_diff_side *sides[COMPARE_SIDES];
	uint32_t *same; /* by node of the later tree: that of the earlier */
	uint32_t *now;  /* by node of the earlier tree: that of the later */
	uint32_t *last; /* by key: the last sample counted for it */
	struct things paths, self, total;
	double whole[COMPARE_SIDES][COMPARE_SLICES];
	bool has_slices;
	struct compare_scale scale;
};

static uint32_t path_of(const struct comparing *comparing, int side, uint32_t node)
{
	return side == COMPARE_AFTER ? node : comparing->now[node];
}

/* Is the same function among the node's callers? */
static bool is_inner(const struct call_tree *tree, uint32_t node)
{
	const uint32_t key = call_tree_at(tree, node)->key;

	for (node = call_tree_at(tree, node)->parent; node != CALL_TREE_NONE;
	     node = call_tree_at(tree, node)->parent)
		if (call_tree_at(tree, node)->key == key)
			return true;
	return false;
}

static void add_sums(struct comparing *comparing, int side)
{
	const struct call_tree *tree = comparing->sides[side]->tree;

	for (uint32_t node = 0; node < call_tree_node_count(tree); node++) {
		const struct call_node *at = call_tree_at(tree, node);
		const uint32_t path = path_of(comparing, side, node);

		if (path != HASH_TABLE_NONE)
			add_thing(&comparing->paths, path, side, at->total_count, at->total_weight);
		add_thing(&comparing->self, at->key, side, at->self_count, at->self_weight);
		if (!is_inner(tree, node))
			add_thing(&comparing->total, at->key, side, at->total_count, at->total_weight);
	}
}

static void add_slice(double *slices, const struct sample_slice *slice)
{
	if (slices)
		slices[slice->slice] += slice->weight;
}

static void add_sample(struct comparing *comparing, int side, uint32_t sample, uint32_t leaf,
		       const struct sample_slice *slice)
{
	const struct call_tree *tree = comparing->sides[side]->tree;

	comparing->whole[side][slice->slice] += slice->weight;
	add_slice(slices_at(&comparing->self, call_tree_at(tree, leaf)->key, side), slice);
	for (uint32_t node = leaf; node != CALL_TREE_NONE; node = call_tree_at(tree, node)->parent) {
		const uint32_t path = path_of(comparing, side, node), key = call_tree_at(tree, node)->key;

		if (path != HASH_TABLE_NONE)
			add_slice(slices_at(&comparing->paths, path, side), slice);
		if (comparing->last[key] != sample)
			add_slice(slices_at(&comparing->total, key, side), slice);
		comparing->last[key] = sample;
	}
}

static void add_slices(struct comparing *comparing, int side)
{
	const struct flame_diff_side *from = comparing->sides[side];
	const struct flame_times *times = from->times;
	uint32_t turn = 0;

	if (!times || !times->slices.items) {
		comparing->has_slices = false;
		return;
	}
	memset(comparing->last, 0, comparing->self.count * sizeof(*comparing->last));
	for (uint32_t i = 0; i < times->sample_count; i++) {
		const uint32_t leaf = times->leaves[i];

		for (size_t j = times->slices.first[i]; j < times->slices.first[i + 1]; j++)
			add_sample(comparing, side, ++turn, from->places ? from->places[leaf] : leaf,
				   &times->slices.items[j]);
	}
}

static struct comparison compare_thing(const struct comparing *comparing, struct things *things, size_t thing)
{
	const double weight[COMPARE_SIDES] = { things->weight[COMPARE_BEFORE][thing],
					       things->weight[COMPARE_AFTER][thing] };
	const bool known = comparing->has_slices && things->place[thing] != NOT_COMPARED;
	struct compare_slices slices = { .whole = { comparing->whole[COMPARE_BEFORE],
						    comparing->whole[COMPARE_AFTER] } };

	for (int side = 0; known && side < COMPARE_SIDES; side++)
		slices.part[side] = slices_at(things, thing, side);
	return compare(&comparing->scale, weight, known ? &slices : NULL);
}

/* Decides for all things together which ones differ. The caller frees the changes. */
static struct flame_change *find_changes(const struct comparing *comparing, struct things *things)
{
	struct flame_change *changes = xcalloc(things->count + 1, sizeof(*changes));
	double *chances = xmalloc((things->compared + 1) * sizeof(*chances));

	for (size_t i = 0; i < things->count; i++) {
		struct comparison comparison;

		if (!things->samples[i])
			continue;
		comparison = compare_thing(comparing, things, i);
		changes[i] = (struct flame_change){ .before = comparison.value[COMPARE_BEFORE],
						    .delta = comparison.delta,
						    .low = comparison.low,
						    .high = comparison.high };
		if (things->place[i] != NOT_COMPARED)
			chances[things->place[i]] = comparison.chance;
	}
	compare_adjust(chances, things->compared);
	for (size_t i = 0; i < things->count; i++)
		changes[i].differs = things->place[i] != NOT_COMPARED &&
				     chances[things->place[i]] < 1 - comparing->scale.confidence;
	free(chances);
	return changes;
}

static void take_functions(struct flame_diff *diff, struct comparing *comparing)
{
	struct flame_change *self = find_changes(comparing, &comparing->self);
	struct flame_change *total = find_changes(comparing, &comparing->total);

	diff->functions = xmalloc((comparing->total.count + 1) * sizeof(*diff->functions));
	for (size_t key = 0; key < comparing->total.count; key++)
		if (comparing->total.samples[key])
			diff->functions[diff->function_count++] =
				(struct flame_function_change){ (uint32_t)key, self[key], total[key] };
	free(self);
	free(total);
}

static size_t count_keys(const struct flame_diff_side *side, size_t count)
{
	for (uint32_t node = 0; node < call_tree_node_count(side->tree); node++)
		if (call_tree_at(side->tree, node)->key >= count)
			count = (size_t)call_tree_at(side->tree, node)->key + 1;
	return count;
}

static void find_now(struct comparing *comparing)
{
	const uint32_t count = call_tree_node_count(comparing->sides[COMPARE_BEFORE]->tree);

	comparing->now = xmalloc(((size_t)count + 1) * sizeof(*comparing->now));
	for (uint32_t node = 0; node < count; node++)
		comparing->now[node] = HASH_TABLE_NONE;
	for (uint32_t node = 0; node < comparing->paths.count; node++)
		if (comparing->same[node] != HASH_TABLE_NONE)
			comparing->now[comparing->same[node]] = node;
}

static struct compare_whole whole_of(const struct call_tree *tree)
{
	return (struct compare_whole){ .count = call_tree_count(tree),
				       .weight = (double)call_tree_weight(tree),
				       .divisor = 1,
				       .factor = 1 };
}

static void comparing_init(struct comparing *comparing, const struct flame_diff_side *before,
			   const struct flame_diff_side *after)
{
	const size_t keys = count_keys(after, count_keys(before, 0));

	*comparing = (struct comparing){ .sides = { before, after },
					 .has_slices = true,
					 .scale = compare_scale_of(COMPARE_SHARES, 0.95) };
	comparing->scale.whole[COMPARE_BEFORE] = whole_of(before->tree);
	comparing->scale.whole[COMPARE_AFTER] = whole_of(after->tree);
	things_init(&comparing->paths, call_tree_node_count(after->tree));
	things_init(&comparing->self, keys);
	things_init(&comparing->total, keys);
	comparing->same = find_same(after->tree, before->tree);
	find_now(comparing);
	comparing->last = xcalloc(keys + 1, sizeof(*comparing->last));
	for (int side = 0; side < COMPARE_SIDES; side++)
		add_sums(comparing, side);
	choose_compared(&comparing->paths);
	choose_compared(&comparing->self);
	choose_compared(&comparing->total);
	for (int side = 0; side < COMPARE_SIDES; side++)
		add_slices(comparing, side);
}

static void comparing_fini(struct comparing *comparing)
{
	things_fini(&comparing->paths);
	things_fini(&comparing->self);
	things_fini(&comparing->total);
	free(comparing->same);
	free(comparing->now);
	free(comparing->last);
}

void flame_diff_init(struct flame_diff *diff, const struct flame_diff_side *before,
		     const struct flame_diff_side *after)
{
	const uint32_t count = call_tree_node_count(after->tree);
	struct comparing comparing;

	comparing_init(&comparing, before, after);
	*diff = (struct flame_diff){ .before = xcalloc((size_t)count + 1, sizeof(*diff->before)),
				     .before_total = call_tree_weight(before->tree),
				     .total = call_tree_weight(after->tree),
				     .changes = find_changes(&comparing, &comparing.paths) };
	for (uint32_t node = 0; node < count; node++)
		if (comparing.same[node] != HASH_TABLE_NONE)
			diff->before[node] = call_tree_at(before->tree, comparing.same[node])->total_weight;
	take_functions(diff, &comparing);
	comparing_fini(&comparing);
}

void flame_diff_fini(struct flame_diff *diff)
{
	free(diff->changes);
	free(diff->before);
	free(diff->functions);
}

double flame_diff_before(const struct flame_diff *diff, uint32_t node)
{
	return 100 * diff->changes[node].before;
}

double flame_diff_points(const struct flame_diff *diff, uint32_t node)
{
	return 100 * diff->changes[node].delta;
}

void flame_diff_class(char class_name[3], double points, bool differs)
{
	double size = fabs(points);

	class_name[0] = !differs || size < 0.05 ? 'z' : points > 0 ? 'p' : 'm';
	class_name[1] = (char)(class_name[0] == 'z' ? '0' : '0' + (size >= 0.5) + (size >= 2) + (size >= 8));
	class_name[2] = '\0';
}
