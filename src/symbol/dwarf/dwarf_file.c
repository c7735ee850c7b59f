/*
 * Opening reads only the headers of all units and the first entry of each: its ranges, and the name of the split file if
 * there is one. Start at list_units(). libdw reads the abbreviations of each unit separately, so a budget stops damaged
 * files that make it read the same table again and again.
 */
#include "symbol/dwarf/dwarf_file.h"

#include <dwarf.h>
#include <stdlib.h>
#include <string.h>

#include "base/byte_reader.h"
#include "base/leb128.h"
#include "base/xalloc.h"

struct dwarf_file {
	struct dwarf_sections sections;
	struct elf_file *alternate_elf; /* made by dwz; NULL: none */
	struct dwarf_sections alternate;
	struct dwarf_unit *units;
	size_t unit_count, unit_capacity;
	struct dwarf_unit_range *ranges;
	size_t range_count, range_capacity;
};

/* --- units ------------------------------------------------------------------------------------------- */

struct unit_list {
	struct dwarf_file *file;
	struct dwarf_handle handle;
	struct dwarf_ranges ranges;
	uint64_t abbrevs_read; /* in bytes: by all units, and through the present handle */
	uint64_t abbrevs_held;
};

/*
 * libdw reads the abbreviations of each unit separately, even if units share them, as after dwz or link-time optimisation.
 * A hostile file can make each of its units read a whole section of abbreviations.
 */
enum {
	MAX_ABBREV_READS = 16,
	ALWAYS_READ_ABBREVS = 256 << 20,
	MAX_HELD_ABBREVS = 4 << 20, /* beyond this the handle is reopened to free them */
};

static uint64_t leb128_at(const struct dwarf_section *section, uint64_t offset)
{
	struct byte_reader r = byte_reader_over(section->bytes, section->size, false);

	byte_reader_skip(&r, offset <= section->size ? (size_t)offset : SIZE_MAX);
	return leb128_unsigned(&r);
}

/*
 * Bytes that libdw reads to find the abbreviation of a unit's first entry. Compilers put it first; otherwise it may be
 * anywhere behind.
 */
static uint64_t abbrev_search_bytes(const struct dwarf_file *file, uint64_t entry, uint64_t abbrev_offset)
{
	const struct dwarf_section *abbrevs = &file->sections.at[DWARF_ABBREV];

	if (abbrev_offset >= abbrevs->size ||
	    leb128_at(&file->sections.at[DWARF_INFO], entry) == leb128_at(abbrevs, abbrev_offset))
		return 0;
	return abbrevs->size - abbrev_offset;
}

static const char *text_of(const struct unit_list *list, Dwarf_Die *entry, unsigned int name,
			   unsigned int other_name)
{
	Dwarf_Attribute attribute;
	const char *text = dwarf_handle_text(&list->handle, dwarf_attr(entry, name, &attribute));

	return text || !other_name ?
		       text :
		       dwarf_handle_text(&list->handle, dwarf_attr(entry, other_name, &attribute));
}

/* GNU's split units, before version 5, use different attribute names for the same things. */
static uint64_t number_of(Dwarf_Die *entry, unsigned int name, unsigned int other_name)
{
	uint64_t number = dwarf_handle_number(entry, name);

	return number ? number : dwarf_handle_number(entry, other_name);
}

static void add_ranges(struct unit_list *list, Dwarf_Die *entry, uint32_t unit)
{
	struct dwarf_file *file = list->file;

	list->ranges.count = 0;
	dwarf_ranges_add(&list->ranges, entry);
	for (size_t i = 0; i < list->ranges.count; i++)
		*ARRAY_ADD(file->ranges, file->range_count, file->range_capacity) =
			(struct dwarf_unit_range){ list->ranges.items[i].low, list->ranges.items[i].high,
						   unit };
}

static void add_unit(struct unit_list *list, Dwarf_Die *entry, uint64_t size_bytes)
{
	struct dwarf_file *file = list->file;
	struct dwarf_unit unit = {
		.entry = dwarf_dieoffset(entry),
		.size_bytes = size_bytes,
		.says_ranges = dwarf_hasattr(entry, DW_AT_ranges) || dwarf_hasattr(entry, DW_AT_high_pc),
		.directory = text_of(list, entry, DW_AT_comp_dir, 0),
		.split_name = text_of(list, entry, DW_AT_dwo_name, DW_AT_GNU_dwo_name),
	};
	Dwarf_Addr low_pc;

	if (dwarf_lowpc(entry, &low_pc) == 0)
		unit.low_pc = low_pc;
	if (unit.split_name) {
		(void)dwarf_cu_info(entry->cu, NULL, NULL, NULL, NULL, &unit.split_id, NULL, NULL);
		unit.addr_base = number_of(entry, DW_AT_addr_base, DW_AT_GNU_addr_base);
		unit.ranges_base = dwarf_handle_number(entry, DW_AT_GNU_ranges_base);
	}
	add_ranges(list, entry, (uint32_t)file->unit_count);
	*ARRAY_ADD(file->units, file->unit_count, file->unit_capacity) = unit;
}

/* Counts abbreviations read; false if they exceed any honest file's. */
static bool spend_abbrevs(struct unit_list *list, uint64_t bytes)
{
	list->abbrevs_read += bytes;
	list->abbrevs_held += bytes;
	if (list->abbrevs_read > ALWAYS_READ_ABBREVS &&
	    list->abbrevs_read / MAX_ABBREV_READS > list->file->sections.at[DWARF_ABBREV].size)
		return false;
	if (list->abbrevs_held <= MAX_HELD_ABBREVS)
		return true;
	list->abbrevs_held = bytes;
	dwarf_handle_close(&list->handle);
	return dwarf_file_open_handle(list->file, &list->handle) == 0;
}

