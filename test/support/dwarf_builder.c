#include "support/dwarf_builder.h"

#include <dwarf.h>
#include <elf.h>

#include "support/cmocka.h"
#include "support/dwarf_bytes.h"

struct image {
	const struct dwarf_recipe *recipe;
	struct dwarf_bytes info, abbrev, line, ranges;
};

/* --- .debug_abbrev ------------------------------------------------------------------------------------- */

static void make_abbrevs(struct image *image)
{
	const bool old = image->recipe->version < 4, cycle = image->recipe->cycle;
	const unsigned int offset_form = !old                            ? DW_FORM_sec_offset :
					 image->recipe->offset_size == 8 ? DW_FORM_data8 :
									   DW_FORM_data4;
	const unsigned int high_form = old ? DW_FORM_addr : DW_FORM_data4;
	const struct dwarf_attribute unit[] = { { DW_AT_name, DW_FORM_string },
						{ DW_AT_comp_dir, DW_FORM_string },
						{ DW_AT_stmt_list, offset_form },
						{ DW_AT_low_pc, DW_FORM_addr },
						{ DW_AT_high_pc, high_form } };
	const struct dwarf_attribute inner[] = { { cycle ? DW_AT_abstract_origin : DW_AT_name,
						   cycle ? DW_FORM_ref4 : DW_FORM_string } };
	const struct dwarf_attribute outer[] = { { DW_AT_name, DW_FORM_string },
						 { DW_AT_low_pc, DW_FORM_addr },
						 { DW_AT_high_pc, high_form } };
	const struct dwarf_attribute inlined[] = { { DW_AT_abstract_origin, DW_FORM_ref4 },
						   { DW_AT_ranges, offset_form },
						   { DW_AT_call_file, DW_FORM_data1 },
						   { DW_AT_call_line, DW_FORM_data1 } };

	dwarf_bytes_abbrev(&image->abbrev, 1, DW_TAG_compile_unit, true, unit,
			   image->recipe->no_unit_ranges ? 4 : 5);
	dwarf_bytes_abbrev(&image->abbrev, 2, DW_TAG_subprogram, false, inner, 1);
	dwarf_bytes_abbrev(&image->abbrev, 3, DW_TAG_subprogram, true, outer, 3);
	dwarf_bytes_abbrev(&image->abbrev, 4, DW_TAG_inlined_subroutine, false, inlined, 4);
	dwarf_bytes_u8(&image->abbrev, 0);
}

/* --- .debug_info ----------------------------------------------------------------------------------------- */

static void high(struct image *image, uint64_t low, uint32_t size)
{
	if (image->recipe->version < 4)
		dwarf_bytes_address(&image->info, low + size);
	else
		dwarf_bytes_u32(&image->info, size);
}

static void make_info(struct image *image)
{
	const struct dwarf_recipe *recipe = image->recipe;
	struct dwarf_bytes *info = &image->info;
	size_t inner;

	dwarf_bytes_unit_header(info, DW_UT_compile, 0);
	dwarf_bytes_u8(info, 1);
	dwarf_bytes_text(info, "unit.c");
	dwarf_bytes_text(info, "/build");
	dwarf_bytes_offset(info, 0);
	dwarf_bytes_address(info, 0x1000);
	if (!recipe->no_unit_ranges)
		high(image, 0x1000, 0x10);
	inner = info->buf.size + dwarf_bytes_length_size(info);
	dwarf_bytes_u8(info, 2);
	if (recipe->cycle)
		dwarf_bytes_u32(info, (uint32_t)inner);
	else
		dwarf_bytes_text(info, "inner");
	dwarf_bytes_u8(info, 3);
	dwarf_bytes_text(info, "outer");
	dwarf_bytes_address(info, 0x1000);
	high(image, 0x1000, 0x10);
	dwarf_bytes_u8(info, 4);
	dwarf_bytes_u32(info, (uint32_t)inner);
	dwarf_bytes_offset(info, recipe->version >= 5 ? (recipe->offset_size == 8 ? 20 : 12) : 0);
	dwarf_bytes_u8(info, recipe->version >= 5 ? 0 : 1);
	dwarf_bytes_u8(info, 7);
	dwarf_bytes_u8(info, 0); /* end of outer()'s children */
	dwarf_bytes_u8(info, 0); /* end of the unit's children */
	dwarf_bytes_prepend_length(info);
}

static void make_ranges(struct image *image)
{
	static const uint64_t pairs[] = { 4, 8, 0xc, 0xe, 0, 0 };
	struct dwarf_bytes *ranges = &image->ranges;

	if (image->recipe->version < 5) {
		for (size_t i = 0; i < sizeof(pairs) / sizeof(pairs[0]); i++)
			dwarf_bytes_address(ranges, pairs[i]);
		return;
	}
	dwarf_bytes_u16(ranges, 5);
	dwarf_bytes_u8(ranges, 8);
	dwarf_bytes_u8(ranges, 0);
	dwarf_bytes_u32(ranges, 0);
	dwarf_bytes_u8(ranges, DW_RLE_offset_pair);
	dwarf_bytes_u8(ranges, 4);
	dwarf_bytes_u8(ranges, 8);
	dwarf_bytes_u8(ranges, DW_RLE_start_length);
	dwarf_bytes_address(ranges, 0x100c);
	dwarf_bytes_u8(ranges, 2);
	dwarf_bytes_u8(ranges, DW_RLE_end_of_list);
	dwarf_bytes_prepend_length(ranges);
}

/* --- .debug_line ------------------------------------------------------------------------------------------- */

