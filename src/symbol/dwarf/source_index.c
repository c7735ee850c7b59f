/*
 * Looks into known (or cached) answers first, and opens the debug information only for an address without one.
 * source_index_prepare() passes many addresses to source_workers; source_index_find() reads single units and keeps them up
 * to MAX_KEPT_BYTES. All answers end up in one source_answers, indexed by address, which source_index_close() may save.
 */
#include "symbol/dwarf/source_index.h"

#include <elf.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash_table.h"
#include "base/xalloc.h"
#include "symbol/dwarf/source_cache.h"
#include "symbol/dwarf/source_workers.h"
#include "symbol/dwarf/unit_ranges.h"
#include "symbol/dwarf/unit_reader.h"

/* Smaller files are read as fast as their cache. */
enum { MIN_CACHED_BYTES = 4 << 20 };

struct source_index {
	struct elf_file *elf; /* its segments tell where code is */
	/* has the debug information: elf itself or its debug file; NULL: all answers are known */
	struct elf_file *debug;
	struct debug_file_search search;
	char *cache_directory; /* NULL: no cache */
	size_t cached_count;   /* number of places that came from the cache */
	bool is_split;
	struct dwarf_file *file; /* NULL until an address is looked up that the cache does not have */
	struct split_package *package;
	struct unit_context context;
	char *directory;
	struct unit_ranges ranges;
	struct source_answers answers;
	struct hash_table place_by_vaddr;
	struct source_frame *shown;
	size_t shown_capacity;
	struct unit_source **read; /* by unit, for single lookups; NULL: not in memory */
	struct unit_reader reader; /* reads the units in `read` */
};

static bool is_code(uint64_t vaddr, const void *context)
{
	const struct elf_file *elf = context;
	size_t count = elf_file_segment_count(elf);

	for (size_t i = 0; i < count; i++) {
		const struct elf_segment *segment = elf_file_segment(elf, i);

		if (segment->executable && vaddr >= segment->vaddr &&
		    vaddr - segment->vaddr < segment->memory_size)
			return true;
	}
	return count == 0; /* relocatable files have no segments */
}

/* --- opening --------------------------------------------------------------------------------------------- */

/* Looks at section headers only: the section itself may have to be decompressed. */
static bool has_debug_info(struct elf_file *elf)
{
	size_t count = elf ? elf_file_section_count(elf) : 0;

	for (size_t i = 0; i < count; i++) {
		struct elf_section section;

		elf_file_section_header(elf, i, &section);
		if ((strcmp(section.name, ".debug_info") == 0 || strcmp(section.name, ".zdebug_info") == 0) &&
		    section.type != SHT_NOBITS)
			return true;
	}
	return false;
}

/* A package is next to the binary or next to its debug file. */
static struct split_package *open_package(struct elf_file *binary, struct elf_file *debug)
{
	char *path = xasprintf("%s.dwp", elf_file_path(binary));
	struct split_package *package = split_package_open(path, NULL);

	free(path);
	if (!package && debug != binary) {
		path = xasprintf("%s.dwp", elf_file_path(debug));
		package = split_package_open(path, NULL);
		free(path);
	}
	return package;
}

static bool is_split(const struct dwarf_file *file)
{
	size_t count = dwarf_file_unit_count(file);

	for (size_t i = 0; i < count; i++)
		if (dwarf_file_unit(file, i)->split_name)
			return true;
	return false;
}

/* Opens the debug information, for addresses that the cache does not have. */
static void read_debug_info(struct source_index *index)
{
	struct error why = { .errno_value = 0 };

	index->file = dwarf_file_open(index->debug, &index->search, &why);
	if (why.message[0])
		source_answers_note_missing(&index->answers, &why);
	index->is_split = is_split(index->file);
	if (index->is_split)
		index->package = open_package(index->elf, index->debug);
	index->context = (struct unit_context){ .file = index->file,
						.package = index->package,
						.symfs = index->search.symfs ? index->search.symfs : "",
						.directory = index->directory,
						.is_code = is_code,
						.is_code_context = index->elf };
	unit_ranges_read(&index->ranges, &index->context);
}

static uint32_t unit_of(struct source_index *index, uint64_t vaddr)
{
	uint32_t unit;

	if (!index->debug)
		return UNIT_RANGES_NONE;
	if (!index->file)
		read_debug_info(index);
	unit = unit_ranges_find(&index->ranges, vaddr);
	if (unit == UNIT_RANGES_NONE && !index->ranges.knows_all) {
		unit_ranges_read_others(&index->ranges, &index->context);
		unit = unit_ranges_find(&index->ranges, vaddr);
	}
	return unit;
}

