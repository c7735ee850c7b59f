/*
 * Finds the bytes of a unit in a package (a hash table on disk) or a .dwo file, then make_whole() edits copies of its
 * .debug_info and .debug_abbrev: the unit's type becomes that of a whole unit, and the 8 bytes of its id become
 * DW_AT_low_pc, which only the skeleton has. Nothing behind these bytes moves, so references within the unit stay right.
 */
#include "symbol/dwarf/split_dwarf.h"

#include <dwarf.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/byte_reader.h"
#include "base/leb128.h"
#include "base/xalloc.h"

struct split_package {
	struct elf_file *elf;
	struct dwarf_sections sections;
	bool swap;
	uint32_t slot_count;    /* a power of two */
	uint32_t section_count; /* columns of `offsets` */
	uint32_t unit_count;    /* rows of `offsets` */
	const uint8_t *ids;     /* slot_count ids of 8 bytes */
	const uint8_t *rows;    /* slot_count row numbers of 4 bytes, counted from 1; 0: free slot */
	const uint8_t *columns; /* section_count numbers of 4 bytes: DW_SECT_* */
	const uint8_t *offsets; /* unit_count times section_count offsets of 4 bytes */
};

/* --- packages ------------------------------------------------------------------------------------------ */

static uint32_t u32_at(const struct split_package *package, const uint8_t *bytes, size_t number)
{
	struct byte_reader r = byte_reader_over(bytes + number * 4, 4, package->swap);

	return byte_reader_u32(&r);
}

static uint64_t u64_at(const struct split_package *package, const uint8_t *bytes, size_t number)
{
	struct byte_reader r = byte_reader_over(bytes + number * 8, 8, package->swap);

	return byte_reader_u64(&r);
}

/* DWARF 5, section 7.3.5.3. GNU's version 2 differs only in the numbers of sections. */
static int read_index(struct split_package *package, const struct elf_section *section)
{
	struct byte_reader r = byte_reader_over(section->bytes, section->size, package->swap);
	uint32_t version = byte_reader_u32(&r);
	uint64_t cells;

	if (version != 2 && (version & 0xffff) != 5 && version >> 16 != 5)
		return -1;
	package->section_count = byte_reader_u32(&r);
	package->unit_count = byte_reader_u32(&r);
	package->slot_count = byte_reader_u32(&r);
	if (!byte_reader_ok(&r) || package->slot_count == 0 ||
	    (package->slot_count & (package->slot_count - 1)) ||
	    package->slot_count > byte_reader_left(&r) / 12 ||
	    __builtin_mul_overflow((uint64_t)package->unit_count, package->section_count, &cells) ||
	    package->section_count > byte_reader_left(&r) / 4 || cells > byte_reader_left(&r) / 4)
		return -1;
	package->ids = byte_reader_bytes(&r, (size_t)package->slot_count * 8);
	package->rows = byte_reader_bytes(&r, (size_t)package->slot_count * 4);
	package->columns = byte_reader_bytes(&r, (size_t)package->section_count * 4);
	package->offsets = byte_reader_bytes(&r, (size_t)cells * 4);
	return byte_reader_ok(&r) ? 0 : -1;
}

struct split_package *split_package_open(const char *path, struct error *err)
{
	struct elf_file *elf = access(path, F_OK) == 0 ? elf_file_open(path, err) : NULL;
	struct split_package *package;
	struct elf_section section;

	if (!elf)
		return NULL;
	package = xcalloc(1, sizeof(*package));
	package->elf = elf;
	dwarf_sections_of(&package->sections, elf, ".dwo", err);
	package->swap = elf_file_swapped(elf);
	if (elf_file_section(elf, ".debug_cu_index", &section, err) == 1 && section.bytes &&
	    read_index(package, &section) == 0)
		return package;
	error_set(err, "%s has no index of its units, or a damaged one", path);
	split_package_close(package);
	return NULL;
}

void split_package_close(struct split_package *package)
{
	if (!package)
		return;
	elf_file_close(package->elf);
	free(package);
}

/* Row of the unit, counted from 1; 0: not in the package. */
static uint32_t row_of(const struct split_package *package, uint64_t id)
{
	uint32_t mask = package->slot_count - 1, slot = (uint32_t)id & mask;
	uint32_t step = ((uint32_t)(id >> 32) & mask) | 1;

	for (uint32_t tries = 0; tries < package->slot_count; tries++, slot = (slot + step) & mask) {
		uint32_t row = u32_at(package, package->rows, slot);

		if (row == 0)
			return 0;
		if (u64_at(package, package->ids, slot) == id)
			return row <= package->unit_count ? row : 0;
	}
	return 0;
}

