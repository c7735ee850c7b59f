/*
 * Ranges come from the units' own first entries. For units that have none, the functions of the unit are read instead,
 * which takes long and happens only if an address was found in no other unit.
 */
#include "symbol/dwarf/unit_ranges.h"

#include "symbol/dwarf/unit_reader.h"

static void add_unit_range(struct unit_ranges *ranges, const struct unit_context *context, uint64_t low,
			   uint64_t high, uint32_t unit)
{
	if (low < high && context->is_code(low, context->is_code_context))
		owned_ranges_add(&ranges->said, low, high, unit);
}

/* Takes the ranges from the units themselves. .debug_aranges repeats them, but is too often missing or incomplete. */
void unit_ranges_read(struct unit_ranges *ranges, const struct unit_context *context)
{
	size_t count;
	const struct dwarf_unit_range *said = dwarf_file_ranges(context->file, &count);

	for (size_t i = 0; i < count; i++)
		add_unit_range(ranges, context, said[i].low, said[i].high, said[i].unit);
	owned_ranges_sort(&ranges->said);
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
		for (size_t j = 0; j < source.inlines.functions.count; j++)
			add_unit_range(ranges, context, source.inlines.functions.items[j].low,
				       source.inlines.functions.items[j].high, (uint32_t)i);
	}
	unit_source_fini(&source);
	dwarf_handle_close(&reader.handle);
	owned_ranges_sort(&ranges->said);
}

uint32_t unit_ranges_find(const struct unit_ranges *ranges, uint64_t vaddr)
{
	const struct owned_range *found = owned_ranges_find(&ranges->said, vaddr);

	return found ? found->owner : UNIT_RANGES_NONE;
}

void unit_ranges_fini(struct unit_ranges *ranges)
{
	owned_ranges_fini(&ranges->said);
	ranges->knows_all = false;
}
