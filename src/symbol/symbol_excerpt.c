/*
 * From the last symbol that begins at or before an address the search goes back, start by start, and marks the aliases
 * wherever one of them reaches the address. It ends at a start whose symbols all do, or when the running maximum of ends
 * says that none further back can.
 */
#include "symbol/symbol_excerpt.h"

#include <stdlib.h>

#include "base/xalloc.h"

struct search {
	const struct symbol_map *map;
	size_t count;
	uint64_t *highest; /* the highest end of all entries up to each */
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

/* How many entries begin at or below. */
static size_t count_up_to(const struct search *search, uint64_t vaddr)
{
	size_t low = 0, high = search->count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (symbol_map_entry(search->map, middle)->start <= vaddr)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* All that begin where number `last` does; do all of them reach the address? The first of them. */
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
		/* Without a size it loses against any that has one. */
		*all_reach &= reaches || entry->end == entry->start;
	}
	for (size_t i = first; any && i <= last; i++)
		search->wanted[i] = true;
	*all_reach &= any;
	return first;
}

/*
 * The innermost symbol names an address: the one that begins last. Where an alias of it ends in front of the address,
 * the next one around may be it, too, whichever alias is chosen.
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
