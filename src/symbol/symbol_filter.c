/*
 * The wanted addresses cut the address space into gaps. The survey keeps only the first and last start of a symbol in each
 * gap, and every start of a symbol that covers an address. symbol_filter_finish() turns these into the starts that pass.
 * Notes taken in the second pass detect the rare layouts for which this choice is not enough.
 */
#include "symbol/symbol_filter.h"

#include <stdlib.h>
#include <string.h>

#include "base/partition_point.h"
#include "base/xalloc.h"
#include "elf/elf_symtab.h"

enum {
	BUCKET_COUNT = 1 << 12, /* as a table 16 KiB, which fit into the L1 cache */
};

/* Sorted, distinct addresses. Their span is divided into equal buckets; each has the number of the first address in it. */
struct address_set {
	uint64_t *addresses;
	size_t count;
	unsigned int shift;
	uint32_t buckets[BUCKET_COUNT + 1];
};

/* Describes the symbols surveyed that start after the previous address and up to this one (last gap: after all addresses). */
struct gap {
	bool used, last_is_label; /* last_is_label: some symbol that starts at `last` has no size */
	uint64_t first, last;     /* lowest and highest start of a symbol */
};

static const uint64_t NO_LABEL = UINT64_MAX; /* no function can start there */

enum noted {
	NOTED_LABEL = 1,
	NOTED_FUNCTION = 2,
	NOTED_COVERING = 4
}; /* NOTED_COVERING: a function that covers an address */

struct symbol_filter {
	struct address_set wanted;
	struct gap *gaps;         /* one more than addresses */
	struct address_set below; /* the starts in `label` */
	uint64_t *label; /* of each address: the last start at or before it if a label is there, else NO_LABEL */
	int32_t *covering; /* of each `below`: how many more symbols that start before it cover it than cover the previous one */
	int32_t *around;  /* of each address: how many more symbols cover it than cover the previous one */
	uint64_t *starts; /* symbols with these starts pass, whatever their size */
	uint8_t *noted;   /* of each start: enum noted flags */
	size_t start_count, start_capacity;
	struct vaddr_filter starts_filter; /* of the starts */
};

static int compare_addresses(const void *a, const void *b)
{
	const uint64_t *left = a, *right = b;

	return *left < *right ? -1 : *left > *right;
}

/* --- sets of addresses ---------------------------------------------------------- */

static void fill_buckets(struct address_set *set)
{
	size_t next = 0;

	for (size_t bucket = 0; bucket <= BUCKET_COUNT; bucket++) {
		while (next < set->count &&
		       (set->addresses[next] - set->addresses[0]) >> set->shift < (uint64_t)bucket)
			next++;
		set->buckets[bucket] = (uint32_t)next;
	}
}

/* Returns the number of distinct addresses. */
static size_t sort_distinct(uint64_t *addresses, size_t count)
{
	size_t distinct = 0, sorted = 1;

	while (sorted < count && addresses[sorted - 1] <= addresses[sorted])
		sorted++;
	if (sorted < count)
		qsort(addresses, count, sizeof(*addresses), compare_addresses);
	for (size_t i = 0; i < count; i++)
		if (!distinct || addresses[i] != addresses[distinct - 1])
			addresses[distinct++] = addresses[i];
	return distinct;
}

/* Takes ownership of the array, which may be in any order. */
static void address_set_init(struct address_set *set, uint64_t *addresses, size_t count)
{
	const size_t distinct = sort_distinct(addresses, count);

	set->addresses = addresses;
	set->count = distinct;
	set->shift = 0;
	while (distinct && (addresses[distinct - 1] - addresses[0]) >> set->shift >= BUCKET_COUNT)
		set->shift++;
	fill_buckets(set);
}

