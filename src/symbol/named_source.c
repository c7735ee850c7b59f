/* A hash table from raw to shown names, keyed by the pointer, since texts of a source index are unique. */
#include "symbol/named_source.h"

#include <stdlib.h>

#include "base/hash_table.h"
#include "base/xalloc.h"

/* Texts of an index are unique, so a name is identified by its pointer. */
struct known_name {
	const char *raw, *shown;
};

struct named_source {
	struct source_index *index;
	symbol_map_demangle *demangle;
	void *context;
	struct known_name *names;
	size_t name_count, name_capacity;
	struct hash_table by_raw;
	struct source_frame *frames;
	size_t frame_capacity;
};

struct named_source *named_source_open(struct elf_file *binary, struct elf_file *debug,
				       const struct debug_file_search *search, const char *cache_directory,
				       symbol_map_demangle *demangle, void *context)
{
	struct source_index *index = source_index_open(binary, debug, search, cache_directory);

	return index ? named_source_create(index, demangle, context) : NULL;
}

struct named_source *named_source_create(struct source_index *index, symbol_map_demangle *demangle,
					 void *context)
{
	struct named_source *source = xcalloc(1, sizeof(*source));

	source->index = index;
	source->demangle = demangle;
	source->context = context;
	return source;
}

void named_source_close(struct named_source *source)
{
	if (!source)
		return;
	source_index_close(source->index);
	hash_table_fini(&source->by_raw);
	free(source->names);
	free(source->frames);
	free(source);
}

struct source_index *named_source_index(struct named_source *source)
{
	return source->index;
}

static bool name_equal(const void *items, uint32_t item, const void *key)
{
	return ((const struct known_name *)items)[item].raw == key;
}

static const char *shown_name(struct named_source *source, const char *raw)
{
	uint64_t hash = hash_u64((uint64_t)(uintptr_t)raw);
	uint32_t number = hash_table_find(&source->by_raw, hash, name_equal, source->names, raw);
	const char *shown;

	if (number != HASH_TABLE_NONE)
		return source->names[number].shown;
	shown = source->demangle(raw, source->context);
	source->names = array_grow(source->names, &source->name_capacity, source->name_count + 1,
				   sizeof(*source->names));
	source->names[source->name_count] = (struct known_name){ raw, shown ? shown : raw };
	hash_table_insert(&source->by_raw, hash, (uint32_t)source->name_count);
	return source->names[source->name_count++].shown;
}

size_t named_source_find(struct named_source *source, uint64_t vaddr, const struct source_frame **frames)
{
	size_t count = source_index_find(source->index, vaddr, frames);

	if (!source->demangle)
		return count;
	source->frames =
		array_grow(source->frames, &source->frame_capacity, count + 1, sizeof(*source->frames));
	for (size_t i = 0; i < count; i++) {
		source->frames[i] = (*frames)[i];
		if (source->frames[i].function)
			source->frames[i].function = shown_name(source, source->frames[i].function);
	}
	*frames = source->frames;
	return count;
}

int named_source_find_function(struct named_source *source, uint64_t vaddr, struct source_function *function,
			       const char **shown)
{
	if (source_index_find_function(source->index, vaddr, function) == 0)
		return 0;
	*shown = source->demangle ? shown_name(source, function->name) : function->name;
	return 1;
}