/* Section numbers that both versions of packages share, and those that only one of them has. */
static int section_of_column(uint32_t column)
{
	switch (column) {
	case DW_SECT_INFO: return DWARF_INFO;
	case DW_SECT_ABBREV: return DWARF_ABBREV;
	case DW_SECT_LINE: return DWARF_LINE;
	case DW_SECT_STR_OFFSETS: return DWARF_STR_OFFSETS;
	case DW_SECT_RNGLISTS: return DWARF_RNGLISTS;
	default: return -1;
	}
}

static struct dwarf_section cut_front(struct dwarf_section section, uint64_t offset)
{
	if (!section.bytes || offset >= section.size)
		return (struct dwarf_section){ .bytes = NULL };
	return (struct dwarf_section){ section.bytes + offset, section.size - (size_t)offset };
}

/* --- units ---------------------------------------------------------------------------------------------- */

/* DWARF 5, section 7.5.1. Offsets are from the header's first byte. */
struct unit_header {
	const uint8_t *bytes;
	size_t size; /* including the entries */
	uint16_t version;
	uint8_t type; /* DW_UT_*; before version 5, DW_UT_compile */
	uint8_t offset_size, address_size;
	uint64_t abbrev_offset, id;
	size_t type_at, abbrev_at, id_at, entry_at;
};

/* Reads the header of the unit at the beginning of the section. */
static int read_header(struct unit_header *header, const struct dwarf_section *info, bool swap)
{
	struct byte_reader r = byte_reader_over(info->bytes, info->size, swap);
	uint64_t length = byte_reader_u32(&r);

	*header = (struct unit_header){ .bytes = info->bytes, .type = DW_UT_compile, .offset_size = 4 };
	if (length == UINT32_MAX) {
		header->offset_size = 8;
		length = byte_reader_u64(&r);
	}
	if (!byte_reader_ok(&r) || length > byte_reader_left(&r))
		return -1;
	header->size = (size_t)(r.next - info->bytes) + (size_t)length;
	header->version = byte_reader_u16(&r);
	header->type_at = (size_t)(r.next - info->bytes);
	if (header->version >= 5) {
		header->type = byte_reader_u8(&r);
		header->address_size = byte_reader_u8(&r);
	}
	header->abbrev_at = (size_t)(r.next - info->bytes);
	header->abbrev_offset = header->offset_size == 8 ? byte_reader_u64(&r) : byte_reader_u32(&r);
	if (header->version < 5)
		header->address_size = byte_reader_u8(&r);
	header->id_at = (size_t)(r.next - info->bytes);
	if (header->type == DW_UT_split_compile)
		header->id = byte_reader_u64(&r);
	header->entry_at = (size_t)(r.next - info->bytes);
	return byte_reader_ok(&r) && header->entry_at < header->size &&
			       (header->address_size == 8 || header->address_size == 4) ?
		       0 :
		       -1;
}

/*
 * Only the skeleton has the base address of ranges. The 8 bytes of the id, which is no longer needed, become DW_AT_low_pc
 * of the unit's first entry, so that everything after them stays in place.
 */
static void add_low_pc(struct strbuf *buf, const struct unit_header *header, uint64_t low_pc, bool swap)
{
	if (header->address_size == 8) {
		strbuf_add_u64(buf, low_pc, swap);
		return;
	}
	strbuf_add_u32(buf, (uint32_t)low_pc, swap);
	strbuf_add_zeros(buf, 4);
}

static void add_low_pc_abbrev(struct strbuf *buf, const struct unit_header *header)
{
	static const uint8_t address[] = { DW_AT_low_pc, DW_FORM_addr };
	static const uint8_t filler[] = { (DW_AT_GNU_dwo_id & 0x7f) | 0x80, DW_AT_GNU_dwo_id >> 7,
					  DW_FORM_data4 };

	strbuf_add(buf, address, sizeof(address));
	if (header->address_size != 8)
		strbuf_add(buf, filler, sizeof(filler));
}

/* Skips a name and a form; UINT64_MAX at the end of the list. */
static uint64_t skip_attribute(struct byte_reader *r)
{
	uint64_t name = leb128_unsigned(r), form = leb128_unsigned(r);

	if (form == DW_FORM_implicit_const)
		(void)leb128_signed(r);
	return name || form ? name : UINT64_MAX;
}