static bool is_large(const struct elf_file *elf)
{
	size_t size;

	(void)elf_file_bytes(elf, &size);
	return size >= MIN_CACHED_BYTES;
}

static struct source_cache_key cache_key(const struct source_index *index)
{
	return (struct source_cache_key){ .directory = index->cache_directory,
					  .build_id = elf_file_build_id(index->elf),
					  .debug_path = elf_file_path(index->debug) };
}

static void index_answers(struct source_index *index)
{
	for (size_t i = 0; i < index->answers.place_count; i++)
		hash_table_insert(&index->place_by_vaddr, hash_u64(index->answers.places[i].vaddr),
				  (uint32_t)i);
	index->cached_count = index->answers.place_count;
}

static void load_cache(struct source_index *index)
{
	const struct source_cache_key key = cache_key(index);

	if (source_cache_load(&key, &index->answers) == 1)
		index_answers(index);
}

/* Saves nothing if a part was missing, or if some came from files whose changes would go unnoticed. */
static void save_cache(const struct source_index *index)
{
	struct source_cache_key key;

	if (!index->cache_directory)
		return;
	key = cache_key(index);
	if (index->file && !index->is_split && !dwarf_file_alternate(index->file) &&
	    !index->answers.missing && index->answers.place_count > index->cached_count)
		source_cache_save(&key, &index->answers);
}

struct source_index *source_index_open(struct elf_file *binary, struct elf_file *debug,
				       const struct debug_file_search *search, const char *cache_directory)
{
	const char *path = elf_file_path(binary), *slash = strrchr(path, '/');
	struct source_index *index;

	if (!has_debug_info(debug))
		debug = binary;
	if (!has_debug_info(debug))
		return NULL;
	index = xcalloc(1, sizeof(*index));
	source_answers_init(&index->answers);
	index->elf = binary;
	index->debug = debug;
	index->search = *search;
	index->directory = slash ? xstrndup(path, (size_t)(slash - path)) : xstrdup(".");
	if (cache_directory && is_large(debug)) {
		index->cache_directory = xstrdup(cache_directory);
		load_cache(index);
	}
	return index;
}

struct source_index *source_index_of_answers(const struct source_answers *answers)
{
	struct source_index *index = xcalloc(1, sizeof(*index));

	index->answers = *answers;
	index_answers(index);
	return index;
}

static void forget_units(struct source_index *index)
{
	size_t count = index->read ? dwarf_file_unit_count(index->file) : 0;

	for (size_t i = 0; i < count; i++) {
		if (index->read[i])
			unit_source_fini(index->read[i]);
		free(index->read[i]);
		index->read[i] = NULL;
	}
	dwarf_handle_close(&index->reader.handle);
}

void source_index_close(struct source_index *index)
{
	if (!index)
		return;
	save_cache(index);
	forget_units(index);
	free(index->read);
	source_answers_fini(&index->answers);
	hash_table_fini(&index->place_by_vaddr);
	split_package_close(index->package);
	dwarf_file_close(index->file);
	unit_ranges_fini(&index->ranges);
	free(index->directory);
	free(index->cache_directory);
	free(index->shown);
	free(index);
}

size_t source_index_missing(const struct source_index *index, const char **why)
{
	*why = index->answers.why.message;
	return index->answers.missing;
}

/* --- answers ----------------------------------------------------------------------------------------------- */

static bool place_equal(const void *items, uint32_t item, const void *key)
{
	return ((const struct source_place *)items)[item].vaddr == *(const uint64_t *)key;
}

static uint32_t find_place(const struct source_index *index, uint64_t vaddr)
{
	return hash_table_find(&index->place_by_vaddr, hash_u64(vaddr), place_equal, index->answers.places,
			       &vaddr);
}

static void keep_place(struct source_index *index, uint64_t vaddr, const struct unit_frame *frames,
		       size_t count)
{
	hash_table_insert(&index->place_by_vaddr, hash_u64(vaddr), (uint32_t)index->answers.place_count);
	source_answers_add(&index->answers, vaddr, frames, count);
}

/* Adds a worker's answers, which number their texts differently. */
static void take_answers(void *taker, const struct source_answers *from)
{
	struct source_index *index = taker;
	uint32_t count = str_pool_count(from->texts);
	uint32_t *numbers = xmalloc(((size_t)count + 1) * sizeof(*numbers));
	struct unit_frame frames[INLINE_MAX_DEPTH];

	for (uint32_t i = 0; i < count; i++)
		numbers[i] = str_pool_add(index->answers.texts, str_pool_text(from->texts, i));
	for (size_t i = 0; i < from->place_count; i++) {
		const struct source_place *place = &from->places[i];

		for (uint32_t j = 0; j < place->frame_count; j++) {
			const struct unit_frame *frame = &from->frames[place->first_frame + j];

			frames[j] = (struct unit_frame){ numbers[frame->function], numbers[frame->file],
							 frame->line };
		}
		keep_place(index, place->vaddr, frames, place->frame_count);
	}
	if (from->missing && index->answers.missing == 0)
		index->answers.why = from->why;
	index->answers.missing += from->missing;
	free(numbers);
}

