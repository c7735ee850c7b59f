#include "support/compiled_units.h"

#include <dwarf.h>
#include <elf.h>

#include "support/dwarf_bytes.h"
#include "support/elf_builder.h"

enum { WHOLE = 1, SKELETON };

static void add_unit(struct dwarf_bytes *info, const struct compiled_unit *compiled, const char *split_name)
{
	struct dwarf_bytes unit;

	dwarf_bytes_init(&unit, info->version, info->offset_size, info->swap);
	dwarf_bytes_unit_header(&unit, split_name ? DW_UT_skeleton : DW_UT_compile, compiled->low);
	dwarf_bytes_u8(&unit, split_name ? SKELETON : WHOLE);
	dwarf_bytes_address(&unit, compiled->low);
	dwarf_bytes_address(&unit, compiled->high);
	if (split_name)
		dwarf_bytes_text(&unit, split_name);
	dwarf_bytes_prepend_length(&unit);
	dwarf_bytes_add(info, unit.buf.bytes, unit.buf.size);
	dwarf_bytes_fini(&unit);
}

struct elf_file *compiled_units_open_split(const struct compiled_unit *units, size_t count,
					   const char *split_name)
{
	static const struct dwarf_attribute attributes[] = { { DW_AT_low_pc, DW_FORM_addr },
							     { DW_AT_high_pc, DW_FORM_addr },
							     { DW_AT_dwo_name, DW_FORM_string } };
	struct dwarf_bytes info, abbrev;
	struct elf_builder builder;

	dwarf_bytes_init(&info, 5, 4, false);
	dwarf_bytes_init(&abbrev, 5, 4, false);
	dwarf_bytes_abbrev(&abbrev, WHOLE, DW_TAG_compile_unit, false, attributes, 2);
	dwarf_bytes_abbrev(&abbrev, SKELETON, DW_TAG_skeleton_unit, false, attributes, 3);
	dwarf_bytes_u8(&abbrev, 0);
	for (size_t i = 0; i < count; i++)
		add_unit(&info, &units[i], split_name);
	elf_builder_init(&builder, true, false, ET_DYN, EM_X86_64);
	elf_builder_section(&builder, ".debug_info", SHT_PROGBITS, 0, 0, info.buf.bytes, info.buf.size);
	elf_builder_section(&builder, ".debug_abbrev", SHT_PROGBITS, 0, 0, abbrev.buf.bytes, abbrev.buf.size);
	dwarf_bytes_fini(&info);
	dwarf_bytes_fini(&abbrev);
	return elf_builder_open(&builder, "/build/made");
}

struct elf_file *compiled_units_open(const struct compiled_unit *units, size_t count)
{
	return compiled_units_open_split(units, count, NULL);
}
