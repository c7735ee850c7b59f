#include "symbol/dwarf_ranges.h"

#include <dwarf.h>
#include <stdlib.h>

#include "base/leb128.h"
#include "base/xalloc.h"
#include "symbol/dwarf_file.h"

/* Linkers share no lists, dwz may. */
enum { LIST_READS = 4, SMALL_LISTS = 1 << 16 };

static const struct dwarf_unit *owner_of(const struct dwarf_unit *unit)
{
	return unit->skeleton ? unit->skeleton : unit;
}

uint64_t dwarf_ranges_budget(const struct dwarf_unit *unit)
{
	return LIST_READS * ((uint64_t)dwarf_file_section(owner_of(unit)->file, DWARF_RANGES)->size +
			     dwarf_file_section(unit->file, DWARF_RNGLISTS)->size) +
	       SMALL_LISTS;
}

void dwarf_ranges_fini(struct dwarf_ranges *ranges)
{
	free(ranges->items);
	*ranges = (struct dwarf_ranges){ 0 };
}

void dwarf_ranges_add(struct dwarf_ranges *ranges, uint64_t low, uint64_t high)
{
	if (low >= high)
		return;
	ranges->items =
		array_grow(ranges->items, &ranges->capacity, ranges->count + 1, sizeof(*ranges->items));
	ranges->items[ranges->count++] = (struct dwarf_range){ low, high };
}

static struct byte_reader list_reader(const struct dwarf_file *file, enum dwarf_section_id id,
				      uint64_t offset)
{
	const struct dwarf_section *section = dwarf_file_section(file, id);
	struct byte_reader r = byte_reader_over(section->bytes, section->size, dwarf_file_swapped(file));

	if (offset > section->size)
		r.failed = true;
	else
		byte_reader_skip(&r, (size_t)offset);
	return r;
}

static bool spend(struct dwarf_ranges *ranges, uint64_t bytes)
{
	if (bytes > ranges->budget)
		return false;
	ranges->budget -= bytes;
	return true;
}

/* DWARF 4, section 2.17.3: pairs relative to a base, which a pair that begins with the largest address sets anew. */
static void add_pairs(struct dwarf_ranges *ranges, const struct dwarf_unit *unit, uint64_t offset)
{
	const struct dwarf_unit *owner = owner_of(unit);
	uint8_t size = unit->format.address_size;
	uint64_t largest = size == 4 ? UINT32_MAX : UINT64_MAX;
	uint64_t base = owner->low_pc;
	struct byte_reader r = list_reader(owner->file, DWARF_RANGES, offset);

	while (spend(ranges, 2u * size)) {
		uint64_t low = dwarf_read_address(&r, size), high = dwarf_read_address(&r, size);

		if (!byte_reader_ok(&r) || (low == 0 && high == 0))
			break;
		if (low == largest)
			base = high;
		else
			dwarf_ranges_add(ranges, base + low, base + high);
	}
}

struct list_walk {
	const struct dwarf_unit *unit;
	struct byte_reader r;
	uint64_t base;
	struct dwarf_ranges *ranges;
};

static uint64_t read_index(struct list_walk *walk)
{
	uint64_t address = 0;

	if (dwarf_unit_indexed_address(walk->unit, leb128_unsigned(&walk->r), &address) < 0)
		walk->r.failed = true;
	return address;
}

/* DWARF 5, section 2.17.3. False: the list's end. */
static bool add_entry(struct list_walk *walk, uint8_t kind)
{
	uint8_t size = walk->unit->format.address_size;
	struct byte_reader *r = &walk->r;
	uint64_t low, high;

	switch (kind) {
	case DW_RLE_base_addressx: walk->base = read_index(walk); return true;
	case DW_RLE_base_address: walk->base = dwarf_read_address(r, size); return true;
	case DW_RLE_startx_endx:
		low = read_index(walk);
		high = read_index(walk);
		break;
	case DW_RLE_startx_length:
		low = read_index(walk);
		high = low + leb128_unsigned(r);
		break;
	case DW_RLE_offset_pair:
		low = walk->base + leb128_unsigned(r);
		high = walk->base + leb128_unsigned(r);
		break;
	case DW_RLE_start_end:
		low = dwarf_read_address(r, size);
		high = dwarf_read_address(r, size);
		break;
	case DW_RLE_start_length:
		low = dwarf_read_address(r, size);
		high = low + leb128_unsigned(r);
		break;
	default: return false; /* DW_RLE_end_of_list */
	}
	if (byte_reader_ok(r))
		dwarf_ranges_add(walk->ranges, low, high);
	return true;
}

static void add_entries(struct dwarf_ranges *ranges, const struct dwarf_unit *unit, uint64_t offset)
{
	struct list_walk walk = { .unit = unit,
				  .r = list_reader(unit->file, DWARF_RNGLISTS, offset),
				  .base = owner_of(unit)->low_pc,
				  .ranges = ranges };
	const uint8_t *before;

	do {
		before = walk.r.next;
		if (!add_entry(&walk, byte_reader_u8(&walk.r)) || !byte_reader_ok(&walk.r))
			break;
	} while (spend(ranges, (uint64_t)(walk.r.next - before)));
}

/* DWARF 5, section 7.28: offsets behind the header, from where they are counted. */
static void add_indexed(struct dwarf_ranges *ranges, const struct dwarf_unit *unit, uint64_t index)
{
	uint8_t size = unit->format.offset_size;
	struct byte_reader r;
	uint64_t offset;

	if (__builtin_mul_overflow(index, size, &offset) ||
	    __builtin_add_overflow(offset, unit->rnglists_base, &offset))
		return;
	r = list_reader(unit->file, DWARF_RNGLISTS, offset);
	offset = dwarf_read_offset(&r, size);
	if (byte_reader_ok(&r))
		add_entries(ranges, unit, unit->rnglists_base + offset);
}

void dwarf_ranges_add_list(struct dwarf_ranges *ranges, const struct dwarf_unit *unit,
			   const struct dwarf_value *list)
{
	if (!list->form)
		return;
	if (list->form == DW_FORM_rnglistx)
		add_indexed(ranges, unit, list->number);
	else if (unit->format.version >= 5)
		add_entries(ranges, unit, list->number);
	else
		add_pairs(ranges, unit,
			  list->number + owner_of(unit)->gnu_ranges_base * (unit->skeleton != NULL));
}