/* --- many lookups at once ------------------------------------------------------------------------------------ */

/* Collects addresses that still need a look at a unit, and returns their number. Those in no unit get an empty answer. */
static size_t collect(struct source_index *index, const uint64_t *vaddrs, size_t count,
		      struct source_question *questions)
{
	size_t kept = 0;

	for (size_t i = 0; i < count; i++) {
		uint32_t unit;

		if (find_place(index, vaddrs[i]) != HASH_TABLE_NONE)
			continue;
		unit = unit_of(index, vaddrs[i]);
		if (unit == UNIT_RANGES_NONE)
			keep_place(index, vaddrs[i], NULL, 0);
		else
			questions[kept++] = (struct source_question){ vaddrs[i], unit };
	}
	return kept;
}

void source_index_prepare(struct source_index *index, const uint64_t *vaddrs, size_t count)
{
	struct source_question *questions = xmalloc((count + 1) * sizeof(*questions));
	size_t kept = collect(index, vaddrs, count, questions);

	if (kept)
		source_workers_ask(&index->context, questions, kept, take_answers, index);
	free(questions);
}

/* --- one lookup ----------------------------------------------------------------------------------------------- */

enum { MAX_KEPT_BYTES = 256 << 20 }; /* large, since the next lookup may be in any unit */

/* Returns the unit's source. If libdw would hold too much, drops all units read before. */
static struct unit_source *read_unit(struct source_index *index, uint32_t number)
{
	const struct dwarf_unit *unit = dwarf_file_unit(index->file, number);
	struct error why = { .errno_value = 0 };

	if (!index->read)
		index->read = xcalloc(dwarf_file_unit_count(index->file), sizeof(*index->read));
	if (index->read[number])
		return index->read[number];
	if (!unit_reader_has_room(&index->reader, unit, MAX_KEPT_BYTES))
		forget_units(index);
	index->reader.file = index->file;
	unit_reader_take(&index->reader, unit);
	index->read[number] = xcalloc(1, sizeof(*index->read[number]));
	if (unit_source_read(index->read[number], unit, &index->context, &index->reader.handle, NULL, 0,
			     &why) < 0)
		source_answers_note_missing(&index->answers, &why);
	return index->read[number];
}

static void answer(struct source_index *index, uint64_t vaddr)
{
	uint32_t unit = unit_of(index, vaddr);
	struct unit_frame frames[INLINE_MAX_DEPTH];
	size_t count = 0;

	if (unit != UNIT_RANGES_NONE)
		count = unit_source_find(read_unit(index, unit), vaddr, index->answers.texts, frames);
	keep_place(index, vaddr, frames, count);
}

static const char *text_or_null(const struct source_index *index, uint32_t text)
{
	return text ? str_pool_text(index->answers.texts, text) : NULL;
}

size_t source_index_find(struct source_index *index, uint64_t vaddr, const struct source_frame **frames)
{
	uint32_t number = find_place(index, vaddr);
	const struct source_place *place;

	if (number == HASH_TABLE_NONE) {
		number = (uint32_t)index->answers.place_count;
		answer(index, vaddr);
	}
	place = &index->answers.places[number];
	index->shown = array_grow(index->shown, &index->shown_capacity, (size_t)place->frame_count + 1,
				  sizeof(*index->shown));
	for (uint32_t i = 0; i < place->frame_count; i++) {
		const struct unit_frame *frame = &index->answers.frames[place->first_frame + i];

		index->shown[i] = (struct source_frame){ text_or_null(index, frame->function),
							 text_or_null(index, frame->file), frame->line };
	}
	*frames = index->shown;
	return place->frame_count;
}

int source_index_find_function(struct source_index *index, uint64_t vaddr, struct source_function *function)
{
	uint32_t unit = unit_of(index, vaddr), name = 0;
	const struct owned_range *found;

	if (unit == UNIT_RANGES_NONE)
		return 0;
	found = unit_source_function(read_unit(index, unit), vaddr, index->answers.texts, &name);
	if (!found || !name)
		return 0;
	*function = (struct source_function){ str_pool_text(index->answers.texts, name), found->low,
					      found->high };
	return 1;
}
