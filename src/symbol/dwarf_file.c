#include "symbol/dwarf_file.h"

#include <dwarf.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/hash_table.h"
#include "base/leb128.h"
#include "base/xalloc.h"

struct dwarf_file {
	struct elf_file *elf;
	bool owns_elf;
	bool swap;
	struct dwarf_section sections[DWARF_SECTION_COUNT];
	struct dwarf_file *alternate; /* dwz; NULL: none */
	struct dwarf_unit *units;     /* by rising offset */
	size_t unit_count, unit_capacity;
	uint64_t *slot_offsets; /* of the shared tables, in .debug_abbrev */
	size_t slot_count, slot_capacity;
	struct hash_table slot_by_offset;
	_Atomic(struct dwarf_abbrev_table *) *tables; /* by slot */
};

static const char *const section_names[DWARF_SECTION_COUNT] = {
	[DWARF_INFO] = ".debug_info",         [DWARF_ABBREV] = ".debug_abbrev",
	[DWARF_LINE] = ".debug_line",         [DWARF_STR] = ".debug_str",
	[DWARF_LINE_STR] = ".debug_line_str", [DWARF_STR_OFFSETS] = ".debug_str_offsets",
	[DWARF_ADDR] = ".debug_addr",         [DWARF_RANGES] = ".debug_ranges",
	[DWARF_RNGLISTS] = ".debug_rnglists",
};

/* --- sections -------------------------------------------------------------------------------------- */

static bool holds_texts(enum dwarf_section_id id)
{
	return id == DWARF_STR || id == DWARF_LINE_STR;
}

static void load_sections(struct dwarf_file *file, const char *suffix, struct error *err)
{
	for (int id = 0; id < DWARF_SECTION_COUNT; id++) {
		char *name = xasprintf("%s%s", section_names[id], suffix);
		struct elf_section section;

		if (elf_file_section(file->elf, name, &section, err) == 1 && section.bytes) {
			if (holds_texts((enum dwarf_section_id)id))
				elf_section_trim_strings(&section);
			file->sections[id] = (struct dwarf_section){ section.bytes, section.size };
		}
		free(name);
	}
}

/* --- units ------------------------------------------------------------------------------------------- */

static bool slot_equal(const void *items, uint32_t item, const void *key)
{
	return ((const uint64_t *)items)[item] == *(const uint64_t *)key;
}

/* Units with equal tables, as dwz and link-time optimisation make them, share one. */
static uint32_t slot_of(struct dwarf_file *file, const struct dwarf_unit *unit)
{
	uint64_t key = unit->abbrev_offset << 8 | (uint64_t)(unit->format.version == 2) << 7 |
		       (uint64_t)unit->format.offset_size << 3 | (unit->format.address_size & 7u);
	uint64_t hash = hash_u64(key);
	uint32_t slot = hash_table_find(&file->slot_by_offset, hash, slot_equal, file->slot_offsets, &key);

	if (slot != HASH_TABLE_NONE)
		return slot;
	file->slot_offsets = array_grow(file->slot_offsets, &file->slot_capacity, file->slot_count + 1,
					sizeof(*file->slot_offsets));
	file->slot_offsets[file->slot_count] = key;
	hash_table_insert(&file->slot_by_offset, hash, (uint32_t)file->slot_count);
	return (uint32_t)file->slot_count++;
}

/* Of the table alone what the first entry needs, which is its first line as a rule; all of it for units that share. */
static void read_root_abbrevs(const struct dwarf_unit *unit, const struct dwarf_unit *before,
			      struct dwarf_abbrev_table *table, bool *complete)
{
	const struct dwarf_section *section = &unit->file->sections[DWARF_ABBREV];
	struct byte_reader r = dwarf_unit_reader(unit, unit->first_entry);
	uint64_t code = leb128_unsigned(&r);
	bool shared = before && before->abbrev_slot == unit->abbrev_slot;

	if (shared && *complete)
		return;
	*complete = shared;
	(void)dwarf_abbrev_table_read(table, section->bytes, section->size, unit->abbrev_offset,
				      &unit->format, shared ? 0 : code);
}

/* A hostile file can have each of its units read a whole section of abbreviations. */
enum { MAX_ABBREV_READS = 64, SMALL_ABBREVS = 1 << 20 };