static void make_line_tables(struct dwarf_bytes *header)
{
	if (header->version < 5) {
		dwarf_bytes_text(header, "inc"); /* directory 1 */
		dwarf_bytes_u8(header, 0);
		dwarf_bytes_text(header, "unit.c");
		dwarf_bytes_add(header, "\0\0\0", 3);
		dwarf_bytes_text(header, "unit.h");
		dwarf_bytes_add(header, "\1\0\0", 3);
		dwarf_bytes_u8(header, 0);
		return;
	}
	dwarf_bytes_add(header, "\1\1\x08", 3); /* one form: DW_LNCT_path as a string */
	dwarf_bytes_u8(header, 2);
	dwarf_bytes_text(header, "/build");
	dwarf_bytes_text(header, "inc");
	dwarf_bytes_add(header, "\2\1\x08\2\x0b", 5); /* path, directory as data1 */
	dwarf_bytes_u8(header, 2);
	dwarf_bytes_text(header, "unit.c");
	dwarf_bytes_u8(header, 0);
	dwarf_bytes_text(header, "unit.h");
	dwarf_bytes_u8(header, 1);
}

/* Special opcodes: opcode 13 + 14 * address + line + 5, with line_base -5 and line_range 14. */
static void row(struct dwarf_bytes *line, unsigned int advance, int line_advance)
{
	dwarf_bytes_u8(line, 13 + 14 * advance + (unsigned int)(line_advance + 5));
}

static void make_lines(struct image *image)
{
	static const char operands[] = { 0, 1, 1, 1, 1, 0, 0, 0, 1, 0, 0, 1 };
	unsigned int unit_c = image->recipe->version >= 5 ? 0 : 1;
	struct dwarf_bytes *line = &image->line, header;

	dwarf_bytes_init(&header, line->version, line->offset_size, line->swap);
	dwarf_bytes_u8(&header, 1);
	if (line->version >= 4)
		dwarf_bytes_u8(&header, 1);
	dwarf_bytes_u8(&header, 1);
	dwarf_bytes_u8(&header, (unsigned int)-5);
	dwarf_bytes_u8(&header, 14);
	dwarf_bytes_u8(&header, 13);
	dwarf_bytes_add(&header, operands, sizeof(operands));
	make_line_tables(&header);

	dwarf_bytes_u16(line, line->version);
	if (line->version >= 5)
		dwarf_bytes_add(line, "\x08\0", 2);
	dwarf_bytes_offset(line, header.buf.size);
	dwarf_bytes_add(line, header.buf.bytes, header.buf.size);
	dwarf_bytes_fini(&header);

	dwarf_bytes_add(line, "\0\x09\x02", 3);
	dwarf_bytes_address(line, 0x1000);
	dwarf_bytes_u8(line, DW_LNS_set_file);
	dwarf_bytes_u8(line, unit_c);
	row(line, 0, 4); /* 5 */
	dwarf_bytes_u8(line, DW_LNS_set_file);
	dwarf_bytes_u8(line, unit_c + 1);
	row(line, 4, -3); /* 2 */
	dwarf_bytes_u8(line, DW_LNS_set_file);
	dwarf_bytes_u8(line, unit_c);
	row(line, 4, 4); /* 6 */
	dwarf_bytes_u8(line, DW_LNS_set_file);
	dwarf_bytes_u8(line, unit_c + 1);
	row(line, 4, -4); /* 2 */
	dwarf_bytes_u8(line, DW_LNS_set_file);
	dwarf_bytes_u8(line, unit_c);
	row(line, 2, 7); /* 9 */
	dwarf_bytes_u8(line, DW_LNS_advance_pc);
	dwarf_bytes_u8(line, 2);
	dwarf_bytes_add(line, "\0\1\1", 3);
	dwarf_bytes_prepend_length(line);
}

/* --- the file ---------------------------------------------------------------------------------------------- */

static void add_section(struct elf_builder *builder, const char *name, struct dwarf_bytes *contents)
{
	elf_builder_section(builder, name, SHT_PROGBITS, 0, 0, contents->buf.bytes, contents->buf.size);
	dwarf_bytes_fini(contents);
}

uint8_t *dwarf_builder_make(const struct dwarf_recipe *recipe, size_t *size)
{
	struct image image = { .recipe = recipe };
	struct elf_builder builder;
	uint8_t *made;
	uint32_t code;

	dwarf_bytes_init(&image.info, recipe->version, recipe->offset_size, recipe->swap);
	dwarf_bytes_init(&image.abbrev, recipe->version, recipe->offset_size, recipe->swap);
	dwarf_bytes_init(&image.line, recipe->version, recipe->offset_size, recipe->swap);
	dwarf_bytes_init(&image.ranges, recipe->version, recipe->offset_size, recipe->swap);
	make_abbrevs(&image);
	make_info(&image);
	make_ranges(&image);
	make_lines(&image);
	elf_builder_init(&builder, true, recipe->swap, ET_DYN, EM_X86_64);
	code = elf_builder_section(&builder, ".text", SHT_PROGBITS, SHF_ALLOC | SHF_EXECINSTR, 0x1000,
				   "0123456789abcdef0123456789abcdef", 32);
	elf_builder_code_segment(&builder, code);
	add_section(&builder, ".debug_info", &image.info);
	add_section(&builder, ".debug_abbrev", &image.abbrev);
	add_section(&builder, ".debug_line", &image.line);
	add_section(&builder, recipe->version >= 5 ? ".debug_rnglists" : ".debug_ranges", &image.ranges);
	made = elf_builder_finish(&builder, size);
	elf_builder_fini(&builder);
	return made;
}

struct elf_file *dwarf_builder_open(const struct dwarf_recipe *recipe)
{
	size_t size;
	uint8_t *bytes = dwarf_builder_make(recipe, &size);
	struct elf_file *elf = elf_file_open_memory(bytes, size, "/build/made", NULL);

	assert_non_null(elf);
	return elf;
}
