#include "support/dwarf_builder.h"

#include <dwarf.h>
#include <elf.h>
#include <stdlib.h>
#include <string.h>

struct image {
	const struct dwarf_recipe *recipe;
	struct strbuf info, abbrev, line, ranges;
};

static void u8(struct strbuf *buf, unsigned int value)
{
	strbuf_addc(buf, (char)value);
}

static void bytes(struct strbuf *buf, const char *values, size_t count)
{
	strbuf_add(buf, values, count);
}

static void text(struct strbuf *buf, const char *value)
{
	strbuf_add(buf, value, strlen(value) + 1);
}

static void u16(const struct image *image, struct strbuf *buf, uint16_t value)
{
	strbuf_add_u16(buf, value, image->recipe->swap);
}

static void u32(const struct image *image, struct strbuf *buf, uint32_t value)
{
	strbuf_add_u32(buf, value, image->recipe->swap);
}

static void address(const struct image *image, struct strbuf *buf, uint64_t value)
{
	strbuf_add_u64(buf, value, image->recipe->swap);
}

static void offset(const struct image *image, struct strbuf *buf, uint64_t value)
{
	if (image->recipe->offset_size == 8)
		strbuf_add_u64(buf, value, image->recipe->swap);
	else
		strbuf_add_u32(buf, (uint32_t)value, image->recipe->swap);
}

/* Puts a length in front: of what comes behind it. */
static void prepend_length(const struct image *image, struct strbuf *buf)
{
	size_t size = buf->size;
	char *rest = strbuf_detach(buf);

	strbuf_init(buf);
	if (image->recipe->offset_size == 8)
		u32(image, buf, UINT32_MAX);
	offset(image, buf, size);
	strbuf_add(buf, rest, size);
	free(rest);
}

/* --- .debug_abbrev ------------------------------------------------------------------------------------- */

static void attr(struct image *image, unsigned int name, unsigned int form)
{
	if (name >= 0x80) { /* LEB128 */
		u8(&image->abbrev, name | 0x80);
		name >>= 7;
	}
	u8(&image->abbrev, name);
	u8(&image->abbrev, form);
}

static void begin_abbrev(struct image *image, unsigned int code, unsigned int tag, bool has_children)
{
	u8(&image->abbrev, code);
	u8(&image->abbrev, tag);
	u8(&image->abbrev, has_children);
}

static void end_abbrev(struct image *image)
{
	u8(&image->abbrev, 0);
	u8(&image->abbrev, 0);
}

static void make_abbrevs(struct image *image)
{
	bool old = image->recipe->version < 4;
	unsigned int offset_form = !old                            ? DW_FORM_sec_offset :
				   image->recipe->offset_size == 8 ? DW_FORM_data8 :
								     DW_FORM_data4;
	unsigned int high_form = old ? DW_FORM_addr : DW_FORM_data4;

	begin_abbrev(image, 1, DW_TAG_compile_unit, true);
	attr(image, DW_AT_name, DW_FORM_string);
	attr(image, DW_AT_comp_dir, DW_FORM_string);
	attr(image, DW_AT_stmt_list, offset_form);
	attr(image, DW_AT_low_pc, DW_FORM_addr);
	if (!image->recipe->no_unit_ranges)
		attr(image, DW_AT_high_pc, high_form);
	end_abbrev(image);
	begin_abbrev(image, 2, DW_TAG_subprogram, false);
	if (image->recipe->cycle)
		attr(image, DW_AT_abstract_origin, DW_FORM_ref4);
	else
		attr(image, DW_AT_name, DW_FORM_string);
	end_abbrev(image);
	begin_abbrev(image, 3, DW_TAG_subprogram, true);
	attr(image, DW_AT_name, DW_FORM_string);
	attr(image, DW_AT_low_pc, DW_FORM_addr);
	attr(image, DW_AT_high_pc, high_form);
	end_abbrev(image);
	begin_abbrev(image, 4, DW_TAG_inlined_subroutine, false);
	attr(image, DW_AT_abstract_origin, DW_FORM_ref4);
	attr(image, DW_AT_ranges, offset_form);
	attr(image, DW_AT_call_file, DW_FORM_data1);
	attr(image, DW_AT_call_line, DW_FORM_data1);
	end_abbrev(image);
	u8(&image->abbrev, 0);
}

/* --- .debug_info ----------------------------------------------------------------------------------------- */

static void high(struct image *image, uint64_t low, uint32_t size)
{
	if (image->recipe->version < 4)
		address(image, &image->info, low + size);
	else
		u32(image, &image->info, size);
}

