#include "symbol/unit_ranges.h"

#include <stdlib.h>

#include "base/xalloc.h"
#include "symbol/unit_reader.h"

static void add_unit_range(struct unit_ranges *ranges, const struct unit_context *context, uint64_t low,
			   uint64_t high, uint32_t unit)
{
	if (low >= high || !context->is_code(low, context->is_code_context))
		return;
	ranges->items =
		array_grow(ranges->items, &ranges->capacity, ranges->count + 1, sizeof(*ranges->items));
	ranges->items[ranges->count++] = (struct unit_range){ low, high, 0, unit };
}

static int compare_ranges(const void *one, const void *other)
{
	const struct unit_range *a = one, *b = other;

	if (a->low != b->low)
		return a->low < b->low ? -1 : 1;
	return a->unit > b->unit ? -1 : a->unit < b->unit;
}

static void sort_ranges(struct unit_ranges *ranges)
{
	uint64_t highest = 0;

	if (ranges->count)
		qsort(ranges->items, ranges->count, sizeof(*ranges->items), compare_ranges);
	for (size_t i = 0; i < ranges->count; i++) {
		if (ranges->items[i].high > highest)
			highest = ranges->items[i].high;
		ranges->items[i].highest = highest;
	}
}

/* Units say themselves where their code is; .debug_aranges, which says it again, is missing or incomplete too often. */
void unit_ranges_read(struct unit_ranges *ranges, const struct unit_context *context)
{
	size_t count;
	const struct dwarf_unit_range *said = dwarf_file_ranges(context->file, &count);

	for (size_t i = 0; i < count; i++)
		add_unit_range(ranges, context, said[i].low, said[i].high, said[i].unit);
	sort_ranges(ranges);
}

void unit_ranges_read_others(struct unit_ranges *ranges, const struct unit_context *context)
{
	size_t count = dwarf_file_unit_count(context->file);
	struct unit_reader reader = { .file = context->file };
	struct unit_source source = { 0 };
	struct error ignored;

	ranges->knows_all = true;
	for (size_t i = 0; i < count; i++) {
		const struct dwarf_unit *unit = dwarf_file_unit(context->file, i);

		if (unit->says_ranges)
			continue;
		unit_reader_make_room(&reader, unit);
		(void)unit_source_read(&source, unit, context, &reader.handle, NULL, 0, &ignored);
		for (size_t j = 0; j < source.inlines.function_count; j++)
			add_unit_range(ranges, context, source.inlines.functions[j].low,
				       source.inlines.functions[j].high, (uint32_t)i);
	}
	unit_source_fini(&source);
	dwarf_handle_close(&reader.handle);
	sort_ranges(ranges);
}

uint32_t unit_ranges_find(const struct unit_ranges *ranges, uint64_t vaddr)
{
	size_t low = 0, high = ranges->count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (ranges->items[middle].low <= vaddr)
			low = middle + 1;
		else
			high = middle;
	}
	while (low > 0 && ranges->items[low - 1].highest > vaddr)
		if (vaddr < ranges->items[--low].high)
			return ranges->items[low].unit;
	return UNIT_RANGES_NONE;
}

void unit_ranges_fini(struct unit_ranges *ranges)
{
	free(ranges->items);
	*ranges = (struct unit_ranges){ .items = NULL };
}
