/*
 * Owns the options, one table per object, found by hash, and the store of demangled names. Demangling is the one thing
 * that threads share, so names_lock guards that store. Tables are loaded in symbol_loading.c and answer in
 * symbol_table.c.
 */
#include "symbol/symbolizer_state.h"

#include <stdlib.h>

#include "base/cache_file.h"
#include "base/xalloc.h"
#include "elf/build_id_cache.h"
#include "elf/zip_file.h"
#include "symbol/demangle.h"
#include "symbol/elf_symbols.h"
#include "symbol/jitdump.h"
#include "symbol/kallsyms.h"
#include "symbol/kernel_place.h"
#include "symbol/kernel_source.h"
#include "symbol/named_source.h"
#include "symbol/object_needs.h"
#include "symbol/perf_map.h"
#include "symbol/swift_demangler.h"
#include "symbol/symbol_archive.h"

static const char *copy_text(struct symbolizer *symbolizer, const char *text)
{
	return text ? arena_strdup(&symbolizer->arena, text) : NULL;
}

static const char *const default_debug_dirs[] = { "/usr/lib/debug", NULL };

struct debug_file_search symbolizer_options_search(const struct symbolizer_options *options)
{
	return (struct debug_file_search){ .symfs = options->symfs,
					   .debug_dirs = options->debug_dirs,
					   .debuginfod_cache = options->debuginfod_cache,
					   .buildid_dir = options->buildid_dir,
					   .archive = options->archive,
					   .is_of_other_host = options->is_of_other_host &&
							       !(options->symfs && *options->symfs) };
}

static void copy_options(struct symbolizer *symbolizer, const struct symbolizer_options *options)
{
	const char *const *dirs = options->debug_dirs ? options->debug_dirs : default_debug_dirs;
	size_t count = 0;
	const char **copies;

	symbolizer->options = *options;
	symbolizer->options.symfs = copy_text(symbolizer, options->symfs ? options->symfs : "");
	symbolizer->options.debuginfod_cache = copy_text(symbolizer, options->debuginfod_cache);
	symbolizer->options.kallsyms_path = copy_text(symbolizer, options->kallsyms_path);
	symbolizer->options.vmlinux_path = copy_text(symbolizer, options->vmlinux_path);
	symbolizer->options.kernel_release = copy_text(symbolizer, options->kernel_release);
	while (dirs[count])
		count++;
	copies = arena_alloc(&symbolizer->arena, (count + 1) * sizeof(*copies));
	for (size_t i = 0; i < count; i++)
		copies[i] = copy_text(symbolizer, dirs[i]);
	copies[count] = NULL;
	symbolizer->options.debug_dirs = copies;
	symbolizer->options.buildid_dir = copy_text(symbolizer, options->buildid_dir);
	symbolizer->search = symbolizer_options_search(&symbolizer->options);
}

struct symbolizer *symbolizer_create(const struct symbolizer_options *options)
{
	struct symbolizer *symbolizer = xcalloc(1, sizeof(*symbolizer));

	arena_init(&symbolizer->arena);
	arena_init(&symbolizer->names);
	pthread_mutex_init(&symbolizer->names_lock, NULL);
	copy_options(symbolizer, options);
	hash_table_init(&symbolizer->by_object);
	symbolizer->cache_directory = options->cache ? cache_file_directory() : NULL;
	/* Archives keep symbols with their numbers in the whole list. */
	symbolizer->kernel_source =
		kernel_source_create(options->kallsyms_path, options->kernel_is_running_kernel,
				     options->needs ? NULL : symbolizer->cache_directory);
	return symbolizer;
}

void symbolizer_destroy(struct symbolizer *symbolizer)
{
	if (!symbolizer)
		return;
	swift_demangler_destroy(symbolizer->swift);
	for (size_t i = 0; i < symbolizer->table_count; i++) {
		struct symbol_table *table = symbolizer->tables[i];

		symbol_table_tell_origin(table);
		named_source_close(table->lines);
		zip_file_close(table->zip);
		elf_symbols_destroy(table->elf);
		free(table->wanted);
		kernel_place_destroy(table->place);
		perf_map_close(table->perf_map);
		symbol_map_destroy(table->jitdump_map);
		jitdump_close(table->jitdump);
		free(table->source);
		free(table);
	}
	free(symbolizer->tables);
	free(symbolizer->cache_directory);
	hash_table_fini(&symbolizer->by_object);
	symbol_lists_destroy(symbolizer->options.lists);
	kernel_source_destroy(symbolizer->kernel_source);
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
	return symbol_object_equal(&((struct symbol_table *const *)items)[item]->object, key);
}

static void learn_kernel(struct symbolizer *symbolizer, const struct symbol_object *kernel)
{
	char *cached = build_id_cache_find(symbolizer->search.buildid_dir, &kernel->build_id, "kallsyms");

	kernel_source_learn(symbolizer->kernel_source,
			    &(struct recorded_kernel){ kernel->build_id, kernel->relocation_symbol,
						       kernel->relocation_address });
	if (cached)
		kernel_source_offer(symbolizer->kernel_source, cached);
	free(cached);
}

struct symbol_table *symbolizer_table(struct symbolizer *symbolizer, const struct symbol_object *object)
{
	uint64_t hash = symbol_object_hash(object);
	uint32_t number =
		hash_table_find(&symbolizer->by_object, hash, object_equal, symbolizer->tables, object);
	struct symbol_table *table;

	if (number != HASH_TABLE_NONE)
		return symbolizer->tables[number];
	table = xcalloc(1, sizeof(*table));
	table->symbolizer = symbolizer;
	table->object = *object;
	table->object.path = copy_text(symbolizer, object->path ? object->path : "");
	table->object.relocation_symbol = copy_text(symbolizer, object->relocation_symbol);
	if (symbolizer->options.archive)
		table->archived = symbol_archive_find(symbolizer->options.archive, object);
	if (symbolizer->options.needs)
		table->need = object_needs_of(symbolizer->options.needs, object);
	if (object->kind == SYMBOL_OBJECT_KERNEL)
		learn_kernel(symbolizer, &table->object);
	symbolizer->tables = array_grow(symbolizer->tables, &symbolizer->table_capacity,
					symbolizer->table_count + 1, sizeof(struct symbol_table *));
	symbolizer->tables[symbolizer->table_count] = table;
	hash_table_insert(&symbolizer->by_object, hash, (uint32_t)symbolizer->table_count++);
	return table;
}

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

/* Swift's library is not known to allow several threads. */
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

const char *symbolizer_demangle(const char *name, void *context)
{
	struct symbolizer *symbolizer = context;

	return keep_name(symbolizer, swift_demangler_is_swift(name) ?
					     demangle_swift(symbolizer, name) :
					     demangle_name(name, symbolizer->options.demangle_parameters));
}

/* Names of the kernel are not demangled: perf's default, and only Rust drivers have such. */
bool symbol_table_shows_demangled(const struct symbol_table *table)
{
	return table->symbolizer->options.demangle && !symbol_object_is_kernel(&table->object);
}
