/*
 * Owns the options, one table per object, found by hash, and the store of demangled names. Demangling is the one thing
 * that threads share, so names_lock guards that store.
 */
#include "symbol/symbolizer.h"

#include <pthread.h>
#include <stdlib.h>

#include "base/cache_file.h"
#include "base/hash_table.h"
#include "base/xalloc.h"
#include "elf/build_id_cache.h"
#include "symbol/demangle.h"
#include "symbol/swift_demangler.h"
#include "symbol/symbol_source.h"

struct symbolizer {
	struct symbolizer_options options;
	struct debug_file_search search;
	struct symbol_environment environment; /* shared by all tables */
	char *cache_directory;                 /* NULL: no cache */
	struct arena arena;
	struct symbol_table **tables;
	size_t table_count;
	size_t table_capacity;
	struct hash_table by_object;
	/* guards names and swift, which threads share even if each uses its own tables */
	pthread_mutex_t names_lock;
	struct arena names;            /* demangled names */
	struct swift_demangler *swift; /* NULL until the first Swift name */
};

/* --- names ---------------------------------------------------------------------- */

static const char *keep_name(struct symbolizer *symbolizer, char *name)
{
	const char *kept = NULL;

	if (name) {
		pthread_mutex_lock(&symbolizer->names_lock);
		kept = arena_strdup(&symbolizer->names, name);
		pthread_mutex_unlock(&symbolizer->names_lock);
	}
	free(name);
	return kept;
}

/* Swift's library is not known to be thread-safe. */
static char *demangle_swift(struct symbolizer *symbolizer, const char *name)
{
	char *demangled;

	pthread_mutex_lock(&symbolizer->names_lock);
	if (!symbolizer->swift)
		symbolizer->swift = swift_demangler_create();
	demangled = swift_demangler_name(symbolizer->swift, name, symbolizer->options.demangle_parameters);
	pthread_mutex_unlock(&symbolizer->names_lock);
	return demangled;
}

static const char *demangle(const char *name, void *context)
{
	struct symbolizer *symbolizer = context;

	return keep_name(symbolizer, swift_demangler_is_swift(name) ?
					     demangle_swift(symbolizer, name) :
					     demangle_name(name, symbolizer->options.demangle_parameters));
}

/* --- life cycle ----------------------------------------------------------------- */

struct symbolizer *symbolizer_create(const struct symbolizer_options *options)
{
	struct symbolizer *symbolizer = xcalloc(1, sizeof(*symbolizer));

	pthread_mutex_init(&symbolizer->names_lock, NULL);
	symbolizer->options = symbolizer_options_copy(options, &symbolizer->arena);
	symbolizer->search = symbolizer_options_search(&symbolizer->options);
	symbolizer->cache_directory = options->cache ? cache_file_directory() : NULL;
	symbolizer->environment = (struct symbol_environment){
		.options = &symbolizer->options,
		.search = &symbolizer->search,
		/* An archive stores symbols with their numbers in the whole list, so the cached part will not do. */
		.kernel = kernel_source_create(options->kallsyms_path, options->kernel_is_running_kernel,
					       options->needs ? NULL : symbolizer->cache_directory),
		.demangle = demangle,
		.demangle_context = symbolizer,
	};
	return symbolizer;
}

void symbolizer_destroy(struct symbolizer *symbolizer)
{
	if (!symbolizer)
		return;
	swift_demangler_destroy(symbolizer->swift);
	for (size_t i = 0; i < symbolizer->table_count; i++)
		symbol_table_tell_origin(symbolizer->tables[i]);
	for (size_t i = 0; i < symbolizer->table_count; i++)
		symbol_table_destroy(symbolizer->tables[i]);
	free(symbolizer->tables);
	free(symbolizer->cache_directory);
	hash_table_fini(&symbolizer->by_object);
	symbol_lists_destroy(symbolizer->options.lists);
	kernel_source_destroy(symbolizer->environment.kernel);
	pthread_mutex_destroy(&symbolizer->names_lock);
	arena_fini(&symbolizer->names);
	arena_fini(&symbolizer->arena);
	free(symbolizer);
}

const struct debug_file_search *symbolizer_search(const struct symbolizer *symbolizer)
{
	return &symbolizer->search;
}

const char *symbolizer_symfs(const struct symbolizer *symbolizer)
{
	return symbolizer->options.symfs;
}

const struct symbol_archive *symbolizer_archive(const struct symbolizer *symbolizer)
{
	return symbolizer->options.archive;
}

/* --- one table per object ----------------------------------------------------- */

static bool object_equal(const void *items, uint32_t item, const void *key)
{
	return symbol_object_equal(symbol_table_object(((struct symbol_table *const *)items)[item]), key);
}

static void learn_kernel(struct symbolizer *symbolizer, const struct symbol_object *kernel)
{
	struct kernel_source *source = symbolizer->environment.kernel;
	char *cached = build_id_cache_find(symbolizer->search.buildid_dir, &kernel->build_id, "kallsyms");

	kernel_source_learn(source, &(struct recorded_kernel){ kernel->build_id, kernel->relocation_symbol,
							       kernel->relocation_address });
	if (cached)
		kernel_source_offer(source, cached);
	free(cached);
}

static struct symbol_table *table_of(void *symbolizer, const struct symbol_object *object)
{
	return symbolizer_table(symbolizer, object);
}

/* Strings of the copy live as long as the symbolizer. */
static struct symbol_object copy_object(struct symbolizer *symbolizer, const struct symbol_object *object)
{
	const char *symbol = object->relocation_symbol;
	struct symbol_object copy = *object;

	copy.path = arena_strdup(&symbolizer->arena, object->path ? object->path : "");
	copy.relocation_symbol = symbol ? arena_strdup(&symbolizer->arena, symbol) : NULL;
	return copy;
}

struct symbol_table *symbolizer_table(struct symbolizer *symbolizer, const struct symbol_object *object)
{
	uint64_t hash = symbol_object_hash(object);
	uint32_t number =
		hash_table_find(&symbolizer->by_object, hash, object_equal, symbolizer->tables, object);
	struct symbol_object copy;
	struct symbol_table *table;

	if (number != HASH_TABLE_NONE)
		return symbolizer->tables[number];
	copy = copy_object(symbolizer, object);
	table = symbol_table_create(&symbolizer->environment, &copy, symbolizer->cache_directory, table_of,
				    symbolizer);
	if (object->kind == DSO_KERNEL)
		learn_kernel(symbolizer, &copy);
	hash_table_insert(&symbolizer->by_object, hash, (uint32_t)symbolizer->table_count);
	*ARRAY_ADD(symbolizer->tables, symbolizer->table_count, symbolizer->table_capacity) = table;
	return table;
}