static void list_units(struct dwarf_file *file)
{
	size_t size = file->sections[DWARF_INFO].size;
	size_t budget = file->sections[DWARF_ABBREV].size * MAX_ABBREV_READS + SMALL_ABBREVS;
	struct dwarf_abbrev_table table = { 0 };
	const struct dwarf_unit *before = NULL;
	bool complete = false;
	uint64_t offset = 0;

	while (offset < size && table.read_bytes <= budget) {
		struct dwarf_unit unit;
		int status = dwarf_unit_read_header(file, offset, &unit);

		offset =
			unit.end; /* larger than it was: a header takes bytes, or nothing behind it can be found */
		if (status < 0 || unit.type == DW_UT_type || unit.type == DW_UT_split_type)
			continue;
		file->units = array_grow(file->units, &file->unit_capacity, file->unit_count + 1,
					 sizeof(*file->units));
		before = file->unit_count ? &file->units[file->unit_count - 1] : NULL;
		unit.abbrev_slot = slot_of(file, &unit);
		read_root_abbrevs(&unit, before, &table, &complete);
		dwarf_unit_read_root(&unit, &table);
		file->units[file->unit_count++] = unit;
	}
	dwarf_abbrev_table_fini(&table);
	file->tables = xcalloc(file->slot_count + 1, sizeof(*file->tables));
}

/* --- opening ------------------------------------------------------------------------------------------- */

static struct dwarf_file *open_sections(struct elf_file *elf, const char *suffix, struct error *err)
{
	struct dwarf_file *file = xcalloc(1, sizeof(*file));

	file->elf = elf;
	file->swap = elf_file_swapped(elf);
	hash_table_init(&file->slot_by_offset);
	load_sections(file, suffix, err);
	return file;
}

/* Relative paths are from the directory of the file that has the link. */
static struct elf_file *open_alternate_path(struct elf_file *elf, const char *name, const struct build_id *id,
					    const struct debug_file_search *search, struct error *err)
{
	const char *path = elf_file_path(elf), *slash = strrchr(path, '/');
	char *full = name[0] == '/' ? xasprintf("%s%s", search->symfs ? search->symfs : "", name) :
				      xasprintf("%.*s%s", slash ? (int)(slash + 1 - path) : 0, path, name);
	struct elf_file *found = elf_file_open(full, err);

	if (found && !build_id_equal(elf_file_build_id(found), id)) {
		error_set(err, "%s is not the file that %s was made with", full, path);
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
	struct dwarf_file *file = open_sections(elf, "", err);
	struct elf_file *alternate = search ? open_alternate(elf, search, err) : NULL;

	if (alternate) {
		file->alternate = dwarf_file_open(alternate, NULL, err);
		file->alternate->owns_elf = true;
	}
	list_units(file);
	return file;
}

struct dwarf_file *dwarf_file_open_split(struct elf_file *elf, struct error *err)
{
	struct dwarf_file *file = open_sections(elf, ".dwo", err);

	file->owns_elf = true;
	file->tables = xcalloc(1, sizeof(*file->tables));
	return file;
}

void dwarf_file_close(struct dwarf_file *file)
{
	if (!file)
		return;
	dwarf_file_close(file->alternate);
	for (size_t i = 0; i < file->slot_count; i++) {
		struct dwarf_abbrev_table *table = atomic_load(&file->tables[i]);

		if (table)
			dwarf_abbrev_table_fini(table);
		free(table);
	}
	free(file->tables);
	free(file->slot_offsets);
	hash_table_fini(&file->slot_by_offset);
	free(file->units);
	if (file->owns_elf)
		elf_file_close(file->elf);
	free(file);
}

struct elf_file *dwarf_file_elf(const struct dwarf_file *file)
{
	return file->elf;
}

const struct dwarf_file *dwarf_file_alternate(const struct dwarf_file *file)
{
	return file->alternate;
}

bool dwarf_file_swapped(const struct dwarf_file *file)
{
	return file->swap;
}

const struct dwarf_section *dwarf_file_section(const struct dwarf_file *file, enum dwarf_section_id id)
{
	return &file->sections[id];
}

size_t dwarf_file_unit_count(const struct dwarf_file *file)
{
	return file->unit_count;
}

const struct dwarf_unit *dwarf_file_unit(const struct dwarf_file *file, size_t number)
{
	return &file->units[number];
}

const struct dwarf_unit *dwarf_file_unit_of(const struct dwarf_file *file, uint64_t offset)
{
	size_t low = 0, high = file->unit_count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (file->units[middle].end <= offset)
			low = middle + 1;
		else
			high = middle;
	}
	return low < file->unit_count && file->units[low].first_entry <= offset ? &file->units[low] : NULL;
}

/* Whoever comes first publishes the table; one that was made at the same time is dropped. */
const struct dwarf_abbrev_table *dwarf_unit_abbrevs(const struct dwarf_unit *unit)
{
	static const struct dwarf_abbrev_table none = { .dense = true };
	struct dwarf_abbrev_table *table, *expected = NULL;

	if (unit->abbrev_slot == DWARF_NO_SLOT)
		return &none;
	table = atomic_load_explicit(&unit->file->tables[unit->abbrev_slot], memory_order_acquire);
	if (table)
		return table;
	table = xcalloc(1, sizeof(*table));
	(void)dwarf_unit_read_abbrevs(unit, table);
	if (atomic_compare_exchange_strong(&unit->file->tables[unit->abbrev_slot], &expected, table))
		return table;
	dwarf_abbrev_table_fini(table);
	free(table);
	return expected;
}
