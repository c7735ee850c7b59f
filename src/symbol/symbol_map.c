/*
 * Sealing works in stages: sort, drop inner labels, fill in missing sizes, choose among aliases, then sweep over the
 * addresses with a heap of the symbols that are open, which cuts overlapping symbols into segments of one owner each. A
 * search is a table of buckets and a short binary search. The rules for sizes and aliases are perf's.
 */
#include "symbol/symbol_map.h"

#include <elf.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/partition_point.h"
#include "base/radix_sort.h"
#include "base/xalloc.h"

enum {
	/* perf rounds the end of a module's last symbol up to such pages, on every machine */
	PAGE_BYTES = 4096,
	MAX_BUCKETS = 1 << 22,
};
static const uint32_t NO_OWNER = UINT32_MAX;

/*
 * After sealing, the address space is cut into segments. Each belongs to one entry or to none, so a search need not
 * consider overlaps. A table of buckets of equal width narrows the binary search to a few segments.
 */
struct symbol_map {
	struct symbol_map_entry *entries;
	size_t count;
	size_t capacity;
	uint64_t *segment_starts;
	uint32_t *segment_owners;
	size_t segment_count;
	uint32_t *buckets; /* number of the first segment that starts at or after the bucket's start */
	size_t bucket_count;
	unsigned bucket_shift;
	struct sorted_symbols sorted; /* count 0: the map was filled by symbol_map_add() */
};

struct symbol_map *symbol_map_create(void)
{
	return xcalloc(1, sizeof(struct symbol_map));
}

void symbol_map_destroy(struct symbol_map *map)
{
	if (!map)
		return;
	free(map->entries);
	free(map->segment_starts);
	free(map->segment_owners);
	free(map->buckets);
	free(map);
}

void symbol_map_add(struct symbol_map *map, uint64_t start, uint64_t size_bytes, const char *name,
		    uint8_t binding, uint16_t group, uint8_t flags)
{
	if (map->count == UINT32_MAX - 1)
		return;
	map->entries = array_grow(map->entries, &map->capacity, map->count + 1, sizeof(*map->entries));
	map->entries[map->count] = (struct symbol_map_entry){
		.start = start,
		.end = size_bytes <= UINT64_MAX - start ? start + size_bytes : UINT64_MAX,
		.name = name,
		.sequence = (uint32_t)map->count,
		.group = group,
		.binding = binding,
		.flags = flags,
	};
	map->count++;
}

size_t symbol_map_count(const struct symbol_map *map)
{
	return map->count;
}

const struct symbol_map_entry *symbol_map_entry(const struct symbol_map *map, size_t number)
{
	return &map->entries[number];
}

/* --- order ---------------------------------------------------------------- */

/* Number of entries at the beginning that are already in their final position: kernel lists are sorted except for modules. */
static size_t count_sorted(const struct symbol_map *map)
{
	size_t sorted = 1;
	uint64_t least = UINT64_MAX;

	if (map->count == 0)
		return 0;
	while (sorted < map->count && map->entries[sorted - 1].start <= map->entries[sorted].start)
		sorted++;
	for (size_t i = sorted; i < map->count; i++)
		if (map->entries[i].start < least)
			least = map->entries[i].start;
	while (sorted > 0 && map->entries[sorted - 1].start > least)
		sorted--;
	return sorted;
}

static void sort_entries(struct symbol_map *map)
{
	const size_t first = count_sorted(map), count = map->count - first;
	struct symbol_map_entry *entries;
	struct radix_item *keys;

	if (count == 0)
		return;
	keys = xmalloc(count * sizeof(*keys));
	entries = xmalloc(count * sizeof(*entries));
	for (size_t i = 0; i < count; i++)
		keys[i] = (struct radix_item){ map->entries[first + i].start, (uint32_t)(first + i) };
	radix_sort(keys,
		   count); /* stable: entries with the same start keep the order in which they were added */
	for (size_t i = 0; i < count; i++)
		entries[i] = map->entries[keys[i].number];
	memcpy(map->entries + first, entries, count * sizeof(*entries));
	free(entries);
	free(keys);
}

/* --- missing sizes ----------------------------------------------------------- */

static uint64_t end_of_next_page(uint64_t address)
{
	uint64_t rounded = (address + 2 * PAGE_BYTES - 1) & ~(uint64_t)(PAGE_BYTES - 1);

	return rounded > address ? rounded : UINT64_MAX;
}

