/*
 * The search goes back from the last symbol that starts at or before an address, start by start, and marks all aliases of a
 * start if one of them reaches the address. It ends at a start whose symbols all reach the address, or when the running
 * maximum of ends shows that no earlier symbol can.
 */
#include "symbol/symbol_excerpt.h"

#include <stdlib.h>

#include "base/partition_point.h"
#include "base/xalloc.h"

struct search {
	const struct symbol_map *map;
	size_t count;
	uint64_t *highest; /* of each entry: the highest end of all entries up to it */
	bool *wanted;
};

static void search_init(struct search *search, const struct symbol_map *map)
{
	uint64_t highest = 0;

	*search = (struct search){ .map = map, .count = symbol_map_count(map) };
	search->highest = xmalloc((search->count + 1) * sizeof(*search->highest));
	search->wanted = xcalloc(search->count + 1, sizeof(*search->wanted));
	for (size_t i = 0; i < search->count; i++) {
		const uint64_t end = symbol_map_entry(map, i)->end;

		if (end > highest)
			highest = end;
		search->highest[i] = highest;
	}
}

static void search_fini(struct search *search)
{
	free(search->highest);
	free(search->wanted);
}

/* Number of entries that start at or below `vaddr`. */
static size_t count_up_to(const struct search *search, uint64_t vaddr)
{
	return PARTITION_POINT(i, 0, search->count, symbol_map_entry(search->map, i)->start <= vaddr);
}

/*
 * Marks all entries with the start of number `last` if any of them reaches the address. Returns the first of them;
 * *all_reach tells whether each of them reaches it.
 */
static size_t want_aliases(struct search *search, size_t last, uint64_t vaddr, bool *all_reach)
{
	const uint64_t start = symbol_map_entry(search->map, last)->start;
	bool any = false;
	size_t first = last + 1;

	*all_reach = true;
	while (first > 0 && symbol_map_entry(search->map, first - 1)->start == start) {
		const struct symbol_map_entry *entry = symbol_map_entry(search->map, --first);
		const bool reaches = entry->end > vaddr;

		any |= reaches;
		/* An entry without a size loses against any alias with one. */
		*all_reach &= reaches || entry->end == entry->start;
	}
	for (size_t i = first; any && i <= last; i++)
		search->wanted[i] = true;
	*all_reach &= any;
	return first;
}

/*
 * Marks the symbol that names an address: the innermost one, which starts last. If one of its aliases ends before the
 * address and is the alias chosen, the next symbol around names the address, so that is marked, too.
 */
static void want(struct search *search, uint64_t vaddr)
{
	size_t next = count_up_to(search, vaddr);
	bool found = false;

	while (!found && next > 0 && search->highest[next - 1] > vaddr)
		next = want_aliases(search, next - 1, vaddr, &found);
}

void symbol_excerpt_make(struct elf_excerpt *excerpt, const struct symbol_map *settled,
			 const uint64_t *file_offsets, size_t count)
{
	struct search search;
	uint64_t vaddr;

	search_init(&search, settled);
	for (size_t i = 0; i < count; i++)
		if (elf_file_offset_to_vaddr(elf_excerpt_of(excerpt), file_offsets[i], &vaddr) == 0)
			want(&search, vaddr);
	for (size_t i = 0; i < search.count; i++) {
		const struct symbol_map_entry *entry = symbol_map_entry(settled, i);

		if (search.wanted[i] && entry->end > entry->start)
			elf_excerpt_add_symbol(excerpt, entry->name, entry->start, entry->end - entry->start,
					       entry->binding);
	}
	search_fini(&search);
}
