/*
 * Three parts: adding drops repetitions and keeps the tail sorted by time, with equal times in the order of arrival. Settling
 * sorts the changes by time and builds a segment tree over addresses. A lookup takes the latest change from the tree and from the
 * tail after it. tail_limit() balances the length of the tail against the cost of a new tree.
 */
#include "process/address_map.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/partition_point.h"
#include "base/xalloc.h"

enum {
	/* Ordinary processes have fewer mappings than this and never need an index. */
	SHORT_TAIL = 64,
	/* A new change is compared with so many earlier ones, to detect repetitions: repeated mappings come close together. */
	REPEAT_DISTANCE = 64,
};

/*
 * A segment tree: the addresses at which some change starts or ends cut the address space into `leaf_count` elementary intervals.
 * Each change is kept at the O(log n) nodes that together make up its interval, numbered as in a binary heap (node 1 is the root,
 * the leaves start at `width`). A node lists its changes in order of time, so a lookup walks from a leaf to the root and does one
 * binary search per node. n changes need O(n log n) memory, whatever they are.
 */
struct address_index {
	uint64_t *edges; /* sorted, distinct; leaf i is [edges[i], edges[i + 1]) */
	size_t edge_count;
	size_t width;    /* a power of two, at least the number of leaves */
	uint32_t *first; /* 2 * width + 1: node n has items[first[n]] to items[first[n + 1] - 1] */
	uint32_t *items; /* numbers of changes, ascending */
};

void address_map_init(struct address_map *map)
{
	*map = (struct address_map){ .first_ns = UINT64_MAX };
}

static void index_destroy(struct address_index *index)
{
	if (!index)
		return;
	free(index->edges);
	free(index->first);
	free(index->items);
	free(index);
}

void address_map_fini(struct address_map *map)
{
	index_destroy(map->index);
	free(map->changes);
	address_map_init(map);
}

/* --- the index --------------------------------------------------------------- */

struct time_key {
	uint64_t time_ns;
	uint32_t number;
};

static int compare_time_keys(const void *a, const void *b)
{
	const struct time_key *left = a, *right = b;

	if (left->time_ns != right->time_ns)
		return left->time_ns < right->time_ns ? -1 : 1;
	return left->number < right->number ? -1 : left->number > right->number;
}

static bool in_order(const struct address_map *map)
{
	size_t i;

	for (i = 1; i < map->count; i++)
		if (map->changes[i].time_ns < map->changes[i - 1].time_ns)
			return false;
	return true;
}

static void sort_by_time(struct address_map *map)
{
	struct address_change *sorted;
	struct time_key *keys;
	size_t i;

	if (in_order(map))
		return;
	keys = xmalloc(map->count * sizeof(*keys));
	for (i = 0; i < map->count; i++)
		keys[i] = (struct time_key){ .time_ns = map->changes[i].time_ns, .number = (uint32_t)i };
	qsort(keys, map->count, sizeof(*keys), compare_time_keys);
	sorted = xmalloc(map->capacity * sizeof(*sorted));
	for (i = 0; i < map->count; i++)
		sorted[i] = map->changes[keys[i].number];
	free(keys);
	free(map->changes);
	map->changes = sorted;
}

static int compare_addresses(const void *a, const void *b)
{
	const uint64_t *left = a, *right = b;

	return *left < *right ? -1 : *left > *right;
}

static void collect_edges(struct address_index *index, const struct address_map *map)
{
	size_t i, distinct = 0;

	index->edges = xmalloc(2 * map->count * sizeof(*index->edges));
	for (i = 0; i < map->count; i++) {
		index->edges[2 * i] = map->changes[i].start;
		index->edges[2 * i + 1] = map->changes[i].end;
	}
	qsort(index->edges, 2 * map->count, sizeof(*index->edges), compare_addresses);
	for (i = 0; i < 2 * map->count; i++)
		if (!distinct || index->edges[i] != index->edges[distinct - 1])
			index->edges[distinct++] = index->edges[i];
	index->edge_count = distinct;
	for (index->width = 1; index->width < distinct; index->width *= 2)
		;
}

/* The last edge at or below the address; edge_count if there is none. */
static size_t edge_below(const struct address_index *index, uint64_t address)
{
	const size_t low = PARTITION_POINT(i, 0, index->edge_count, index->edges[i] <= address);

	return low ? low - 1 : index->edge_count;
}