/*
 * A symbol without a size extends to the next symbol; the last one of a module or of the whole map extends to the end of
 * the next page. As in perf, this happens before aliases are dropped, so only the last of several aliases without sizes
 * gets one.
 */
static void fill_sizes(struct symbol_map *map)
{
	for (size_t i = 0; i < map->count; i++) {
		struct symbol_map_entry *entry = &map->entries[i];
		const struct symbol_map_entry *next = i + 1 < map->count ? entry + 1 : NULL;

		if (entry->end != entry->start)
			continue;
		entry->flags |= SYMBOL_MAP_NO_SIZE;
		entry->end =
			next && next->group == entry->group ? next->start : end_of_next_page(entry->start);
	}
}

/* A label inside a function with a size is not a function of its own: if kept, it would own the rest of that function. */
static void drop_inner_labels(struct symbol_map *map)
{
	uint64_t function_start = 0, function_end = 0;
	size_t kept = 0;

	for (size_t i = 0; i < map->count; i++) {
		const struct symbol_map_entry *entry = &map->entries[i];

		if (entry->end == entry->start && entry->start > function_start &&
		    entry->start < function_end)
			continue;
		if (entry->end > function_end) {
			function_start = entry->start;
			function_end = entry->end;
		}
		map->entries[kept++] = *entry;
	}
	map->count = kept;
}

/* --- aliases ------------------------------------------------------------------- */

struct alias_choice {
	symbol_map_demangle *demangle;
	void *context;
};

static size_t leading_underscores(const char *name)
{
	return strspn(name, "_");
}

/*
 * Constructors and destructors have two names, one for the complete and one for the base object ("C1" and "C2"), which are
 * equal when demangled (Itanium C++ ABI, 5.1.4.3). Most aliases in C++ programs are such pairs.
 */
static bool is_structor_pair(const char *a, const char *b)
{
	size_t i = 0;

	while (a[i] == b[i] && a[i])
		i++;
	if (i == 0 || (a[i - 1] != 'C' && a[i - 1] != 'D'))
		return false;
	return a[i] >= '0' && a[i] <= '5' && b[i] >= '0' && b[i] <= '5' && strcmp(a + i + 1, b + i + 1) == 0;
}

static const char *shown_name(const struct symbol_map_entry *entry, const struct alias_choice *choice)
{
	const char *demangled = NULL;

	if (choice->demangle && !(entry->flags & SYMBOL_MAP_DEMANGLED))
		demangled = choice->demangle(entry->name, choice->context);
	return demangled ? demangled : entry->name;
}

/*
 * Prefers fewer leading underscores, then the longer name. Of equally long names the first wins unless it is an "SyS_"
 * alias.
 */
static bool first_name_wins(const struct symbol_map_entry *a, const struct symbol_map_entry *b,
			    const struct alias_choice *choice)
{
	const char *name_a, *name_b;
	size_t underscores_a, underscores_b, length_a, length_b;

	if (is_structor_pair(a->name, b->name))
		return true;
	name_a = shown_name(a, choice);
	name_b = shown_name(b, choice);
	underscores_a = leading_underscores(name_a);
	underscores_b = leading_underscores(name_b);
	if (underscores_a != underscores_b)
		return underscores_a < underscores_b;
	length_a = strlen(name_a);
	length_b = strlen(name_b);
	if (length_a != length_b)
		return length_a > length_b;
	return strncmp(name_a, "SyS", 3) != 0 && strncmp(name_a, "compat_SyS", 10) != 0;
}

/* perf's choice: prefers a symbol with a size, then one that is not weak, then a global one, then decides by name. */
static bool first_alias_wins(const struct symbol_map_entry *a, const struct symbol_map_entry *b,
			     const struct alias_choice *choice)
{
	bool sized_a = a->end > a->start, sized_b = b->end > b->start;
	bool weak_a = a->binding == STB_WEAK, weak_b = b->binding == STB_WEAK;
	bool global_a = a->binding == STB_GLOBAL, global_b = b->binding == STB_GLOBAL;

	if (sized_a != sized_b)
		return sized_a;
	if (weak_a != weak_b)
		return weak_b;
	if (global_a != global_b)
		return global_a;
	return first_name_wins(a, b, choice);
}

