#include "symbol/inline_index.h"

#include <dwarf.h>
#include <stdlib.h>

#include "base/leb128.h"
#include "base/xalloc.h"

#define NO_SCOPE UINT32_MAX

struct walk {
	struct inline_index *index;
	const struct dwarf_unit *unit;
	inline_index_is_code *is_code;
	const void *context;
	const uint64_t *wanted; /* NULL: any address */
	size_t wanted_count;
	struct byte_reader r;
	size_t depth;
	size_t passed_over; /* below this depth only functions count; 0: not now */
	bool nests_functions;
};

/* What the walk wants to know of an entry. */
struct entry {
	uint64_t offset;
	uint64_t low, high;
	bool has_low;
	struct dwarf_value high_value, ranges;
	uint64_t call_file, call_line;
	uint64_t sibling; /* offset of the next entry outside; 0: not said */
};

static void take_value(const struct walk *walk, uint16_t name, const struct dwarf_value *value,
		       struct entry *entry)
{
	const struct dwarf_unit *target;

	switch (name) {
	case DW_AT_low_pc: entry->has_low = dwarf_unit_address(walk->unit, value, &entry->low) == 0; break;
	case DW_AT_high_pc: entry->high_value = *value; break;
	case DW_AT_ranges: entry->ranges = *value; break;
	case DW_AT_call_file: entry->call_file = value->number; break;
	case DW_AT_call_line: entry->call_line = value->number; break;
	case DW_AT_sibling:
		if (dwarf_unit_reference(walk->unit, value, &target, &entry->sibling) < 0 ||
		    target != walk->unit)
			entry->sibling = 0;
		break;
	}
}

static void read_entry(struct walk *walk, const struct dwarf_abbrev *abbrev, struct entry *entry)
{
	const struct dwarf_attr *attr = walk->index->abbrevs.attrs + abbrev->first_attr;
	const struct dwarf_attr *end = attr + abbrev->attr_count;
	struct dwarf_value value;

	for (; attr < end; attr++) {
		dwarf_value_read(&walk->r, attr, &walk->unit->format, &value);
		if (!byte_reader_ok(&walk->r))
			return;
		take_value(walk, attr->name, &value, entry);
	}
	/* A number is a length since version 4 (DWARF 4, section 2.17.2). */
	if (dwarf_value_is_constant(&entry->high_value))
		entry->high = entry->low + entry->high_value.number;
	else
		(void)dwarf_unit_address(walk->unit, &entry->high_value, &entry->high);
}

/* --- scopes ------------------------------------------------------------------------------------------- */

static bool is_wanted(const struct walk *walk, const struct dwarf_range *range)
{
	size_t low = 0, high = walk->wanted_count;

	if (!walk->wanted)
		return true;
	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (walk->wanted[middle] < range->low)
			low = middle + 1;
		else
			high = middle;
	}
	return low < walk->wanted_count && walk->wanted[low] < range->high;
}

/* Appends the entry's ranges that count; their number. */
static size_t add_ranges(struct walk *walk, const struct entry *entry)
{
	struct dwarf_ranges *ranges = &walk->index->ranges;
	size_t first = ranges->count, kept = first;

	if (entry->ranges.form)
		dwarf_ranges_add_list(ranges, walk->unit, &entry->ranges);
	else if (entry->has_low)
		dwarf_ranges_add(ranges, entry->low, entry->high);
	for (size_t i = first; i < ranges->count; i++)
		if (walk->is_code(ranges->items[i].low, walk->context) && is_wanted(walk, &ranges->items[i]))
			ranges->items[kept++] = ranges->items[i];
	ranges->count = kept;
	return kept - first;
}

static void add_functions(struct inline_index *index, uint32_t number)
{
	const struct inline_scope *scope = &index->scopes[number];

	for (uint32_t i = 0; i < scope->range_count; i++) {
		const struct dwarf_range *range = &index->ranges.items[scope->first_range + i];

		index->functions = array_grow(index->functions, &index->function_capacity,
					      index->function_count + 1, sizeof(*index->functions));
		index->functions[index->function_count++] =
			(struct inline_function){ range->low, range->high, 0, number };
	}
}