/* dwarf_next_unit() reads headers only. */
static void list_units(struct dwarf_file *file)
{
	struct unit_list list = { .file = file };
	Dwarf_Off offset = 0, next, abbrev_offset;
	size_t header_bytes;
	Dwarf_Die entry;

	list.ranges.budget = dwarf_ranges_budget(&file->sections);
	if (dwarf_file_open_handle(file, &list.handle) < 0)
		return;
	while (dwarf_next_unit(list.handle.dwarf, offset, &next, &header_bytes, NULL, &abbrev_offset, NULL,
			       NULL, NULL, NULL) == 0) {
		uint64_t bytes = abbrev_search_bytes(file, offset + header_bytes, abbrev_offset);

		if (!spend_abbrevs(&list, bytes))
			break;
		if (dwarf_offdie(list.handle.dwarf, offset + header_bytes, &entry) &&
		    (dwarf_tag(&entry) == DW_TAG_compile_unit || dwarf_tag(&entry) == DW_TAG_skeleton_unit))
			add_unit(&list, &entry, next - offset + bytes);
		offset = next;
	}
	dwarf_handle_close(&list.handle);
	dwarf_ranges_fini(&list.ranges);
}

/* --- opening ------------------------------------------------------------------------------------------- */

/* A relative path starts at the directory of the file with the link. */
static struct elf_file *open_alternate_path(struct elf_file *elf, const char *name, const struct build_id *id,
					    const struct debug_file_search *search, struct error *err)
{
	const char *path = elf_file_path(elf), *slash = strrchr(path, '/');
	char *full = name[0] == '/' ? xasprintf("%s%s", search->symfs ? search->symfs : "", name) :
				      xasprintf("%.*s%s", slash ? (int)(slash + 1 - path) : 0, path, name);
	struct elf_file *found = elf_file_open(full, err);

	if (found && !build_id_equal(elf_file_build_id(found), id)) {
		error_set(err, "%s does not have the build-id that %s refers to", full, path);
		elf_file_close(found);
		found = NULL;
	}
	free(full);
	return found;
}

/* .gnu_debugaltlink: a path, then a build-id (dwz(1), "--multifile"). */
static int read_alternate_link(struct elf_file *elf, const char **name, struct build_id *id,
			       struct error *err)
{
	struct elf_section section;
	size_t length;
	int result = elf_file_section(elf, ".gnu_debugaltlink", &section, err);

	if (result != 1)
		return result;
	*name = elf_section_string(&section, 0);
	length = *name ? strlen(*name) + 1 : section.size;
	if (section.size - length < 2 || section.size - length > BUILD_ID_MAX_BYTES)
		return error_set(err, "%s: .gnu_debugaltlink is damaged", elf_file_path(elf));
	*id = (struct build_id){ .size = (uint8_t)(section.size - length) };
	memcpy(id->bytes, section.bytes + length, id->size);
	return 1;
}

static struct elf_file *open_alternate(struct elf_file *elf, const struct debug_file_search *search,
				       struct error *err)
{
	struct elf_file *found;
	struct build_id id;
	const char *name;

	if (read_alternate_link(elf, &name, &id, err) != 1)
		return NULL;
	found = debug_file_open_build_id(&id, search, err);
	return found ? found : open_alternate_path(elf, name, &id, search, err);
}

int dwarf_file_lacks_alternate(struct elf_file *elf, const struct debug_file_search *search,
			       struct build_id *id, struct error *err)
{
	struct elf_file *found;
	const char *name;
	int result = read_alternate_link(elf, &name, id, err);

	if (result != 1)
		return result;
	found = open_alternate(elf, search, NULL);
	elf_file_close(found);
	return found ? 0 : 1;
}

struct dwarf_file *dwarf_file_open(struct elf_file *elf, const struct debug_file_search *search,
				   struct error *err)
{
	struct dwarf_file *file = xcalloc(1, sizeof(*file));

	dwarf_sections_of(&file->sections, elf, "", err);
	file->alternate_elf = open_alternate(elf, search, err);
	if (file->alternate_elf)
		dwarf_sections_of(&file->alternate, file->alternate_elf, "", err);
	list_units(file);
	return file;
}

void dwarf_file_close(struct dwarf_file *file)
{
	if (!file)
		return;
	elf_file_close(file->alternate_elf);
	free(file->units);
	free(file->ranges);
	free(file);
}

const struct dwarf_sections *dwarf_file_sections(const struct dwarf_file *file)
{
	return &file->sections;
}

const struct dwarf_sections *dwarf_file_alternate(const struct dwarf_file *file)
{
	return file->alternate_elf ? &file->alternate : NULL;
}

int dwarf_file_open_handle(const struct dwarf_file *file, struct dwarf_handle *handle)
{
	return dwarf_handle_open(handle, &file->sections, dwarf_file_alternate(file));
}

size_t dwarf_file_unit_count(const struct dwarf_file *file)
{
	return file->unit_count;
}

const struct dwarf_unit *dwarf_file_unit(const struct dwarf_file *file, size_t number)
{
	return &file->units[number];
}

const struct dwarf_unit_range *dwarf_file_ranges(const struct dwarf_file *file, size_t *count)
{
	*count = file->range_count;
	return file->ranges;
}