static void choose_aliases(struct symbol_map *map, const struct alias_choice *choice)
{
	size_t kept = 0;

	for (size_t i = 0; i < map->count; i++) {
		struct symbol_map_entry *last = kept ? &map->entries[kept - 1] : NULL;
		const struct symbol_map_entry *entry = &map->entries[i];

		if (!last || last->start != entry->start)
			map->entries[kept++] = *entry;
		else if (!first_alias_wins(last, entry, choice))
			*last = *entry;
	}
	map->count = kept;
}

/* Code made at run time: the latest symbol describes the code that is there now, whatever its name. */
static void keep_youngest_aliases(struct symbol_map *map)
{
	size_t kept = 0;

	for (size_t i = 0; i < map->count; i++) {
		if (kept && map->entries[kept - 1].start == map->entries[i].start &&
		    map->entries[kept - 1].end <= map->entries[i].end)
			kept--;
		map->entries[kept++] = map->entries[i];
	}
	map->count = kept;
}

/* --- segments -------------------------------------------------------------------- */

/* A heap of the entries that cover the sweep's current address. The one on top owns the address. */
struct open_entries {
	const struct symbol_map *map;
	bool youngest;
	uint32_t *heap;
	size_t count;
};

static bool outranks(const struct open_entries *open, uint32_t a, uint32_t b)
{
	if (open->youngest)
		return open->map->entries[a].sequence > open->map->entries[b].sequence;
	return a > b; /* entries are sorted by start: the later one is nested deeper */
}

static void open_push(struct open_entries *open, uint32_t entry)
{
	size_t at = open->count++;

	while (at > 0 && outranks(open, entry, open->heap[(at - 1) / 2])) {
		open->heap[at] = open->heap[(at - 1) / 2];
		at = (at - 1) / 2;
	}
	open->heap[at] = entry;
}

static void open_pop(struct open_entries *open)
{
	uint32_t moved = open->heap[--open->count];
	size_t at = 0;

	for (size_t child = 1; child < open->count; child = 2 * at + 1) {
		if (child + 1 < open->count && outranks(open, open->heap[child + 1], open->heap[child]))
			child++;
		if (!outranks(open, open->heap[child], moved))
			break;
		open->heap[at] = open->heap[child];
		at = child;
	}
	if (open->count)
		open->heap[at] = moved;
}

static void add_segment(struct symbol_map *map, uint64_t start, const struct open_entries *open)
{
	uint32_t owner = open->count ? open->heap[0] : NO_OWNER;
	size_t last = map->segment_count - 1;

	if (map->segment_count && map->segment_starts[last] == start)
		map->segment_count--;
	else if (map->segment_count && map->segment_owners[last] == owner)
		return;
	map->segment_starts[map->segment_count] = start;
	map->segment_owners[map->segment_count++] = owner;
}

/* Closes entries that end at or before `limit`. Where the owner ends, a segment of the next owner begins. */
static void close_until(struct symbol_map *map, struct open_entries *open, uint64_t limit)
{
	while (open->count && map->entries[open->heap[0]].end <= limit) {
		uint64_t end = map->entries[open->heap[0]].end;

		while (open->count && map->entries[open->heap[0]].end <= end)
			open_pop(open);
		add_segment(map, end, open);
	}
}

static void build_segments(struct symbol_map *map, bool youngest)
{
	struct open_entries open = { .map = map, .youngest = youngest };

	open.heap = xcalloc(map->count, sizeof(*open.heap));
	map->segment_starts = xcalloc(2 * map->count, sizeof(*map->segment_starts));
	map->segment_owners = xcalloc(2 * map->count, sizeof(*map->segment_owners));
	for (size_t i = 0; i < map->count; i++) {
		close_until(map, &open, map->entries[i].start);
		if (map->entries[i].end == map->entries[i].start)
			continue;
		open_push(&open, (uint32_t)i);
		add_segment(map, map->entries[i].start, &open);
	}
	close_until(map, &open, UINT64_MAX);
	free(open.heap);
}

/* Frees the space of dropped aliases and of segments that were not needed. */
static void give_back_room(struct symbol_map *map)
{
	map->entries = xrealloc(map->entries, map->count * sizeof(*map->entries) + 1);
	map->capacity = map->count;
	map->segment_starts =
		xrealloc(map->segment_starts, map->segment_count * sizeof(*map->segment_starts) + 1);
	map->segment_owners =
		xrealloc(map->segment_owners, map->segment_count * sizeof(*map->segment_owners) + 1);
}