/* Writes the nodes that make up a change's interval, at most 2 * 64, and returns their number. */
static size_t nodes_of(const struct address_index *index, const struct address_change *change,
		       size_t nodes[static 128])
{
	size_t left = edge_below(index, change->start) + index->width;
	size_t right = edge_below(index, change->end) + index->width;
	size_t count = 0;

	for (; left < right; left /= 2, right /= 2) {
		if (left & 1)
			nodes[count++] = left++;
		if (right & 1)
			nodes[count++] = --right;
	}
	return count;
}

static struct address_index *index_create(const struct address_map *map)
{
	struct address_index *index = xcalloc(1, sizeof(*index));
	size_t nodes[128], count, i, n;
	uint32_t total = 0;

	collect_edges(index, map);
	index->first = xcalloc(2 * index->width + 1, sizeof(*index->first));
	for (i = 0; i < map->count; i++)
		for (count = nodes_of(index, &map->changes[i], nodes), n = 0; n < count; n++)
			index->first[nodes[n]]++;
	for (n = 0; n <= 2 * index->width; n++) { /* counts become the ends of each node's list … */
		total += index->first[n];
		index->first[n] = total;
	}
	index->items = xmalloc(total * sizeof(*index->items));
	for (i = map->count; i-- > 0;) /* … and, when filled from the end, its start */
		for (count = nodes_of(index, &map->changes[i], nodes), n = 0; n < count; n++)
			index->items[--index->first[nodes[n]]] = (uint32_t)i;
	return index;
}

static size_t tail_limit(size_t count)
{
	size_t root = 1;

	while (root * root < count)
		root *= 2;
	return SHORT_TAIL + 8 * root; /* balances searching the tail against rebuilding the index */
}

bool address_map_is_settled(const struct address_map *map)
{
	return map->count - map->indexed_count <= tail_limit(map->indexed_count);
}

void address_map_settle(struct address_map *map)
{
	if (address_map_is_settled(map))
		return;
	sort_by_time(map);
	index_destroy(map->index);
	map->index = index_create(map);
	map->indexed_count = map->count;
}

/* --- adding ------------------------------------------------------------------ */

static bool overlaps(const struct address_change *a, const struct address_change *b)
{
	return a->start < b->end && b->start < a->end;
}

static bool same_mapping(const struct address_change *a, const struct address_change *b)
{
	return a->start == b->start && a->end == b->end && a->file_offset == b->file_offset &&
	       a->dso == b->dso && a->prot == b->prot;
}

/* Programs map and unmap the same file at the same place over and over; only the first time matters. */
static bool is_repetition(const struct address_map *map, const struct address_change *change)
{
	size_t i, oldest = map->count > REPEAT_DISTANCE ? map->count - REPEAT_DISTANCE : 0;

	if (change->time_ns < map->last_ns)
		return false;
	for (i = map->count; i > oldest; i--) {
		const struct address_change *earlier = &map->changes[i - 1];

		if (same_mapping(earlier, change))
			return true;
		if (overlaps(earlier, change))
			return false;
	}
	return false;
}

/* Whether so many changes are later that moving them, for one such change after the other, would take quadratic time. */
static bool comes_far_too_late(const struct address_map *map, const struct address_change *change)
{
	const size_t limit = tail_limit(map->indexed_count);

	return map->count - map->indexed_count > limit &&
	       map->changes[map->count - limit - 1].time_ns > change->time_ns;
}

static void insert(struct address_map *map, const struct address_change *change)
{
	size_t place = map->count;

	map->changes = array_grow(map->changes, &map->capacity, map->count + 1, sizeof(*map->changes));
	while (place > map->indexed_count && map->changes[place - 1].time_ns > change->time_ns)
		place--;
	memmove(&map->changes[place + 1], &map->changes[place], (map->count - place) * sizeof(*map->changes));
	map->changes[place] = *change;
	map->count++;
	if (change->time_ns < map->last_ns)
		map->version++;
	else
		map->last_ns = change->time_ns;
	if (change->time_ns < map->first_ns)
		map->first_ns = change->time_ns;
}

void address_map_add(struct address_map *map, const struct address_change *change)
{
	if (change->start >= change->end || is_repetition(map, change))
		return;
	if (change->time_ns < map->last_ns && comes_far_too_late(map, change))
		address_map_settle(map);
	insert(map, change);
}