/* Number of the first address at or above `start`; set->count if there is none. */
static size_t first_from(const struct address_set *set, uint64_t start)
{
	size_t low, high;

	if (!set->count || start <= set->addresses[0])
		return 0;
	if (start > set->addresses[set->count - 1])
		return set->count;
	low = set->buckets[(start - set->addresses[0]) >> set->shift];
	high = set->buckets[((start - set->addresses[0]) >> set->shift) + 1];
	return PARTITION_POINT(i, low, high, set->addresses[i] < start);
}

static bool covers(const struct address_set *set, size_t from, uint64_t start, uint64_t size_bytes)
{
	return from < set->count && set->addresses[from] - start < size_bytes;
}

/* --- the filter ------------------------------------------------------------------ */

struct symbol_filter *symbol_filter_create(const uint64_t *addresses, size_t count)
{
	struct symbol_filter *filter = xcalloc(1, sizeof(*filter));
	uint64_t *copy = xmalloc((count + 1) * sizeof(*copy));

	if (count)
		memcpy(copy, addresses, count * sizeof(*copy));
	address_set_init(&filter->wanted, copy, count);
	filter->gaps = xcalloc_written(filter->wanted.count + 1, sizeof(*filter->gaps));
	return filter;
}

void symbol_filter_destroy(struct symbol_filter *filter)
{
	if (!filter)
		return;
	free(filter->wanted.addresses);
	free(filter->below.addresses);
	free(filter->gaps);
	free(filter->starts);
	free(filter->starts_filter.bits);
	free(filter->noted);
	free(filter->covering);
	free(filter->around);
	free(filter->label);
	free(filter);
}

static void add_start(struct symbol_filter *filter, uint64_t start)
{
	/* Adjacent addresses mostly have the same neighbours. */
	if (filter->start_count && filter->starts[filter->start_count - 1] == start)
		return;
	*ARRAY_ADD(filter->starts, filter->start_count, filter->start_capacity) = start;
}

void symbol_filter_survey(struct symbol_filter *filter, uint64_t start, uint64_t size_bytes)
{
	const size_t from = first_from(&filter->wanted, start);
	struct gap *gap = &filter->gaps[from];

	if (covers(&filter->wanted, from, start, size_bytes))
		add_start(filter, start);
	if (!gap->used || start < gap->first)
		gap->first = start;
	if (!gap->used || start > gap->last) {
		gap->last = start;
		gap->last_is_label = false;
	}
	if (start == gap->last && size_bytes == 0)
		gap->last_is_label = true;
	gap->used = true;
}

static void index_starts(struct symbol_filter *filter)
{
	filter->start_count = sort_distinct(filter->starts, filter->start_count);
	vaddr_filter_init(&filter->starts_filter, filter->starts, filter->start_count);
	filter->noted = xcalloc(filter->start_count + 1, sizeof(*filter->noted));
}

/*
 * Collects the neighbours of each address: the last start at or before it, stored separately if it is a label's, and the
 * first start after it.
 */
void symbol_filter_finish(struct symbol_filter *filter)
{
	const size_t count = filter->wanted.count;
	uint64_t *below = xmalloc((count + 1) * sizeof(*below));
	const struct gap *last = NULL, *next = filter->gaps[count].used ? &filter->gaps[count] : NULL;
	size_t below_count = 0;

	filter->label = xmalloc((count + 1) * sizeof(*filter->label));
	filter->around = xcalloc(count + 1, sizeof(*filter->around));
	for (size_t i = 0; i < count; i++) {
		if (filter->gaps[i].used)
			last = &filter->gaps[i];
		filter->label[i] = last && last->last_is_label ? last->last : NO_LABEL;
		if (last)
			add_start(filter, last->last);
		if (filter->label[i] != NO_LABEL)
			below[below_count++] = last->last;
	}
	for (size_t i = count; i > 0; i--) {
		if (next)
			add_start(filter, next->first);
		if (filter->gaps[i - 1].used)
			next = &filter->gaps[i - 1];
	}
	address_set_init(&filter->below, below, below_count);
	filter->covering = xcalloc(filter->below.count + 1, sizeof(*filter->covering));
	index_starts(filter);
}

