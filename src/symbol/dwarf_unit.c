#include "symbol/dwarf_unit.h"

#include <dwarf.h>

#include "base/leb128.h"
#include "symbol/dwarf_file.h"

/* Not in every dwarf.h: what GNU's split DWARF 4 added. */
enum { AT_GNU_RANGES_BASE = 0x2132 };

static struct byte_reader info_reader(const struct dwarf_file *file, uint64_t from, uint64_t to)
{
	const struct dwarf_section *info = dwarf_file_section(file, DWARF_INFO);
	struct byte_reader r = byte_reader_over(info->bytes, info->size, dwarf_file_swapped(file));

	if (from > to || to > info->size) {
		r.failed = true;
		return r;
	}
	r.end = r.next + to;
	r.next += from;
	return r;
}

struct byte_reader dwarf_unit_reader(const struct dwarf_unit *unit, uint64_t offset)
{
	return info_reader(unit->file, offset >= unit->first_entry ? offset : UINT64_MAX, unit->end);
}

/* Where a unit's part of a section begins that it says nothing of: behind the section's header. */
static void set_bases(struct dwarf_unit *unit)
{
	bool is_64bit = unit->format.offset_size == 8;

	if (unit->format.version < 5)
		return;
	unit->str_offsets_base = unit->addr_base = is_64bit ? 16 : 8;
	unit->rnglists_base = is_64bit ? 20 : 12;
}

/* DWARF 5, section 7.5.1. Sets end as soon as it is known: a unit of an unknown version can be stepped over. */
int dwarf_unit_read_header(const struct dwarf_file *file, uint64_t offset, struct dwarf_unit *unit)
{
	size_t size = dwarf_file_section(file, DWARF_INFO)->size;
	struct byte_reader r = info_reader(file, offset, size);
	uint64_t length = byte_reader_u32(&r);

	*unit = (struct dwarf_unit){ .file = file, .offset = offset, .end = size, .type = DW_UT_compile };
	unit->format.offset_size = 4;
	if (length == UINT32_MAX) {
		unit->format.offset_size = 8;
		length = byte_reader_u64(&r);
	}
	if (!byte_reader_ok(&r) || length > byte_reader_left(&r))
		return -1;
	unit->end =
		offset + (uint64_t)(r.next - (dwarf_file_section(file, DWARF_INFO)->bytes + offset)) + length;
	r = info_reader(file, unit->end - length, unit->end);
	unit->format.version = (uint8_t)byte_reader_u16(&r);
	if (unit->format.version < 2 || unit->format.version > 5)
		return -1;
	if (unit->format.version >= 5) {
		unit->type = byte_reader_u8(&r);
		unit->format.address_size = byte_reader_u8(&r);
		unit->abbrev_offset = dwarf_read_offset(&r, unit->format.offset_size);
		if (unit->type == DW_UT_skeleton || unit->type == DW_UT_split_compile)
			unit->split_id = byte_reader_u64(&r);
		else if (unit->type == DW_UT_type || unit->type == DW_UT_split_type)
			byte_reader_skip(&r, (size_t)8 + unit->format.offset_size);
	} else {
		unit->abbrev_offset = dwarf_read_offset(&r, unit->format.offset_size);
		unit->format.address_size = byte_reader_u8(&r);
	}
	if (!byte_reader_ok(&r))
		return -1;
	unit->first_entry = unit->end - byte_reader_left(&r);
	unit->abbrev_slot = DWARF_NO_SLOT;
	set_bases(unit);
	return 0;
}

/* What has to be known before the others can be understood. */
struct root_values {
	struct dwarf_value name, directory, split_name, low, high, line;
};

static void take_root_value(struct dwarf_unit *unit, struct root_values *root, uint16_t name,
			    const struct dwarf_value *value)
{
	switch (name) {
	case DW_AT_name: root->name = *value; break;
	case DW_AT_comp_dir: root->directory = *value; break;
	case DW_AT_dwo_name:
	case DW_AT_GNU_dwo_name: root->split_name = *value; break;
	case DW_AT_GNU_dwo_id: unit->split_id = value->number; break;
	case DW_AT_low_pc: root->low = *value; break;
	case DW_AT_high_pc: root->high = *value; break;
	case DW_AT_ranges: unit->ranges = *value; break;
	case DW_AT_stmt_list:
		unit->has_lines = true;
		unit->line_offset += value->number;
		break;
	case DW_AT_language: unit->language = (uint16_t)value->number; break;
	case DW_AT_str_offsets_base: unit->str_offsets_base = value->number; break;
	case DW_AT_addr_base:
	case DW_AT_GNU_addr_base: unit->addr_base = value->number; break;
	case DW_AT_rnglists_base: unit->rnglists_base = value->number; break;
	case AT_GNU_RANGES_BASE: unit->gnu_ranges_base = value->number; break;
	}
}

