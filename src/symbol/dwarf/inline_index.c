/*
 * Walks the tree of entries and keeps functions and inlined calls that have code, in preorder, so that a search can skip a
 * whole subtree by its `end`. Without a list of wanted addresses, the first walk stops at functions; read_whole() walks a
 * function again for its inlined calls when an address in it is looked up. Depth and number of ranges are limited, because
 * files may be damaged.
 */
#include "symbol/dwarf/inline_index.h"

#include <dwarf.h>
#include <stdlib.h>

#include "base/partition_point.h"
#include "base/xalloc.h"

#define NO_SCOPE UINT32_MAX

/* Search for functions with the functions inlined into them, for functions only, or for inlined functions only. */
enum walk_kind { WALK_BOTH, WALK_FUNCTIONS, WALK_INLINED };

struct walk {
	struct inline_index *index;
	enum walk_kind kind;
	const uint64_t *wanted; /* NULL: any address */
	size_t wanted_count;
};

/* Where in the tree an entry is. */
struct place {
	uint32_t scope;      /* NO_SCOPE: in no wanted function */
	bool functions_only; /* in a function that is not wanted: only functions nested in it count */
	int depth;
};

/* Deeper than any known code. To find an entry's next sibling, libdw reads everything nested in the entry again. */
enum { MAX_ENTRY_DEPTH = 2 * INLINE_MAX_DEPTH };

/* --- scopes ------------------------------------------------------------------------------------------- */

static bool is_wanted(const struct walk *walk, const struct dwarf_range *range)
{
	size_t low;

	if (!walk->wanted)
		return true;
	low = PARTITION_POINT(i, 0, walk->wanted_count, walk->wanted[i] < range->low);
	return low < walk->wanted_count && walk->wanted[low] < range->high;
}

/* Appends the entry's ranges that are code and wanted; returns their number. */
static size_t add_ranges(struct walk *walk, Dwarf_Die *entry)
{
	struct dwarf_ranges *ranges = &walk->index->ranges;
	size_t first = ranges->count, kept = first;

	dwarf_ranges_add(ranges, entry);
	for (size_t i = first; i < ranges->count; i++)
		if (walk->index->is_code(ranges->items[i].low, walk->index->context) &&
		    is_wanted(walk, &ranges->items[i]))
			ranges->items[kept++] = ranges->items[i];
	ranges->count = kept;
	return kept - first;
}

static void add_functions(struct inline_index *index, uint32_t number)
{
	const struct inline_scope *scope = &index->scopes[number];

	for (uint32_t i = 0; i < scope->range_count; i++) {
		const struct dwarf_range *range = &index->ranges.items[scope->first_range + i];

		owned_ranges_add(&index->functions, range->low, range->high, number);
	}
}

/* Adds a scope for the entry and returns its number; NO_SCOPE if it has no wanted code. */
static uint32_t add_scope(struct walk *walk, Dwarf_Die *entry, bool is_function)
{
	struct inline_index *index = walk->index;
	size_t first = index->ranges.count, count = add_ranges(walk, entry);
	uint32_t number = (uint32_t)index->scope_count;

	if (count == 0)
		return NO_SCOPE;
	*ARRAY_ADD(index->scopes, index->scope_count, index->scope_capacity) = (struct inline_scope){
		.entry = *entry,
		.first_range = (uint32_t)first,
		.range_count = (uint32_t)count,
		.end = number + 1,
		.is_function = is_function,
		.whole = walk->kind == WALK_FUNCTIONS ? NO_SCOPE : number,
	};
	if (is_function)
		add_functions(index, number);
	return number;
}

/* --- the walk ------------------------------------------------------------------------------------------- */

/*
 * Types contain no code if they have DW_AT_sibling: GCC, which writes it, defines functions outside the types that declare
 * them.
 */
static bool is_type(int tag)
{
	switch (tag) {
	case DW_TAG_class_type:
	case DW_TAG_structure_type:
	case DW_TAG_union_type:
	case DW_TAG_enumeration_type:
	case DW_TAG_array_type:
	case DW_TAG_subroutine_type: return true;
	default: return false;
	}
}

/* GNU C, Fortran and others have functions inside functions; C++ does not. */
static bool nests_functions(int language)
{
	switch (language) {
	case DW_LANG_C_plus_plus:
	case DW_LANG_C_plus_plus_03:
	case DW_LANG_C_plus_plus_11:
	case DW_LANG_C_plus_plus_14: return false;
	default: return true;
	}
}

static void visit_children(struct walk *walk, Dwarf_Die *entry, struct place place);