/* The number of the scope that the entry is; NO_SCOPE when it has no code that is asked for. */
static uint32_t add_scope(struct walk *walk, const struct entry *entry, bool is_function)
{
	struct inline_index *index = walk->index;
	size_t first = index->ranges.count, count = add_ranges(walk, entry);
	uint32_t number = (uint32_t)index->scope_count;

	if (count == 0)
		return NO_SCOPE;
	index->scopes = array_grow(index->scopes, &index->scope_capacity, index->scope_count + 1,
				   sizeof(*index->scopes));
	index->scopes[index->scope_count++] = (struct inline_scope){
		.entry = entry->offset,
		.first_range = (uint32_t)first,
		.range_count = (uint32_t)count,
		.end = number + 1,
		.is_function = is_function,
		.call_file = entry->call_file,
		.call_line = entry->call_line,
	};
	if (is_function)
		add_functions(index, number);
	return number;
}

/* --- the walk ------------------------------------------------------------------------------------------- */

/* Types hold no code: what they declare is defined outside of them where compilers say how long they are (GCC). */
static bool is_type(uint16_t tag)
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

/* GNU C, Fortran and others have functions inside of functions, C++ has not. */
static bool nests_functions(uint16_t language)
{
	switch (language) {
	case DW_LANG_C_plus_plus:
	case DW_LANG_C_plus_plus_03:
	case DW_LANG_C_plus_plus_11:
	case DW_LANG_C_plus_plus_14: return false;
	default: return true;
	}
}

/* Goes on behind the entry's children. False: it is not known where that is, or not further on. */
static bool jump(struct walk *walk, uint64_t sibling)
{
	uint64_t here = walk->unit->end - byte_reader_left(&walk->r);

	if (sibling <= here || sibling > walk->unit->end)
		return false;
	byte_reader_skip(&walk->r, (size_t)(sibling - here));
	return true;
}

static void descend(struct walk *walk, uint32_t scope)
{
	struct inline_index *index = walk->index;

	walk->depth++;
	index->open = array_grow(index->open, &index->open_capacity, walk->depth + 1, sizeof(*index->open));
	index->open[walk->depth] = scope;
}

static void ascend(struct walk *walk)
{
	struct inline_index *index = walk->index;
	uint32_t scope = index->open[walk->depth];

	walk->depth--;
	if (walk->passed_over > walk->depth)
		walk->passed_over = 0;
	if (scope != NO_SCOPE && index->open[walk->depth] != scope)
		index->scopes[scope].end = (uint32_t)index->scope_count;
}

static void visit_function(struct walk *walk, const struct dwarf_abbrev *abbrev, struct entry *entry)
{
	uint32_t scope;

	read_entry(walk, abbrev, entry);
	if (!byte_reader_ok(&walk->r))
		return;
	scope = add_scope(walk, entry, true);
	if (!abbrev->has_children ||
	    (scope == NO_SCOPE && !walk->nests_functions && jump(walk, entry->sibling)))
		return;
	descend(walk, scope);
	if (scope == NO_SCOPE && !walk->passed_over)
		walk->passed_over = walk->depth;
	else if (scope != NO_SCOPE)
		walk->passed_over = 0;
}

static void visit_inlined(struct walk *walk, const struct dwarf_abbrev *abbrev, struct entry *entry)
{
	uint32_t scope, around = walk->index->open[walk->depth];

	read_entry(walk, abbrev, entry);
	if (!byte_reader_ok(&walk->r))
		return;
	scope = add_scope(walk, entry, false);
	if (!abbrev->has_children || (scope == NO_SCOPE && jump(walk, entry->sibling)))
		return;
	descend(walk, scope == NO_SCOPE ? around : scope);
}

/* Blocks, namespaces, types: their children are looked at where there may be code. */
static void visit_other(struct walk *walk, const struct dwarf_abbrev *abbrev, struct entry *entry)
{
	if (!abbrev->has_children || !is_type(abbrev->tag)) {
		dwarf_values_skip(&walk->r, &walk->index->abbrevs, abbrev, &walk->unit->format);
	} else {
		read_entry(walk, abbrev, entry);
		if (jump(walk, entry->sibling))
			return;
	}
	if (abbrev->has_children)
		descend(walk, walk->index->open[walk->depth]);
}