/* Moves the reader to the attributes of the abbreviation; false if there is none. */
static bool find_abbrev(struct byte_reader *r, uint64_t code)
{
	for (uint64_t found = leb128_unsigned(r); found && byte_reader_ok(r); found = leb128_unsigned(r)) {
		(void)leb128_unsigned(r); /* tag */
		byte_reader_skip(r, 1);   /* has children */
		if (found == code)
			return byte_reader_ok(r);
		while (byte_reader_ok(r) && skip_attribute(r) != UINT64_MAX)
			;
	}
	return false;
}

/*
 * Copies the table and adds DW_AT_low_pc to the abbreviation of the first entry: in place of its id, or, from version 5 on,
 * in front of its attributes.
 */
static int copy_abbrevs(struct split_unit *split, const struct dwarf_section *abbrevs, uint64_t code,
			const struct unit_header *header)
{
	struct byte_reader r = byte_reader_over(abbrevs->bytes, abbrevs->size, split->sections.swap);
	const uint8_t *from, *to;

	if (!find_abbrev(&r, code))
		return -1;
	from = to = r.next;
	if (header->version < 5) {
		uint64_t name;

		do {
			from = r.next;
			name = skip_attribute(&r);
			to = r.next;
		} while (byte_reader_ok(&r) && name != DW_AT_GNU_dwo_id && name != UINT64_MAX);
		if (!byte_reader_ok(&r) || name != DW_AT_GNU_dwo_id)
			return -1;
	}
	strbuf_reset(&split->abbrev);
	strbuf_add(&split->abbrev, abbrevs->bytes, (size_t)(from - abbrevs->bytes));
	add_low_pc_abbrev(&split->abbrev, header);
	strbuf_add(&split->abbrev, to, (size_t)(abbrevs->bytes + abbrevs->size - to));
	split->sections.at[DWARF_ABBREV] =
		(struct dwarf_section){ (const uint8_t *)split->abbrev.bytes, split->abbrev.size };
	return 0;
}

/* Position of the id before version 5, which is among the first entry's values. 0: not found, or another id. */
static size_t find_id(const struct split_unit *split, const struct unit_header *header, uint64_t id)
{
	struct dwarf_handle handle;
	Dwarf_Attribute attribute;
	Dwarf_Word found;
	Dwarf_Die entry;
	size_t at = 0;

	if (dwarf_handle_open(&handle, &split->sections, NULL) < 0)
		return 0;
	if (dwarf_offdie(handle.dwarf, header->entry_at, &entry) &&
	    dwarf_attr(&entry, DW_AT_GNU_dwo_id, &attribute) && attribute.form == DW_FORM_data8 &&
	    dwarf_formudata(&attribute, &found) == 0 && found == id)
		at = (size_t)(attribute.valp - header->bytes);
	dwarf_handle_close(&handle);
	return at;
}

static void zero(struct strbuf *buf, size_t at, size_t size)
{
	memset(buf->bytes + at, 0, size);
}

/* Turns split->sections, whose .debug_info begins with the unit, into sections of a whole unit. */
static int make_whole(struct split_unit *split, const struct unit_header *header,
		      const struct dwarf_unit *skeleton)
{
	const struct dwarf_section abbrevs =
		cut_front(split->sections.at[DWARF_ABBREV], header->abbrev_offset);
	struct byte_reader r = byte_reader_over(header->bytes, header->size, split->sections.swap);
	struct strbuf *info = &split->info;
	size_t low_pc_at, code_size;
	uint64_t code;

	byte_reader_skip(&r, header->entry_at);
	code = leb128_unsigned(&r);
	code_size = (size_t)(r.next - header->bytes) - header->entry_at;
	low_pc_at = header->version >= 5 ? header->id_at : find_id(split, header, skeleton->split_id);
	if (!byte_reader_ok(&r) || low_pc_at == 0 || low_pc_at > header->size - 8 ||
	    copy_abbrevs(split, &abbrevs, code, header) < 0)
		return -1;
	strbuf_reset(info);
	strbuf_add(info, header->bytes, low_pc_at);
	if (header->version >=
	    5) /* the code of the first entry moves to where the id was, and DW_AT_low_pc follows it */
		strbuf_add(info, header->bytes + header->entry_at, code_size);
	add_low_pc(info, header, skeleton->low_pc, split->sections.swap);
	strbuf_add(info, header->bytes + info->size, header->size - info->size);
	zero(info, header->abbrev_at, header->offset_size);
	if (header->version >= 5)
		info->bytes[header->type_at] = DW_UT_compile;
	split->sections.at[DWARF_INFO] = (struct dwarf_section){ (const uint8_t *)info->bytes, info->size };
	return dwarf_handle_open(&split->handle, &split->sections, NULL) < 0 ||
			       !dwarf_offdie(split->handle.dwarf,
					     header->version >= 5 ? header->id_at : header->entry_at,
					     &split->entry) ?
		       -1 :
		       0;
}