static const uint64_t *kept_start(const struct symbol_filter *filter, uint64_t start)
{
	if (!vaddr_filter_may_have(&filter->starts_filter, start))
		return NULL;
	return bsearch(&start, filter->starts, filter->start_count, sizeof(start), compare_addresses);
}

bool symbol_filter_passes(const struct symbol_filter *filter, uint64_t start, uint64_t size_bytes)
{
	/* Starts of symbols that cover an address are among those kept, too. */
	return kept_start(filter, start) ||
	       covers(&filter->below, first_from(&filter->below, start), start, size_bytes);
}

const struct vaddr_filter *symbol_filter_vaddrs(const struct symbol_filter *filter)
{
	return filter->below.count ? NULL : &filter->starts_filter;
}

void symbol_filter_note(struct symbol_filter *filter, uint64_t start, uint64_t size_bytes)
{
	const uint64_t *kept = kept_start(filter, start);
	const uint64_t end = size_bytes <= UINT64_MAX - start ? start + size_bytes : UINT64_MAX;

	if (kept)
		filter->noted[kept - filter->starts] |= size_bytes ? NOTED_FUNCTION : NOTED_LABEL;
	if (kept && covers(&filter->wanted, first_from(&filter->wanted, start), start, size_bytes))
		filter->noted[kept - filter->starts] |= NOTED_COVERING;
	if (start < end) {
		filter->covering[first_from(&filter->below, start + 1)]++;
		filter->covering[first_from(&filter->below, end)]--;
		filter->around[first_from(&filter->wanted, start)]++;
		filter->around[first_from(&filter->wanted, end)]--;
	}
}

static uint8_t noted_at(const struct symbol_filter *filter, uint64_t start)
{
	return filter->noted[kept_start(filter, start) - filter->starts];
}

static bool is_below(const struct symbol_filter *filter, uint64_t start)
{
	const size_t from = first_from(&filter->below, start);

	return from < filter->below.count && filter->below.addresses[from] == start;
}

/*
 * Decides about a label and a function with the same start. If that start is the last one below an address, any symbol that
 * may contain the label has passed; the label ends at the next start, unless that is a label of the same function. If the
 * start is not the last one below an address and the function covers no address, the pair only limits the size of other
 * symbols.
 */
static bool pair_is_sound(const struct symbol_filter *filter, size_t number)
{
	if (!is_below(filter, filter->starts[number]))
		return !(filter->noted[number] & NOTED_COVERING);
	return number + 1 == filter->start_count || filter->noted[number + 1] != NOTED_LABEL;
}

static bool start_is_sound(const struct symbol_filter *filter, size_t number)
{
	const uint8_t noted = filter->noted[number];

	if (noted & NOTED_LABEL && noted & NOTED_FUNCTION)
		return pair_is_sound(filter, number);
	return noted != 0;
}

/*
 * Sealing drops a label inside a function. The names of the addresses after such a label then depend on symbols before it,
 * unless a function covers those addresses.
 */
static bool labels_are_sound(const struct symbol_filter *filter)
{
	int64_t covering = 0, around = 0;
	size_t below = 0;

	for (size_t i = 0; i < filter->wanted.count; i++) {
		const uint64_t label = filter->label[i];

		around += filter->around[i];
		if (label == NO_LABEL)
			continue;
		while (below < filter->below.count && filter->below.addresses[below] <= label)
			covering += filter->covering[below++];
		if (covering > 0 && around == 0 && noted_at(filter, label) == NOTED_LABEL)
			return false;
	}
	return true;
}

bool symbol_filter_is_sound(const struct symbol_filter *filter)
{
	for (size_t i = 0; i < filter->start_count; i++)
		if (!start_is_sound(filter, i))
			return false;
	return labels_are_sound(filter);
}

bool symbol_filter_has(const struct symbol_filter *filter, uint64_t address)
{
	const size_t from = first_from(&filter->wanted, address);

	return from < filter->wanted.count && filter->wanted.addresses[from] == address;
}