static void build_buckets(struct symbol_map *map)
{
	uint64_t span;
	size_t segment = 0;

	if (map->segment_count == 0)
		return;
	span = map->segment_starts[map->segment_count - 1] - map->segment_starts[0];
	while (span >> map->bucket_shift >= map->segment_count || span >> map->bucket_shift >= MAX_BUCKETS)
		map->bucket_shift++;
	map->bucket_count = (size_t)(span >> map->bucket_shift) + 1;
	map->buckets = xcalloc(map->bucket_count + 1, sizeof(*map->buckets));
	for (size_t bucket = 0; bucket < map->bucket_count; bucket++) {
		while (map->segment_starts[segment] - map->segment_starts[0] < (uint64_t)bucket
										       << map->bucket_shift)
			segment++;
		map->buckets[bucket] = (uint32_t)segment;
	}
	map->buckets[map->bucket_count] = (uint32_t)map->segment_count;
}

void symbol_map_settle(struct symbol_map *map, enum symbol_map_overlap overlap)
{
	sort_entries(map);
	if (overlap == SYMBOL_MAP_INNERMOST_FUNCTION)
		drop_inner_labels(map);
	fill_sizes(map);
}

void symbol_map_seal(struct symbol_map *map, enum symbol_map_overlap overlap, symbol_map_demangle *demangle,
		     void *context)
{
	struct alias_choice choice = { demangle, context };

	symbol_map_settle(map, overlap);
	if (overlap == SYMBOL_MAP_YOUNGEST)
		keep_youngest_aliases(map);
	else
		choose_aliases(map, &choice);
	build_segments(map, overlap == SYMBOL_MAP_YOUNGEST);
	give_back_room(map);
	build_buckets(map);
}

/* --- symbols that are sorted already ---------------------------------------------- */

struct symbol_map *symbol_map_of_sorted(const struct sorted_symbols *symbols)
{
	struct symbol_map *map = symbol_map_create();

	map->sorted = *symbols;
	map->count = symbols->count;
	map->entries = xcalloc(map->count, sizeof(*map->entries));
	return map;
}

static uint64_t sorted_start(const struct sorted_symbols *sorted, uint32_t number)
{
	return sorted->base + sorted_symbols_number(sorted->starts, number);
}

static struct symbol_map_entry *find_sorted(struct symbol_map *map, uint64_t address)
{
	const struct sorted_symbols *sorted = &map->sorted;
	uint32_t low = 0, high = sorted->count;

	if (address < sorted->base || address >= sorted->end)
		return NULL;
	while (high - low > 1) {
		uint32_t middle = low + (high - low) / 2;

		if (sorted_start(sorted, middle) <= address)
			low = middle;
		else
			high = middle;
	}
	map->entries[low] = (struct symbol_map_entry){
		.start = sorted_start(sorted, low),
		.end = high < sorted->count ? sorted_start(sorted, high) : sorted->end,
		.name = sorted->text + sorted_symbols_number(sorted->names, low),
		.sequence = low,
		.binding = sorted->bindings[low],
		.flags = SYMBOL_MAP_DEMANGLED | SYMBOL_MAP_NO_SIZE,
	};
	return &map->entries[low];
}

struct symbol_map_entry *symbol_map_find(struct symbol_map *map, uint64_t address)
{
	size_t bucket, low, high;

	if (map->sorted.count)
		return find_sorted(map, address);
	if (map->segment_count == 0 || address < map->segment_starts[0])
		return NULL;
	bucket = (size_t)((address - map->segment_starts[0]) >> map->bucket_shift);
	if (bucket >= map->bucket_count)
		bucket = map->bucket_count - 1;
	/* The segment sought starts before segment `high`, and is segment `low` - 1 or a later one. */
	low = map->buckets[bucket];
	high = map->buckets[bucket + 1];
	low = PARTITION_POINT(i, low, high, map->segment_starts[i] <= address);
	if (low == 0 || map->segment_owners[low - 1] == NO_OWNER)
		return NULL;
	return &map->entries[map->segment_owners[low - 1]];
}