static void visit_entries(struct walk *walk)
{
	struct inline_index *index = walk->index;

	while (byte_reader_left(&walk->r) && byte_reader_ok(&walk->r)) {
		struct entry entry = { .offset = walk->unit->end - byte_reader_left(&walk->r) };
		uint64_t code = leb128_unsigned(&walk->r);
		const struct dwarf_abbrev *abbrev;

		if (code == 0) {
			if (walk->depth)
				ascend(walk);
			continue;
		}
		abbrev = dwarf_abbrev_find(&index->abbrevs, code);
		if (!abbrev)
			break;
		if (abbrev->tag == DW_TAG_subprogram)
			visit_function(walk, abbrev, &entry);
		else if (abbrev->tag == DW_TAG_inlined_subroutine && index->open[walk->depth] != NO_SCOPE &&
			 !walk->passed_over)
			visit_inlined(walk, abbrev, &entry);
		else
			visit_other(walk, abbrev, &entry);
	}
	while (walk->depth)
		ascend(walk);
}

/* Of functions that begin at one address the one whose entry comes first is met first by a search from behind. */
static int compare_functions(const void *one, const void *other)
{
	const struct inline_function *a = one, *b = other;

	if (a->low != b->low)
		return a->low < b->low ? -1 : 1;
	return a->scope > b->scope ? -1 : a->scope < b->scope;
}

static void sort_functions(struct inline_index *index)
{
	uint64_t highest = 0;

	if (index->function_count)
		qsort(index->functions, index->function_count, sizeof(*index->functions), compare_functions);
	for (size_t i = 0; i < index->function_count; i++) {
		if (index->functions[i].high > highest)
			highest = index->functions[i].high;
		index->functions[i].highest = highest;
	}
}

void inline_index_read(struct inline_index *index, const struct dwarf_unit *unit,
		       inline_index_is_code *is_code, const void *context, const uint64_t *wanted,
		       size_t wanted_count)
{
	struct walk walk = {
		.index = index,
		.unit = unit,
		.is_code = is_code,
		.context = context,
		.wanted = wanted,
		.wanted_count = wanted_count,
		.r = dwarf_unit_reader(unit, unit->first_entry),
		.nests_functions = nests_functions(unit->language),
	};

	index->unit = unit;
	index->scope_count = index->function_count = index->ranges.count = 0;
	index->ranges.budget = dwarf_ranges_budget(unit);
	index->open = array_grow(index->open, &index->open_capacity, 1, sizeof(*index->open));
	index->open[0] = NO_SCOPE;
	if (dwarf_unit_read_abbrevs(unit, &index->abbrevs) < 0)
		return;
	visit_entries(&walk);
	sort_functions(index);
}

void inline_index_fini(struct inline_index *index)
{
	dwarf_abbrev_table_fini(&index->abbrevs);
	dwarf_ranges_fini(&index->ranges);
	free(index->scopes);
	free(index->functions);
	free(index->open);
	*index = (struct inline_index){ 0 };
}

/* --- questions ------------------------------------------------------------------------------------------ */

static uint32_t find_function(const struct inline_index *index, uint64_t address)
{
	size_t low = 0, high = index->function_count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (index->functions[middle].low <= address)
			low = middle + 1;
		else
			high = middle;
	}
	while (low > 0 && index->functions[low - 1].highest > address)
		if (address < index->functions[--low].high)
			return index->functions[low].scope;
	return NO_SCOPE;
}

static bool covers(const struct inline_index *index, const struct inline_scope *scope, uint64_t address)
{
	const struct dwarf_range *range = index->ranges.items + scope->first_range;

	for (uint32_t i = 0; i < scope->range_count; i++)
		if (address >= range[i].low && address < range[i].high)
			return true;
	return false;
}

size_t inline_index_find(const struct inline_index *index, uint64_t address,
			 uint32_t scopes[INLINE_MAX_DEPTH])
{
	uint32_t number = find_function(index, address), end;
	size_t count = 0;

	if (number == NO_SCOPE)
		return 0;
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