void dwarf_unit_read_root(struct dwarf_unit *unit, const struct dwarf_abbrev_table *table)
{
	struct byte_reader r = dwarf_unit_reader(unit, unit->first_entry);
	const struct dwarf_abbrev *abbrev = dwarf_abbrev_find(table, leb128_unsigned(&r));
	struct root_values root = { 0 };

	if (!abbrev)
		return;
	if (unit->format.version < 5 && abbrev->tag == DW_TAG_partial_unit)
		unit->type = DW_UT_partial;
	for (size_t i = 0; i < abbrev->attr_count && byte_reader_ok(&r); i++) {
		const struct dwarf_attr *attr = &table->attrs[abbrev->first_attr + i];
		struct dwarf_value value;

		dwarf_value_read(&r, attr, &unit->format, &value);
		if (byte_reader_ok(&r))
			take_root_value(unit, &root, attr->name, &value);
	}
	unit->name = dwarf_unit_text(unit, &root.name);
	unit->directory = dwarf_unit_text(unit, &root.directory);
	unit->split_name = dwarf_unit_text(unit, &root.split_name);
	(void)dwarf_unit_address(unit, &root.low, &unit->low_pc);
	if (dwarf_value_is_constant(&root.high))
		unit->high_pc = unit->low_pc + root.high.number;
	else
		(void)dwarf_unit_address(unit, &root.high, &unit->high_pc);
}

int dwarf_unit_read_abbrevs(const struct dwarf_unit *unit, struct dwarf_abbrev_table *table)
{
	const struct dwarf_section *section = dwarf_file_section(unit->file, DWARF_ABBREV);

	return dwarf_abbrev_table_read(table, section->bytes, section->size, unit->abbrev_offset,
				       &unit->format, 0);
}

/* --- values --------------------------------------------------------------------------------------------- */

static const char *text_at(const struct dwarf_file *file, enum dwarf_section_id id, uint64_t offset)
{
	const struct dwarf_section *section = file ? dwarf_file_section(file, id) : NULL;

	/* Sections of texts end with a terminator: what lay behind the last one was cut off. */
	return section && offset < section->size ? (const char *)section->bytes + offset : NULL;
}

/* An entry of a table of offsets or addresses; 0, or -1 when it lies outside of the section. */
static int indexed(const struct dwarf_file *file, enum dwarf_section_id id, uint64_t base, uint64_t index,
		   uint8_t size, uint64_t *value)
{
	const struct dwarf_section *section = dwarf_file_section(file, id);
	struct byte_reader r = byte_reader_over(section->bytes, section->size, dwarf_file_swapped(file));
	uint64_t offset;

	if (__builtin_mul_overflow(index, size, &offset) || __builtin_add_overflow(offset, base, &offset) ||
	    offset > section->size)
		return -1;
	byte_reader_skip(&r, (size_t)offset);
	*value = dwarf_read_address(&r, size);
	return byte_reader_ok(&r) ? 0 : -1;
}

const char *dwarf_unit_text(const struct dwarf_unit *unit, const struct dwarf_value *value)
{
	uint64_t offset;

	switch (value->form) {
	case DW_FORM_string: return (const char *)value->bytes;
	case DW_FORM_strp: return text_at(unit->file, DWARF_STR, value->number);
	case DW_FORM_line_strp: return text_at(unit->file, DWARF_LINE_STR, value->number);
	case DW_FORM_strp_sup:
	case DW_FORM_GNU_strp_alt: return text_at(dwarf_file_alternate(unit->file), DWARF_STR, value->number);
	case DW_FORM_strx:
	case DW_FORM_strx1:
	case DW_FORM_strx2:
	case DW_FORM_strx3:
	case DW_FORM_strx4:
	case DW_FORM_GNU_str_index:
		if (indexed(unit->file, DWARF_STR_OFFSETS, unit->str_offsets_base, value->number,
			    unit->format.offset_size, &offset) < 0)
			return NULL;
		return text_at(unit->file, DWARF_STR, offset);
	default: return NULL;
	}
}