static void make_info(struct image *image)
{
	const struct dwarf_recipe *recipe = image->recipe;
	struct strbuf *info = &image->info;
	size_t length_bytes = recipe->offset_size == 8 ? 12 : 4, inner;

	u16(image, info, recipe->version);
	if (recipe->version >= 5) {
		u8(info, DW_UT_compile);
		u8(info, 8);
		offset(image, info, 0);
	} else {
		offset(image, info, 0);
		u8(info, 8);
	}
	u8(info, 1);
	text(info, "unit.c");
	text(info, "/build");
	offset(image, info, 0);
	address(image, info, 0x1000);
	if (!recipe->no_unit_ranges)
		high(image, 0x1000, 0x10);
	inner = info->size + length_bytes;
	u8(info, 2);
	if (recipe->cycle)
		u32(image, info, (uint32_t)inner);
	else
		text(info, "inner");
	u8(info, 3);
	text(info, "outer");
	address(image, info, 0x1000);
	high(image, 0x1000, 0x10);
	u8(info, 4);
	u32(image, info, (uint32_t)inner);
	offset(image, info, recipe->version >= 5 ? (recipe->offset_size == 8 ? 20 : 12) : 0);
	u8(info, recipe->version >= 5 ? 0 : 1);
	u8(info, 7);
	u8(info, 0); /* behind outer()'s children */
	u8(info, 0); /* behind the unit's */
	prepend_length(image, info);
}

static void make_ranges(struct image *image)
{
	static const uint64_t pairs[] = { 4, 8, 0xc, 0xe, 0, 0 };
	struct strbuf *ranges = &image->ranges;

	if (image->recipe->version < 5) {
		for (size_t i = 0; i < sizeof(pairs) / sizeof(pairs[0]); i++)
			address(image, ranges, pairs[i]);
		return;
	}
	u16(image, ranges, 5);
	u8(ranges, 8);
	u8(ranges, 0);
	u32(image, ranges, 0);
	u8(ranges, DW_RLE_offset_pair);
	u8(ranges, 4);
	u8(ranges, 8);
	u8(ranges, DW_RLE_start_length);
	address(image, ranges, 0x100c);
	u8(ranges, 2);
	u8(ranges, DW_RLE_end_of_list);
	prepend_length(image, ranges);
}

/* --- .debug_line ------------------------------------------------------------------------------------------- */

static void make_line_tables(const struct image *image, struct strbuf *header)
{
	if (image->recipe->version < 5) {
		text(header, "inc"); /* directory 1 */
		u8(header, 0);
		text(header, "unit.c");
		bytes(header, "\0\0\0", 3);
		text(header, "unit.h");
		bytes(header, "\1\0\0", 3);
		u8(header, 0);
		return;
	}
	bytes(header, "\1\1\x08", 3); /* one form: DW_LNCT_path as a string */
	u8(header, 2);
	text(header, "/build");
	text(header, "inc");
	bytes(header, "\2\1\x08\2\x0b", 5); /* path, directory as data1 */
	u8(header, 2);
	text(header, "unit.c");
	u8(header, 0);
	text(header, "unit.h");
	u8(header, 1);
}

/* Special opcodes: opcode 13 + 14 * address + line + 5, with line_base -5 and line_range 14. */
static void row(struct strbuf *line, unsigned int advance, int line_advance)
{
	u8(line, 13 + 14 * advance + (unsigned int)(line_advance + 5));
}

static void make_lines(struct image *image)
{
	static const char operands[] = { 0, 1, 1, 1, 1, 0, 0, 0, 1, 0, 0, 1 };
	unsigned int unit_c = image->recipe->version >= 5 ? 0 : 1;
	struct strbuf *line = &image->line, header;

	strbuf_init(&header);
	u8(&header, 1);
	if (image->recipe->version >= 4)
		u8(&header, 1);
	u8(&header, 1);
	u8(&header, (unsigned int)-5);
	u8(&header, 14);
	u8(&header, 13);
	bytes(&header, operands, sizeof(operands));
	make_line_tables(image, &header);

	u16(image, line, image->recipe->version);
	if (image->recipe->version >= 5)
		bytes(line, "\x08\0", 2);
	offset(image, line, header.size);
	strbuf_add(line, header.bytes, header.size);
	strbuf_fini(&header);

	bytes(line, "\0\x09\x02", 3);
	address(image, line, 0x1000);
	u8(line, DW_LNS_set_file);
	u8(line, unit_c);
	row(line, 0, 4); /* 5 */
	u8(line, DW_LNS_set_file);
	u8(line, unit_c + 1);
	row(line, 4, -3); /* 2 */
	u8(line, DW_LNS_set_file);
	u8(line, unit_c);
	row(line, 4, 4); /* 6 */
	u8(line, DW_LNS_set_file);
	u8(line, unit_c + 1);
	row(line, 4, -4); /* 2 */
	u8(line, DW_LNS_set_file);
	u8(line, unit_c);
	row(line, 2, 7); /* 9 */
	u8(line, DW_LNS_advance_pc);
	u8(line, 2);
	bytes(line, "\0\1\1", 3);
	prepend_length(image, line);
}

/* --- the file ---------------------------------------------------------------------------------------------- */

static void add_section(struct elf_builder *builder, const char *name, struct strbuf *contents)
{
	elf_builder_section(builder, name, SHT_PROGBITS, 0, 0, contents->bytes, contents->size);
	strbuf_fini(contents);
}

uint8_t *dwarf_builder_make(const struct dwarf_recipe *recipe, size_t *size)
{
	struct image image = { .recipe = recipe };
	struct elf_builder builder;
	uint8_t *made;
	uint32_t code;

	strbuf_init(&image.info);
	strbuf_init(&image.abbrev);
	strbuf_init(&image.line);
	strbuf_init(&image.ranges);
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
