#include "symbol/symbol_sieve.h"

#include <stdlib.h>
#include <string.h>

#include "base/hash_table.h"
#include "base/xalloc.h"
#include "elf/elf_symtab.h"

enum {
	BUCKET_COUNT = 1 << 12, /* 16 KiB, which stay in the nearest cache */
};

/* Sorted, distinct addresses, and for equal parts of what they span the first one in each. */
struct address_set {
	uint64_t *addresses;
	size_t count;
	unsigned int shift;
	uint32_t buckets[BUCKET_COUNT + 1];
};

/* Symbols surveyed behind the previous address up to this one (for the last gap: behind all of them). */
struct gap {
	bool used, last_is_label; /* some symbol at `last` has no size */
	uint64_t first, last;     /* starts of symbols */
};

static const uint64_t NO_LABEL = UINT64_MAX; /* where no function has room */

enum noted {
	NOTED_LABEL = 1,
	NOTED_FUNCTION = 2,
	NOTED_COVERING = 4
}; /* the last: a function around an address */

struct symbol_sieve {
	struct address_set wanted;
	struct gap *gaps;         /* one more than addresses */
	struct address_set below; /* the last start at or before each address, of those that are labels */
	uint64_t *label;          /* of each address: that start, or NO_LABEL */
	int32_t *covering; /* of each `below`, how many more symbols cover it from in front than the one before */
	int32_t *around;  /* of each address, how many more symbols cover it than the one before */
	uint64_t *starts; /* whose symbols pass, whatever their size */
	uint8_t *noted;   /* of each start: enum noted */
	size_t start_count, start_capacity;
	struct vaddr_filter filter; /* of the starts */
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

/* How many are left. */
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

/* Takes over the array, which may be in any order. */
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

/* Number of the first address that is not below `start`; their count when there is none. */
static size_t first_from(const struct address_set *set, uint64_t start)
{
	size_t low, high;

	if (!set->count || start <= set->addresses[0])
		return 0;
	if (start > set->addresses[set->count - 1])
		return set->count;
	low = set->buckets[(start - set->addresses[0]) >> set->shift];
	high = set->buckets[((start - set->addresses[0]) >> set->shift) + 1];
	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (set->addresses[middle] < start)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static bool covers(const struct address_set *set, size_t from, uint64_t start, uint64_t size_bytes)
{
	return from < set->count && set->addresses[from] - start < size_bytes;
}

/* --- the sieve ------------------------------------------------------------------- */

struct symbol_sieve *symbol_sieve_create(const uint64_t *addresses, size_t count)
{
	struct symbol_sieve *sieve = xcalloc(1, sizeof(*sieve));
	uint64_t *copy = xmalloc((count + 1) * sizeof(*copy));

	if (count)
		memcpy(copy, addresses, count * sizeof(*copy));
	address_set_init(&sieve->wanted, copy, count);
	sieve->gaps = xcalloc_written(sieve->wanted.count + 1, sizeof(*sieve->gaps));
	return sieve;
}

void symbol_sieve_destroy(struct symbol_sieve *sieve)
{
	if (!sieve)
		return;
	free(sieve->wanted.addresses);
	free(sieve->below.addresses);
	free(sieve->gaps);
	free(sieve->starts);
	free(sieve->filter.bits);
	free(sieve->noted);
	free(sieve->covering);
	free(sieve->around);
	free(sieve->label);
	free(sieve);
}

static void add_start(struct symbol_sieve *sieve, uint64_t start)
{
	/* Neighbouring addresses mostly have the same neighbours. */
	if (sieve->start_count && sieve->starts[sieve->start_count - 1] == start)
		return;
	sieve->starts = array_grow(sieve->starts, &sieve->start_capacity, sieve->start_count + 1,
				   sizeof(*sieve->starts));
	sieve->starts[sieve->start_count++] = start;
}

void symbol_sieve_survey(struct symbol_sieve *sieve, uint64_t start, uint64_t size_bytes)
{
	const size_t from = first_from(&sieve->wanted, start);
	struct gap *gap = &sieve->gaps[from];

	if (covers(&sieve->wanted, from, start, size_bytes))
		add_start(sieve, start);
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

static void index_starts(struct symbol_sieve *sieve)
{
	sieve->start_count = sort_distinct(sieve->starts, sieve->start_count);
	vaddr_filter_init(&sieve->filter, sieve->starts, sieve->start_count);
	sieve->noted = xcalloc(sieve->start_count + 1, sizeof(*sieve->noted));
}

/*
 * The neighbours of each address: the last start at or before it, stored separately if it is a label's, and
 * the first start behind it.
 */
void symbol_sieve_finish(struct symbol_sieve *sieve)
{
	const size_t count = sieve->wanted.count;
	uint64_t *below = xmalloc((count + 1) * sizeof(*below));
	const struct gap *last = NULL, *next = sieve->gaps[count].used ? &sieve->gaps[count] : NULL;
	size_t below_count = 0;

	sieve->label = xmalloc((count + 1) * sizeof(*sieve->label));
	sieve->around = xcalloc(count + 1, sizeof(*sieve->around));
	for (size_t i = 0; i < count; i++) {
		if (sieve->gaps[i].used)
			last = &sieve->gaps[i];
		sieve->label[i] = last && last->last_is_label ? last->last : NO_LABEL;
		if (last)
			add_start(sieve, last->last);
		if (sieve->label[i] != NO_LABEL)
			below[below_count++] = last->last;
	}
	for (size_t i = count; i > 0; i--) {
		if (next)
			add_start(sieve, next->first);
		if (sieve->gaps[i - 1].used)
			next = &sieve->gaps[i - 1];
	}
	address_set_init(&sieve->below, below, below_count);
	sieve->covering = xcalloc(sieve->below.count + 1, sizeof(*sieve->covering));
	index_starts(sieve);
}

static const uint64_t *kept_start(const struct symbol_sieve *sieve, uint64_t start)
{
	if (!vaddr_filter_may_have(&sieve->filter, start))
		return NULL;
	return bsearch(&start, sieve->starts, sieve->start_count, sizeof(start), compare_addresses);
}

bool symbol_sieve_passes(const struct symbol_sieve *sieve, uint64_t start, uint64_t size_bytes)
{
	/* The start of a symbol that covers an address is kept, too. */
	return kept_start(sieve, start) ||
	       covers(&sieve->below, first_from(&sieve->below, start), start, size_bytes);
}

const struct vaddr_filter *symbol_sieve_filter(const struct symbol_sieve *sieve)
{
	return sieve->below.count ? NULL : &sieve->filter;
}

void symbol_sieve_note(struct symbol_sieve *sieve, uint64_t start, uint64_t size_bytes)
{
	const uint64_t *kept = kept_start(sieve, start);
	const uint64_t end = size_bytes <= UINT64_MAX - start ? start + size_bytes : UINT64_MAX;

	if (kept)
		sieve->noted[kept - sieve->starts] |= size_bytes ? NOTED_FUNCTION : NOTED_LABEL;
	if (kept && covers(&sieve->wanted, first_from(&sieve->wanted, start), start, size_bytes))
		sieve->noted[kept - sieve->starts] |= NOTED_COVERING;
	if (start < end) {
		sieve->covering[first_from(&sieve->below, start + 1)]++;
		sieve->covering[first_from(&sieve->below, end)]--;
		sieve->around[first_from(&sieve->wanted, start)]++;
		sieve->around[first_from(&sieve->wanted, end)]--;
	}
}

static uint8_t noted_at(const struct symbol_sieve *sieve, uint64_t start)
{
	return sieve->noted[kept_start(sieve, start) - sieve->starts];
}

static bool is_below(const struct symbol_sieve *sieve, uint64_t start)
{
	const size_t from = first_from(&sieve->below, start);

	return from < sieve->below.count && sieve->below.addresses[from] == start;
}

/*
 * Passes a label at the start of a function. The symbol that may contain it has passed if the label is the
 * last start below an address. The label ends at the next start, unless that is a label of the same function.
 * A symbol that is neither the last below an address nor covers one only limits the size of others.
 */
static bool pair_is_sound(const struct symbol_sieve *sieve, size_t number)
{
	if (!is_below(sieve, sieve->starts[number]))
		return !(sieve->noted[number] & NOTED_COVERING);
	return number + 1 == sieve->start_count || sieve->noted[number + 1] != NOTED_LABEL;
}

static bool start_is_sound(const struct symbol_sieve *sieve, size_t number)
{
	const uint8_t noted = sieve->noted[number];

	if (noted & NOTED_LABEL && noted & NOTED_FUNCTION)
		return pair_is_sound(sieve, number);
	return noted != 0;
}

/*
 * A label in a function is dropped, and what its addresses are depends on what comes before it, unless a function is
 * around them.
 */
static bool labels_are_sound(const struct symbol_sieve *sieve)
{
	int64_t covering = 0, around = 0;
	size_t below = 0;

	for (size_t i = 0; i < sieve->wanted.count; i++) {
		const uint64_t label = sieve->label[i];

		around += sieve->around[i];
		if (label == NO_LABEL)
			continue;
		while (below < sieve->below.count && sieve->below.addresses[below] <= label)
			covering += sieve->covering[below++];
		if (covering > 0 && around == 0 && noted_at(sieve, label) == NOTED_LABEL)
			return false;
	}
	return true;
}

bool symbol_sieve_is_sound(const struct symbol_sieve *sieve)
{
	for (size_t i = 0; i < sieve->start_count; i++)
		if (!start_is_sound(sieve, i))
			return false;
	return labels_are_sound(sieve);
}

bool symbol_sieve_has(const struct symbol_sieve *sieve, uint64_t address)
{
	const size_t from = first_from(&sieve->wanted, address);

	return from < sieve->wanted.count && sieve->wanted.addresses[from] == address;
}