int dwarf_unit_indexed_address(const struct dwarf_unit *unit, uint64_t index, uint64_t *address)
{
	const struct dwarf_unit *owner = unit->skeleton ? unit->skeleton : unit;

	return indexed(owner->file, DWARF_ADDR, owner->addr_base, index, owner->format.address_size, address);
}

int dwarf_unit_address(const struct dwarf_unit *unit, const struct dwarf_value *value, uint64_t *address)
{
	switch (value->form) {
	case DW_FORM_addr: *address = value->number; return 0;
	case DW_FORM_addrx:
	case DW_FORM_addrx1:
	case DW_FORM_addrx2:
	case DW_FORM_addrx3:
	case DW_FORM_addrx4:
	case DW_FORM_GNU_addr_index: return dwarf_unit_indexed_address(unit, value->number, address);
	default: return -1;
	}
}

static int reference_in(const struct dwarf_unit *self, const struct dwarf_file *file, uint64_t offset,
			const struct dwarf_unit **target, uint64_t *found)
{
	*found = offset;
	if (self->file == file && offset >= self->first_entry && offset < self->end)
		*target = self;
	else
		*target = file ? dwarf_file_unit_of(file, offset) : NULL;
	return *target ? 0 : -1;
}

int dwarf_unit_reference(const struct dwarf_unit *unit, const struct dwarf_value *value,
			 const struct dwarf_unit **target, uint64_t *offset)
{
	switch (value->form) {
	case DW_FORM_ref1:
	case DW_FORM_ref2:
	case DW_FORM_ref4:
	case DW_FORM_ref8:
	case DW_FORM_ref_udata:
		*target = unit;
		*offset = unit->offset + value->number;
		return value->number < unit->end - unit->offset ? 0 : -1;
	case DW_FORM_ref_addr: return reference_in(unit, unit->file, value->number, target, offset);
	case DW_FORM_ref_sup4:
	case DW_FORM_ref_sup8:
	case DW_FORM_GNU_ref_alt:
		return reference_in(unit, dwarf_file_alternate(unit->file), value->number, target, offset);
	default: return -1; /* DW_FORM_ref_sig8: of types alone */
	}
}

/* --- names ---------------------------------------------------------------------------------------------- */

/* An inlined function's entry leads to its abstract one, that to its declaration: more is a cycle. */
enum { MAX_ORIGINS = 16 };

struct naming {
	const char *linkage_name, *name;
	struct dwarf_value origin; /* form 0: none */
};

static void read_naming(const struct dwarf_unit *unit, const struct dwarf_abbrev_table *table,
			uint64_t offset, struct naming *naming)
{
	struct byte_reader r = dwarf_unit_reader(unit, offset);
	const struct dwarf_abbrev *abbrev = dwarf_abbrev_find(table, leb128_unsigned(&r));

	naming->origin.form = 0;
	for (size_t i = 0; abbrev && i < abbrev->attr_count && !naming->linkage_name; i++) {
		const struct dwarf_attr *attr = &table->attrs[abbrev->first_attr + i];
		struct dwarf_value value;

		dwarf_value_read(&r, attr, &unit->format, &value);
		if (!byte_reader_ok(&r))
			return;
		switch (attr->name) {
		case DW_AT_linkage_name:
		case DW_AT_MIPS_linkage_name: naming->linkage_name = dwarf_unit_text(unit, &value); break;
		case DW_AT_name:
			if (!naming->name)
				naming->name = dwarf_unit_text(unit, &value);
			break;
		case DW_AT_abstract_origin:
		case DW_AT_specification: naming->origin = value; break;
		}
	}
}

const char *dwarf_entry_name(const struct dwarf_unit *unit, const struct dwarf_abbrev_table *table,
			     uint64_t offset)
{
	const struct dwarf_unit *at = unit;
	struct naming naming = { 0 };

	for (int i = 0; i < MAX_ORIGINS; i++) {
		read_naming(at, at == unit ? table : dwarf_unit_abbrevs(at), offset, &naming);
		if (naming.linkage_name || !naming.origin.form ||
		    dwarf_unit_reference(at, &naming.origin, &at, &offset) < 0)
			break;
	}
	return naming.linkage_name ? naming.linkage_name : naming.name;
}