/* `sections` begin with data of the unit. .debug_addr, and before version 5 the ranges, are in the main file. */
static int open_unit(struct split_unit *split, const struct dwarf_sections *sections,
		     const struct dwarf_unit *skeleton, const struct dwarf_sections *main)
{
	struct unit_header header;

	if (read_header(&header, &sections->at[DWARF_INFO], sections->swap) < 0)
		return -1;
	if (header.version >= 5 && (header.type != DW_UT_split_compile || header.id != skeleton->split_id))
		return -1;
	split->sections = *sections;
	split->sections.at[DWARF_INFO].size = header.size;
	split->sections.at[DWARF_ADDR] = cut_front(main->at[DWARF_ADDR], skeleton->addr_base);
	split->sections.at[DWARF_RANGES] = cut_front(main->at[DWARF_RANGES], skeleton->ranges_base);
	if (make_whole(split, &header, skeleton) == 0)
		return 0;
	dwarf_handle_close(&split->handle);
	return -1;
}

static int find_in_package(struct split_unit *split, const struct dwarf_unit *skeleton,
			   const struct dwarf_sections *main, const struct split_package *package)
{
	uint32_t row = row_of(package, skeleton->split_id);
	struct dwarf_sections sections = package->sections;

	if (row == 0)
		return -1;
	for (uint32_t i = 0; i < package->section_count; i++) {
		int id = section_of_column(u32_at(package, package->columns, i));
		size_t cell = (size_t)(row - 1) * package->section_count + i;

		if (id >= 0)
			sections.at[id] = cut_front(sections.at[id], u32_at(package, package->offsets, cell));
	}
	return open_unit(split, &sections, skeleton, main);
}

/* In a .dwo file, type units may precede the unit wanted. */
static int find_in_file(struct split_unit *split, const struct dwarf_unit *skeleton,
			const struct dwarf_sections *main, struct error *err)
{
	struct dwarf_sections sections;
	struct unit_header header;

	dwarf_sections_of(&sections, split->own_file, ".dwo", err);
	while (read_header(&header, &sections.at[DWARF_INFO], sections.swap) == 0) {
		if (open_unit(split, &sections, skeleton, main) == 0)
			return 0;
		sections.at[DWARF_INFO] = cut_front(sections.at[DWARF_INFO], header.size);
	}
	return -1;
}

static int open_file(struct split_unit *split, const struct dwarf_unit *skeleton,
		     const struct dwarf_sections *main, const char *path, struct error *err)
{
	split->own_file = elf_file_open(path, err);
	if (!split->own_file)
		return -1;
	if (find_in_file(split, skeleton, main, err) == 0)
		return 0;
	split_unit_close(split);
	return error_set(err, "%s belongs to another build: its id is not %" PRIx64, path,
			 skeleton->split_id);
}

int split_unit_open(struct split_unit *split, const struct dwarf_unit *skeleton,
		    const struct dwarf_sections *main, const struct split_package *package, const char *symfs,
		    const char *directory, struct error *err)
{
	const char *name = skeleton->split_name;
	char *path;
	int status;

	*split = (struct split_unit){ .own_file = NULL };
	if (package && find_in_package(split, skeleton, main, package) == 0)
		return 0;
	path = name[0] == '/' || !skeleton->directory ?
		       xasprintf("%s%s", symfs, name) :
		       xasprintf("%s%s/%s", symfs, skeleton->directory, name);
	status = open_file(split, skeleton, main, path, err);
	free(path);
	if (status < 0) {
		path = xasprintf("%s/%s", directory, basename(name));
		status = access(path, F_OK) == 0 ? open_file(split, skeleton, main, path, err) : -1;
		free(path);
	}
	if (status < 0)
		split_unit_close(split);
	return status;
}

void split_unit_close(struct split_unit *split)
{
	dwarf_handle_close(&split->handle);
	elf_file_close(split->own_file);
	strbuf_fini(&split->info);
	strbuf_fini(&split->abbrev);
	*split = (struct split_unit){ .own_file = NULL };
}