void address_map_split(struct address_map *from, struct address_map *to, uint64_t time_ns)
{
	struct address_change *changes = from->changes;
	size_t count = from->count, i;
	uint32_t version = from->version + 1;

	index_destroy(from->index);
	address_map_init(from);
	for (i = 0; i < count; i++)
		insert(changes[i].time_ns < time_ns ? from : to, &changes[i]);
	from->version += version;
	to->version++;
	free(changes);
}

/* --- lookups ----------------------------------------------------------------- */

/* The latest of a node's changes at or before a time, if its number is greater than `best`; otherwise `best`. */
static size_t node_latest(const struct address_map *map, size_t node, uint64_t time_ns, size_t best)
{
	const struct address_index *index = map->index;
	const size_t first = index->first[node];
	const size_t low = PARTITION_POINT(i, first, index->first[node + 1],
					   map->changes[index->items[i]].time_ns <= time_ns);

	if (low == first || (best != SIZE_MAX && index->items[low - 1] < best))
		return best;
	return index->items[low - 1];
}

static size_t find_indexed(const struct address_map *map, uint64_t address, uint64_t time_ns)
{
	size_t leaf, node, best = SIZE_MAX;

	if (!map->index)
		return SIZE_MAX;
	leaf = edge_below(map->index, address);
	if (leaf == map->index->edge_count)
		return SIZE_MAX;
	for (node = leaf + map->index->width; node; node /= 2)
		best = node_latest(map, node, time_ns, best);
	return best;
}

const struct address_change *address_map_find(const struct address_map *map, uint64_t address,
					      uint64_t time_ns)
{
	const size_t indexed = find_indexed(map, address, time_ns);
	const struct address_change *best = indexed == SIZE_MAX ? NULL : &map->changes[indexed];

	for (size_t i = map->count; i > map->indexed_count; i--) {
		const struct address_change *change = &map->changes[i - 1];

		if (address >= change->start && address < change->end && change->time_ns <= time_ns)
			return !best || change->time_ns >= best->time_ns ? change : best;
	}
	return best;
}

static void narrow_to_leaf(const struct address_index *index, uint64_t address, uint64_t *start,
			   uint64_t *end)
{
	size_t leaf = edge_below(index, address);
	size_t above = leaf == index->edge_count ? 0 : leaf + 1;

	if (leaf < index->edge_count && index->edges[leaf] > *start)
		*start = index->edges[leaf];
	if (above < index->edge_count && index->edges[above] < *end)
		*end = index->edges[above];
}

void address_map_narrow(const struct address_map *map, uint64_t address, uint64_t time_ns, uint64_t *start,
			uint64_t *end)
{
	if (map->index)
		narrow_to_leaf(map->index, address, start, end);
	for (size_t i = map->indexed_count; i < map->count; i++) {
		const struct address_change *change = &map->changes[i];
		const uint64_t edges[2] = { change->start, change->end };

		if (change->time_ns > time_ns)
			continue;
		for (size_t side = 0; side < 2; side++) {
			if (edges[side] <= address && edges[side] > *start)
				*start = edges[side];
			if (edges[side] > address && edges[side] < *end)
				*end = edges[side];
		}
	}
}

/* Number of changes from `first` on, which are sorted, that are not later than time_ns. */
static size_t count_sorted(const struct address_map *map, size_t first, size_t end, uint64_t time_ns)
{
	return PARTITION_POINT(i, first, end, map->changes[i].time_ns <= time_ns) - first;
}

size_t address_map_count_at(const struct address_map *map, uint64_t time_ns)
{
	if (time_ns >= map->last_ns)
		return map->count;
	return count_sorted(map, 0, map->indexed_count, time_ns) +
	       count_sorted(map, map->indexed_count, map->count, time_ns);
}

/* Narrows the span to the time between two changes: the last of the `count` changes from `first` on, and the next one. */
static void narrow_span(const struct address_map *map, size_t first, size_t end, size_t count,
			struct time_span *span)
{
	if (count > 0 && map->changes[first + count - 1].time_ns > span->from_ns)
		span->from_ns = map->changes[first + count - 1].time_ns;
	if (first + count < end && map->changes[first + count].time_ns < span->until_ns)
		span->until_ns = map->changes[first + count].time_ns;
}

void address_map_narrow_span(const struct address_map *map, uint64_t time_ns, struct time_span *span)
{
	const size_t indexed = map->indexed_count;

	narrow_span(map, 0, indexed, count_sorted(map, 0, indexed, time_ns), span);
	narrow_span(map, indexed, map->count, count_sorted(map, indexed, map->count, time_ns), span);
}
