#include "symbol/split_dwarf.h"

#include <dwarf.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/xalloc.h"

struct split_package {
	struct dwarf_file *file;
	bool swap;
	uint32_t slot_count;    /* a power of two */
	uint32_t section_count; /* columns of the table of offsets */
	uint32_t unit_count;    /* rows */
	const uint8_t *ids;     /* slot_count of 8 bytes */
	const uint8_t *rows;    /* slot_count of 4 bytes; counted from 1, 0: free */
	const uint8_t *columns; /* section_count of 4 bytes: DW_SECT_* */
	const uint8_t *offsets; /* unit_count times section_count of 4 bytes */
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

/* DWARF 5, section 7.3.5.3; GNU's version 2 differs in the numbers of sections alone. */
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
	package->file = dwarf_file_open_split(elf, err);
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
	dwarf_file_close(package->file);
	free(package);
}

/* Counted from 1; 0: not in the package. */
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

/* The numbers that both versions of packages have in common, and what only one of them has. */
static void set_base(uint64_t bases[DWARF_SECTION_COUNT], uint32_t column, uint64_t offset)
{
	switch (column) {
	case DW_SECT_INFO: bases[DWARF_INFO] = offset; break;
	case DW_SECT_ABBREV: bases[DWARF_ABBREV] = offset; break;
	case DW_SECT_LINE: bases[DWARF_LINE] = offset; break;
	case DW_SECT_STR_OFFSETS: bases[DWARF_STR_OFFSETS] = offset; break;
	case DW_SECT_RNGLISTS: bases[DWARF_RNGLISTS] = offset; break;
	}
}

/* --- units ---------------------------------------------------------------------------------------------- */

/* `bases`: where the unit's part of each section begins. */
static int read_unit(struct split_unit *split, const struct dwarf_file *file, uint64_t offset,
		     const uint64_t bases[DWARF_SECTION_COUNT], const struct dwarf_unit *skeleton)
{
	struct dwarf_unit *unit = &split->unit;
	struct dwarf_abbrev_table table = { 0 };
	int status = dwarf_unit_read_header(file, offset, unit);

	if (status < 0 || unit->type == DW_UT_type || unit->type == DW_UT_split_type)
		return -1;
	unit->skeleton = skeleton;
	unit->abbrev_offset += bases[DWARF_ABBREV];
	unit->line_offset += bases[DWARF_LINE];
	unit->str_offsets_base += bases[DWARF_STR_OFFSETS];
	unit->rnglists_base += bases[DWARF_RNGLISTS];
	status = dwarf_unit_read_abbrevs(unit, &table);
	if (status == 0)
		dwarf_unit_read_root(unit, &table);
	dwarf_abbrev_table_fini(&table);
	return status == 0 && unit->split_id == skeleton->split_id ? 0 : -1;
}

static int find_in_package(struct split_unit *split, const struct dwarf_unit *skeleton,
			   const struct split_package *package)
{
	uint32_t row = row_of(package, skeleton->split_id);
	uint64_t bases[DWARF_SECTION_COUNT] = { 0 };

	if (row == 0)
		return -1;
	for (uint32_t i = 0; i < package->section_count; i++)
		set_base(bases, u32_at(package, package->columns, i),
			 u32_at(package, package->offsets, (size_t)(row - 1) * package->section_count + i));
	return read_unit(split, package->file, bases[DWARF_INFO], bases, skeleton);
}

/* A .dwo file may have units of types in front of the one that is looked for. */
static int find_in_file(struct split_unit *split, const struct dwarf_file *file,
			const struct dwarf_unit *skeleton)
{
	static const uint64_t no_bases[DWARF_SECTION_COUNT];
	size_t size = dwarf_file_section(file, DWARF_INFO)->size;

	for (uint64_t offset = 0; offset < size; offset = split->unit.end)
		if (read_unit(split, file, offset, no_bases, skeleton) == 0)
			return 0;
	return -1;
}

static int open_file(struct split_unit *split, const struct dwarf_unit *skeleton, const char *path,
		     struct error *err)
{
	struct elf_file *elf = elf_file_open(path, err);

	if (!elf)
		return -1;
	split->own_file = dwarf_file_open_split(elf, err);
	if (find_in_file(split, split->own_file, skeleton) == 0)
		return 0;
	split_unit_close(split);
	return error_set(err, "%s is not of the build that was recorded: its id is not %" PRIx64, path,
			 skeleton->split_id);
}

int split_unit_open(struct split_unit *split, const struct dwarf_unit *skeleton,
		    const struct split_package *package, const char *symfs, const char *directory,
		    struct error *err)
{
	const char *name = skeleton->split_name, *slash = strrchr(name, '/');
	char *path;
	int status;

	split->own_file = NULL;
	if (package && find_in_package(split, skeleton, package) == 0)
		return 0;
	path = name[0] == '/' || !skeleton->directory ?
		       xasprintf("%s%s", symfs, name) :
		       xasprintf("%s%s/%s", symfs, skeleton->directory, name);
	status = open_file(split, skeleton, path, err);
	free(path);
	if (status == 0)
		return 0;
	path = xasprintf("%s/%s", directory, slash ? slash + 1 : name);
	status = access(path, F_OK) == 0 ? open_file(split, skeleton, path, err) : -1;
	free(path);
	return status;
}

void split_unit_close(struct split_unit *split)
{
	dwarf_file_close(split->own_file);
	split->own_file = NULL;
}