static void visit_function(struct walk *walk, Dwarf_Die *entry, struct place place)
{
	if (walk->kind == WALK_INLINED)
		return;
	place.scope = add_scope(walk, entry, true);
	place.functions_only = place.scope == NO_SCOPE || walk->kind == WALK_FUNCTIONS;
	if (place.functions_only && !walk->index->nests_functions)
		return;
	visit_children(walk, entry, place);
	if (place.scope != NO_SCOPE)
		walk->index->scopes[place.scope].end = (uint32_t)walk->index->scope_count;
}

static void visit_inlined(struct walk *walk, Dwarf_Die *entry, struct place place)
{
	uint32_t scope = add_scope(walk, entry, false);

	if (scope == NO_SCOPE)
		return;
	place.scope = scope;
	visit_children(walk, entry, place);
	walk->index->scopes[scope].end = (uint32_t)walk->index->scope_count;
}

static void visit(struct walk *walk, Dwarf_Die *entry, struct place place)
{
	int tag = dwarf_tag(entry);

	if (tag == DW_TAG_subprogram)
		visit_function(walk, entry, place);
	else if (tag == DW_TAG_inlined_subroutine && place.scope != NO_SCOPE && !place.functions_only)
		visit_inlined(walk, entry, place);
	else if (!is_type(tag) || !dwarf_hasattr(entry, DW_AT_sibling))
		visit_children(walk, entry, place);
}

/* Also visits blocks, namespaces and types, whose children may have code. */
static void visit_children(struct walk *walk, Dwarf_Die *entry, struct place place)
{
	Dwarf_Die child;

	if (place.depth++ == MAX_ENTRY_DEPTH || dwarf_haschildren(entry) != 1 ||
	    dwarf_child(entry, &child) != 0)
		return;
	do
		visit(walk, &child, place);
	while (dwarf_siblingof(&child, &child) == 0);
}

void inline_index_read(struct inline_index *index, const struct dwarf_sections *sections, Dwarf_Die *unit,
		       inline_index_is_code *is_code, const void *context, const uint64_t *wanted,
		       size_t wanted_count)
{
	struct walk walk = {
		.index = index,
		.kind = wanted ? WALK_BOTH : WALK_FUNCTIONS,
		.wanted = wanted,
		.wanted_count = wanted_count,
	};

	index->is_code = is_code;
	index->context = context;
	index->nests_functions = nests_functions(dwarf_srclang(unit));
	index->scope_count = index->ranges.count = 0;
	owned_ranges_clear(&index->functions);
	index->ranges.budget = dwarf_ranges_budget(sections);
	visit_children(&walk, unit, (struct place){ .scope = NO_SCOPE });
	owned_ranges_sort(&index->functions);
}

void inline_index_fini(struct inline_index *index)
{
	dwarf_ranges_fini(&index->ranges);
	free(index->scopes);
	owned_ranges_fini(&index->functions);
	*index = (struct inline_index){ 0 };
}

/* --- lookups -------------------------------------------------------------------------------------------- */

const struct owned_range *inline_index_function(const struct inline_index *index, uint64_t address)
{
	return owned_ranges_find(&index->functions, address);
}

static bool covers(const struct inline_index *index, const struct inline_scope *scope, uint64_t address)
{
	const struct dwarf_range *range = index->ranges.items + scope->first_range;

	for (uint32_t i = 0; i < scope->range_count; i++)
		if (address >= range[i].low && address < range[i].high)
			return true;
	return false;
}

/* Reads a function again with the calls inlined into it; returns the number of the new scope. */
static uint32_t read_whole(struct inline_index *index, uint32_t function)
{
	struct walk walk = { .index = index, .kind = WALK_INLINED };
	uint32_t number = (uint32_t)index->scope_count;
	struct inline_scope whole = index->scopes[function];

	whole.whole = number;
	*ARRAY_ADD(index->scopes, index->scope_count, index->scope_capacity) = whole;
	visit_children(&walk, &whole.entry, (struct place){ .scope = number });
	index->scopes[number].end = (uint32_t)index->scope_count;
	return index->scopes[function].whole = number;
}

size_t inline_index_find(struct inline_index *index, uint64_t address, uint32_t scopes[INLINE_MAX_DEPTH])
{
	const struct owned_range *function = inline_index_function(index, address);
	uint32_t number, end;
	size_t count = 0;

	if (!function)
		return 0;
	number = index->scopes[function->owner].whole;
	if (number == NO_SCOPE)
		number = read_whole(index, function->owner);
	scopes[count++] = number;
	end = index->scopes[number].end;
	for (number++; number < end && count < INLINE_MAX_DEPTH;) {
		const struct inline_scope *scope = &index->scopes[number];

		if (scope->is_function || !covers(index, scope, address)) {
			number = scope->end;
			continue;
		}
		scopes[count++] = number++;
		end = scope->end;
	}
	return count;
}
