#include "symbol/symbolizer.h"

#include <elf.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/hash_table.h"
#include "base/xalloc.h"
#include "elf/build_id_cache.h"
#include "elf/debug_file.h"
#include "elf/elf_file.h"
#include "elf/zip_file.h"
#include "symbol/demangle.h"
#include "symbol/elf_symbols.h"
#include "symbol/jitdump.h"
#include "symbol/kallsyms.h"
#include "symbol/kernel_file.h"
#include "symbol/kernel_place.h"
#include "symbol/kernel_source.h"
#include "symbol/named_source.h"
#include "symbol/object_needs.h"
#include "symbol/perf_map.h"
#include "symbol/recorded_file.h"
#include "symbol/source_cache.h"
#include "symbol/swift_demangler.h"
#include "symbol/symbol_archive.h"
#include "symbol/symbol_map.h"

struct symbol_table {
	struct symbolizer *symbolizer;
	struct symbol_object object; /* texts in the symbolizer's arena */
	bool opened, loaded;
	uint64_t *wanted; /* addresses that will be asked for; none: any may be */
	size_t wanted_count, wanted_capacity;
	struct symbol_map *map; /* borrowed from what follows; NULL when nothing could be loaded */
	struct zip_file *zip;   /* of an APK, whose libraries have tables of their own; else NULL */
	struct elf_symbols *elf;
	bool listed;                /* the map is what the recording brought with it */
	bool named_by_elf;          /* the map is that of `elf`; of the kernel it may have lines alone */
	bool looked_for_elf;        /* of the kernel and its modules */
	struct kernel_place *place; /* likewise: where their code was; NULL: other objects */
	bool looked_for_lines;
	struct named_source *lines; /* NULL: no debug information, or not looked for */
	struct perf_map *perf_map;
	struct jitdump *jitdump;
	struct symbol_map *jitdump_map; /* by offset in the file */
	struct source_frame jit_frame;  /* what was answered last */
	const struct archived_object
		*archived;         /* NULL: there is no archive, or it has nothing of this object */
	struct object_need *need;  /* NULL: nobody wants to know what is asked */
	struct kallsyms *kallsyms; /* of a module; the kernel source's */
	uint64_t relocation;       /* of kallsyms: address in the map + relocation = address asked for */
	const char *module;        /* of a module: what the group of its symbols is called; else NULL */
	char *source;
	struct error why;
};

struct symbolizer {
	struct symbolizer_options options;
	struct debug_file_search search;
	char *cache_directory; /* NULL: no cache */
	struct arena arena;
	struct symbol_table **tables;
	size_t table_count;
	size_t table_capacity;
	struct hash_table by_object;
	struct kernel_source *kernel_source; /* of the kernel and all modules */
	struct swift_demangler *swift;       /* NULL: no Swift name has been met */
};

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
					   .archive = options->archive };
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
	copy_options(symbolizer, options);
	hash_table_init(&symbolizer->by_object);
	symbolizer->cache_directory = options->cache ? source_cache_directory() : NULL;
	symbolizer->kernel_source =
		kernel_source_create(options->kallsyms_path, options->kernel_is_running_kernel);
	return symbolizer;
}

static void tell_origin(const struct symbol_table *table);

void symbolizer_destroy(struct symbolizer *symbolizer)
{
	if (!symbolizer)
		return;
	swift_demangler_destroy(symbolizer->swift);
	for (size_t i = 0; i < symbolizer->table_count; i++) {
		struct symbol_table *table = symbolizer->tables[i];

		tell_origin(table);
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
	arena_fini(&symbolizer->arena);
	free(symbolizer);
}

const char *symbolizer_symfs(const struct symbolizer *symbolizer)
{
	return symbolizer->options.symfs;
}

/* --- one table per object ----------------------------------------------------- */

static bool is_file(const struct symbol_object *object)
{
	return object->kind == SYMBOL_OBJECT_ELF || object->kind == SYMBOL_OBJECT_VDSO;
}

static bool is_kernel(const struct symbol_object *object)
{
	return object->kind == SYMBOL_OBJECT_KERNEL || object->kind == SYMBOL_OBJECT_MODULE;
}

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

static char *demangle(struct symbolizer *symbolizer, const char *name)
{
	const bool parameters = symbolizer->options.demangle_parameters;

	if (!swift_demangler_is_swift(name))
		return demangle_name(name, parameters);
	if (!symbolizer->swift)
		symbolizer->swift = swift_demangler_create();
	return swift_demangler_name(symbolizer->swift, name, parameters);
}

/* In the symbolizer's arena; NULL when the name is not mangled. */
static const char *demangle_kept(const char *name, void *context)
{
	struct symbolizer *symbolizer = context;
	char *demangled = demangle(symbolizer, name);
	const char *kept = demangled ? arena_strdup(&symbolizer->arena, demangled) : NULL;

	free(demangled);
	return kept;
}

/* Names of the kernel are not demangled: perf's default, and only Rust drivers have such. */
static bool shows_demangled(const struct symbol_table *table)
{
	return table->symbolizer->options.demangle && !is_kernel(&table->object);
}

static const char *final_name(const struct symbol_table *table, struct symbol_map_entry *entry)
{
	const char *demangled;

	if (!(entry->flags & SYMBOL_MAP_DEMANGLED) && shows_demangled(table)) {
		demangled = demangle_kept(entry->name, table->symbolizer);
		if (demangled)
			entry->name = demangled;
		entry->flags |= SYMBOL_MAP_DEMANGLED;
	}
	return entry->name;
}

/* --- files -------------------------------------------------------------------------- */

static void set_source(struct symbol_table *table, struct symbol_map *map, const char *source)
{
	table->map = map;
	table->source = source ? xstrdup(source) : NULL;
}

/* The symbols of the opened file become those of the table; `why` says what is missing. */
static void take_names_of_elf(struct symbol_table *table, enum symbol_map_overlap overlap)
{
	struct elf_symbols *elf = table->elf;
	const char *problem;

	elf_symbols_read(elf, overlap, shows_demangled(table) ? demangle_kept : NULL, table->symbolizer);
	table->named_by_elf = true;
	set_source(table, elf_symbols_map(elf), elf_symbols_source(elf));
	problem = elf_symbols_problem(elf);
	if (table->source)
		return;
	if (*problem)
		error_set(&table->why, "%s", problem);
	else
		error_set(&table->why,
			  "%s is stripped: install its debug symbols, or keep the unstripped file",
			  elf_file_path(elf_symbols_file(elf)));
}

static bool is_listed(const struct symbol_table *table)
{
	struct symbol_lists *lists = table->symbolizer->options.lists;

	return lists && symbol_lists_find(lists, table->object.path);
}

/* Android maps libraries right out of APKs, which have no build-id: addresses are offsets in the APK then. */
static void open_zip(struct symbol_table *table)
{
	char *path = xasprintf("%s%s", table->symbolizer->options.symfs, table->object.path);

	if (table->object.build_id.size == 0)
		table->zip = zip_file_open(path, NULL);
	if (table->zip)
		set_source(table, NULL, path);
	free(path);
}

/* The table of the library around an address of an APK, which becomes one of the library; NULL: there is none. */
static struct symbol_table *library_at(const struct symbol_table *table, uint64_t *address)
{
	const struct zip_entry *entry = zip_file_at(table->zip, *address);
	struct symbol_object object = { .kind = SYMBOL_OBJECT_ELF };
	struct symbol_table *library;
	char *path;

	if (!entry)
		return NULL;
	path = xasprintf("%s!/%s", table->object.path, entry->name);
	object.path = path;
	library = symbolizer_table(table->symbolizer, &object);
	free(path);
	*address -= entry->file_offset;
	return library;
}

static void open_file(struct symbol_table *table)
{
	const struct recorded_file recorded = { .path = table->object.path,
						.build_id = table->object.build_id,
						.pids = table->object.pids,
						.is_vdso = table->object.kind == SYMBOL_OBJECT_VDSO };
	struct elf_file *file = NULL;

	/* Of two machines, one of which has nothing in common with the other but this path, the recorded one counts. */
	if (recorded.build_id.size || !is_listed(table))
		file = recorded_file_open(&recorded, &table->symbolizer->search, &table->why);
	if (!file) {
		open_zip(table);
		return;
	}
	table->elf = elf_symbols_open(file, &table->symbolizer->search);
}

static void load_file(struct symbol_table *table)
{
	size_t count = 0;

	if (!table->elf)
		return;
	for (size_t i = 0; i < table->wanted_count; i++)
		if (elf_file_offset_to_vaddr(elf_symbols_file(table->elf), table->wanted[i],
					     &table->wanted[count]) == 0)
			count++;
	if (table->wanted_count)
		elf_symbols_want(table->elf, table->wanted, count);
	take_names_of_elf(table, SYMBOL_MAP_INNERMOST_FUNCTION);
}

/* --- kernel ---------------------------------------------------------------------------- */

static void load_kallsyms(struct symbol_table *table)
{
	struct kernel_source *source = table->symbolizer->kernel_source;
	struct kallsyms *kallsyms = kernel_source_for_kernel(source, &table->relocation, &table->why);

	if (kallsyms)
		set_source(table, kallsyms_map(kallsyms), kallsyms_path(kallsyms));
}

/* "[snd_hda_codec]", "/lib/modules/…/snd-hda-codec.ko.xz" → "snd_hda_codec", as /proc/modules has it. */
static const char *module_name(struct symbolizer *symbolizer, const char *path)
{
	const char *slash = strrchr(path, '/');
	char *name = arena_strdup(&symbolizer->arena, slash ? slash + 1 : path);
	char *end;

	if (name[0] == '[')
		name++;
	end = strstr(name, ".ko");
	if (!end)
		end = strchr(name, ']');
	if (end)
		*end = '\0';
	for (char *c = name; *c; c++)
		if (*c == '-')
			*c = '_';
	return name;
}

static struct elf_file *open_kernel_file(const struct symbol_table *table, struct error *err)
{
	const struct symbol_object *object = &table->object;
	const struct symbolizer_options *options = &table->symbolizer->options;
	const struct debug_file_search *search = &table->symbolizer->search;

	if (object->kind == SYMBOL_OBJECT_MODULE)
		return kernel_file_open_module(object->path, &object->build_id, search, err);
	if (options->vmlinux_path)
		return kernel_file_open_named(options->vmlinux_path, &object->build_id, err);
	return kernel_file_open_vmlinux(&object->build_id, options->kernel_release, search, err);
}

static struct kernel_place *place_of(const struct symbol_table *table, struct elf_file *file)
{
	const struct symbol_object *object = &table->object;
	struct kernel_place *place;
	char *sections;

	if (object->kind == SYMBOL_OBJECT_KERNEL)
		return kernel_place_of_kernel(file, elf_symbols_debug_file(table->elf),
					      object->relocation_symbol, object->relocation_address);
	sections = xasprintf("/sys/module/%s/sections", module_name(table->symbolizer, object->path));
	place = kernel_place_of_module(file, object->relocation_address,
				       table->symbolizer->options.kernel_is_running_kernel ? sections : NULL);
	free(sections);
	return place;
}

/* The ELF file of the kernel or a module, which has lines, and names where no list has them. */
static bool open_kernel_elf(struct symbol_table *table, struct error *err)
{
	struct elf_file *file;

	if (table->looked_for_elf)
		return table->elf;
	table->looked_for_elf = true;
	file = open_kernel_file(table, err);
	if (!file)
		return false;
	table->elf = elf_symbols_open(file, &table->symbolizer->search);
	table->place = place_of(table, file);
	return true;
}

static void load_kernel(struct symbol_table *table)
{
	const bool is_named = table->symbolizer->options.vmlinux_path;

	if (is_named && open_kernel_elf(table, &table->why))
		take_names_of_elf(table, SYMBOL_MAP_INNERMOST);
	if (!table->source)
		load_kallsyms(table);
	if (!table->source && !is_named && open_kernel_elf(table, NULL))
		take_names_of_elf(table, SYMBOL_MAP_INNERMOST);
}

static void load_module(struct symbol_table *table)
{
	table->kallsyms = kernel_source_for_modules(table->symbolizer->kernel_source, &table->why);
	if (table->kallsyms) {
		set_source(table, kallsyms_map(table->kallsyms), kallsyms_path(table->kallsyms));
		table->module = module_name(table->symbolizer, table->object.path);
	} else if (open_kernel_elf(table, NULL)) {
		take_names_of_elf(table, SYMBOL_MAP_INNERMOST);
	}
}

/* Whatever the table: does the entry belong to its object? A list of the kernel has those of all modules. */
static bool is_of_object(const struct symbol_table *table, const struct symbol_map_entry *entry)
{
	return !table->module || strcmp(kallsyms_module(table->kallsyms, entry->group), table->module) == 0;
}

/* --- lookup ------------------------------------------------------------------------------- */

static void load_perf_map(struct symbol_table *table)
{
	table->perf_map = perf_map_open(table->object.pid, table->symbolizer->options.symfs, &table->why);
	if (!table->perf_map)
		return;
	set_source(table, perf_map_symbols(table->perf_map), perf_map_path(table->perf_map));
}

static void load_jitdump(struct symbol_table *table)
{
	const struct symbol_object *object = &table->object;
	struct jitdump *dump = recorded_file_open_jitdump(object->path, object->pid,
							  &table->symbolizer->search, &table->why);

	if (!dump)
		return;
	table->jitdump = dump;
	table->jitdump_map = symbol_map_create();
	for (size_t i = 0; i < jitdump_code_count(dump); i++) {
		const struct jit_code *code = jitdump_code(dump, i);

		symbol_map_add(table->jitdump_map, code->file_offset, code->size, code->name, STB_GLOBAL, 0,
			       0);
	}
	symbol_map_seal(table->jitdump_map, SYMBOL_MAP_YOUNGEST, NULL, NULL);
	set_source(table, table->jitdump_map, jitdump_path(dump));
}

void symbol_table_open(struct symbol_table *table)
{
	if (table->opened)
		return;
	table->opened = true;
	if (table->symbolizer->options.archive) {
		if (table->archived && table->archived->form == OBJECT_FORM_ELF)
			open_file(table);
		return;
	}
	if (is_file(&table->object))
		open_file(table);
	else if (table->object.kind == SYMBOL_OBJECT_KERNEL)
		load_kernel(table);
}

void symbol_table_want(struct symbol_table *table, const uint64_t *addresses, size_t count)
{
	if (table->loaded || !is_file(&table->object) || !count)
		return;
	table->wanted = array_grow(table->wanted, &table->wanted_capacity, table->wanted_count + count,
				   sizeof(*table->wanted));
	memcpy(table->wanted + table->wanted_count, addresses, count * sizeof(*addresses));
	table->wanted_count += count;
}

/* --- an archive ------------------------------------------------------------------------------ */

static void load_names(struct symbol_table *table)
{
	size_t size;
	char *text =
		symbol_archive_text(table->symbolizer->options.archive, table->archived, &size, &table->why);

	if (!text)
		return;
	table->perf_map = perf_map_from_text(text, size, table->archived->file);
	table->map = perf_map_symbols(table->perf_map);
}

/* Names come out of its own file, and everything else is as it was when the archive was made. */
static void load_archived(struct symbol_table *table)
{
	const struct archived_object *archived = table->archived;

	if (!archived) {
		error_set(&table->why, "the archive has nothing about it");
		return;
	}
	switch (archived->form) {
	case OBJECT_FORM_ELF: load_file(table); break;
	case OBJECT_FORM_NAMES: load_names(table); break;
	case OBJECT_FORM_JITDUMP: load_jitdump(table); break;
	case OBJECT_FORM_NONE: break;
	}
	free(table->source);
	table->source = table->map && archived->source ? xstrdup(archived->source) : NULL;
	if (archived->why)
		error_set(&table->why, "%s", archived->why);
}

/* Its answers are to the addresses themselves, and there are no others. */
static struct named_source *archived_lines(struct symbol_table *table)
{
	struct source_answers answers;
	struct source_index *index;

	if (!table->archived)
		return NULL;
	source_answers_init(&answers);
	if (symbol_archive_answers(table->symbolizer->options.archive, table->archived, &answers) != 1) {
		source_answers_fini(&answers);
		return NULL;
	}
	index = source_index_of_answers(&answers);
	return named_source_create(index, shows_demangled(table) ? demangle_kept : NULL, table->symbolizer);
}

/* --- what is asked ----------------------------------------------------------------------------- */

static void note_name(const struct symbol_table *table, uint64_t address, const struct symbol *symbol,
		      const struct symbol_map_entry *entry)
{
	struct object_name name;

	if (!table->need)
		return;
	object_need_add(table->need, OBJECT_NEED_NAME, address);
	if (!symbol || table->listed || is_file(&table->object))
		return;
	name = (struct object_name){ symbol->start, symbol->end - symbol->start, entry->sequence,
				     entry->name };
	object_need_add_name(table->symbolizer->options.needs, table->need, &name);
}

static enum object_form form_of(const struct symbol_table *table)
{
	if (table->listed)
		return OBJECT_FORM_NONE; /* the recording has the names itself */
	switch (table->object.kind) {
	case SYMBOL_OBJECT_ELF:
	case SYMBOL_OBJECT_VDSO: return table->elf ? OBJECT_FORM_ELF : OBJECT_FORM_NONE;
	case SYMBOL_OBJECT_JITDUMP: return table->jitdump ? OBJECT_FORM_JITDUMP : OBJECT_FORM_NONE;
	default: return table->map ? OBJECT_FORM_NAMES : OBJECT_FORM_NONE;
	}
}

static void tell_origin(const struct symbol_table *table)
{
	const struct object_origin origin = { .form = form_of(table),
					      .opened = table->jitdump ? jitdump_path(table->jitdump) : NULL,
					      .source = table->source,
					      .why = *table->why.message ? table->why.message : NULL,
					      .full = symbol_table_is_full(table) };

	if (table->need && table->loaded)
		object_need_set_origin(table->symbolizer->options.needs, table->need, &origin);
}

/* --- lookup ------------------------------------------------------------------------------------ */

/* What the recording says itself, where no better source is left. */
static void load_listed(struct symbol_table *table)
{
	const struct symbol_object *object = &table->object;
	struct symbolizer *symbolizer = table->symbolizer;
	struct symbol_list *list =
		symbolizer->options.lists ? symbol_lists_find(symbolizer->options.lists, object->path) : NULL;

	if (!list)
		return;
	table->named_by_elf = false;
	table->listed = true;
	table->relocation = object->kind == SYMBOL_OBJECT_SYMFILE ?
				    0 :
				    symbol_list_relocation(list, object->kind == SYMBOL_OBJECT_MODULE ?
									 object->relocation_address :
									 object->code_file_offset);
	set_source(table, symbol_list_map(list, shows_demangled(table) ? demangle_kept : NULL, symbolizer),
		   "the recording");
}

static void load(struct symbol_table *table)
{
	symbol_table_open(table);
	table->loaded = true;
	if (table->symbolizer->options.archive) {
		load_archived(table);
		if (!table->source)
			load_listed(table);
		return;
	}
	switch (table->object.kind) {
	case SYMBOL_OBJECT_ELF:
	case SYMBOL_OBJECT_VDSO: load_file(table); break;
	case SYMBOL_OBJECT_KERNEL: break; /* opening is all */
	case SYMBOL_OBJECT_MODULE: load_module(table); break;
	case SYMBOL_OBJECT_PERF_MAP: load_perf_map(table); break;
	case SYMBOL_OBJECT_JITDUMP: load_jitdump(table); break;
	case SYMBOL_OBJECT_LISTED:
	case SYMBOL_OBJECT_SYMFILE: break;
	}
	if (!table->source)
		load_listed(table);
}

/* From the object's map space to the vaddr in its ELF file; 0, or -1. */
static int to_vaddr(const struct symbol_table *table, uint64_t address, uint64_t *vaddr)
{
	if (table->place)
		return kernel_place_vaddr(table->place, address, vaddr);
	return elf_file_offset_to_vaddr(elf_symbols_file(table->elf), address, vaddr);
}

/* From the object's map space to that of its symbols; 0, or -1. */
static int to_map_address(const struct symbol_table *table, uint64_t address, uint64_t *map_address)
{
	*map_address = address - table->relocation;
	return table->named_by_elf ? to_vaddr(table, address, map_address) : 0;
}

static struct named_source *lines_of(struct symbol_table *table)
{
	if (!table->loaded)
		load(table);
	if (!table->looked_for_lines && table->symbolizer->options.archive) {
		table->looked_for_lines = true;
		table->lines = archived_lines(table);
	}
	if (!table->looked_for_lines && is_kernel(&table->object))
		(void)open_kernel_elf(table, NULL);
	if (!table->looked_for_lines && table->elf)
		table->lines =
			named_source_open(elf_symbols_file(table->elf), elf_symbols_debug_file(table->elf),
					  &table->symbolizer->search, table->symbolizer->cache_directory,
					  shows_demangled(table) ? demangle_kept : NULL, table->symbolizer);
	table->looked_for_lines = true;
	return table->lines;
}

/* Names of a file that are none of its symbols. */
static void note_function(const struct symbol_table *table, const struct symbol *symbol, const char *raw)
{
	struct object_name name = { symbol->start, symbol->end - symbol->start, 0, raw };

	if (table->need)
		object_need_add_name(table->symbolizer->options.needs, table->need, &name);
}

/*
 * A file may have been stripped of symbols, of all or of local ones, and not of its debug information. `label`, if not
 * NULL, has no size and only seems to reach up to the address: the function may have begun in between.
 */
static int find_in_debug_info(struct symbol_table *table, uint64_t address,
			      const struct symbol_map_entry *label, struct symbol *symbol)
{
	struct named_source *lines = table->named_by_elf ? lines_of(table) : NULL;
	struct source_function function;
	const char *shown;
	uint64_t vaddr;

	if (!lines || to_vaddr(table, address, &vaddr) < 0 ||
	    named_source_find_function(lines, vaddr, &function, &shown) == 0 ||
	    (label && function.low <= label->start))
		return 0;
	*symbol = (struct symbol){
		.name = shown,
		.start = address - (vaddr - function.low),
		.end = address + (function.high - vaddr),
	};
	note_function(table, symbol, function.name);
	return 1;
}

static int find_in_library(const struct symbol_table *table, uint64_t address, struct symbol *symbol)
{
	uint64_t inside = address;
	struct symbol_table *library = library_at(table, &inside);

	if (!library || !symbol_table_find(library, inside, symbol))
		return 0;
	symbol->start += address - inside;
	symbol->end += address - inside;
	return 1;
}

int symbol_table_find(struct symbol_table *table, uint64_t address, struct symbol *symbol)
{
	struct symbol_map_entry *entry;
	uint64_t map_address;

	if (!table->loaded)
		load(table);
	if (table->zip)
		return find_in_library(table, address, symbol);
	note_name(table, address, NULL, NULL);
	if (!table->map || to_map_address(table, address, &map_address) < 0)
		return 0;
	if (table->named_by_elf && !elf_symbols_reach(table->elf, map_address))
		table->map = elf_symbols_map(table->elf);
	entry = symbol_map_find(table->map, map_address);
	if ((!entry || (entry->flags & SYMBOL_MAP_NO_SIZE)) &&
	    find_in_debug_info(table, address, entry, symbol))
		return 1;
	if (!entry || !is_of_object(table, entry))
		return 0;
	*symbol = (struct symbol){
		.name = final_name(table, entry),
		.start = address - (map_address - entry->start),
		.end = address + (entry->end - map_address),
		.is_plt = entry->flags & SYMBOL_MAP_PLT,
		.is_local = entry->binding == STB_LOCAL,
	};
	note_name(table, address, symbol, entry);
	return 1;
}

/* --- source ---------------------------------------------------------------------------------- */

/* Jitdump files say which line an instruction is of; what was inlined there they do not. */
static size_t find_jit_source(struct symbol_table *table, uint64_t address,
			      const struct source_frame **frames)
{
	const struct jit_code *code = jitdump_find(table->jitdump, address);
	struct jit_line line;

	if (!code || !jitdump_line(table->jitdump, code, address - code->file_offset, &line))
		return 0;
	table->jit_frame = (struct source_frame){ .file = line.file, .line = line.line };
	*frames = &table->jit_frame;
	return 1;
}

/* What an archive knows of a source it knows by the addresses that are asked for. */
static int to_source_address(const struct symbol_table *table, uint64_t address, uint64_t *source_address)
{
	*source_address = address;
	return table->symbolizer->options.archive ? 0 : to_vaddr(table, address, source_address);
}

size_t symbol_table_find_source(struct symbol_table *table, uint64_t address,
				const struct source_frame **frames)
{
	struct named_source *lines = lines_of(table);
	uint64_t source_address = address;
	struct symbol_table *library = table->zip ? library_at(table, &source_address) : NULL;
	size_t count;

	if (library)
		return symbol_table_find_source(library, source_address, frames);
	if (table->jitdump)
		return find_jit_source(table, address, frames);
	if (!lines || to_source_address(table, address, &source_address) < 0)
		return 0;
	count = named_source_find(lines, source_address, frames);
	if (table->need)
		object_need_add_source(table->need, address, *frames, count);
	return count;
}

void symbol_table_prepare_source(struct symbol_table *table, const uint64_t *addresses, size_t count)
{
	struct named_source *lines = lines_of(table);
	uint64_t *vaddrs;
	size_t kept = 0;

	if (!lines || table->symbolizer->options.archive)
		return;
	vaddrs = xmalloc((count + 1) * sizeof(*vaddrs));
	for (size_t i = 0; i < count; i++)
		if (to_vaddr(table, addresses[i], &vaddrs[kept]) == 0)
			kept++;
	source_index_prepare(named_source_index(lines), vaddrs, kept);
	free(vaddrs);
}

const char *symbol_table_source(const struct symbol_table *table, const char **why)
{
	if (why)
		*why = table->why.message;
	return table->source;
}

bool symbol_table_is_full(const struct symbol_table *table)
{
	if (table->symbolizer->options.archive)
		return table->archived && table->archived->full;
	return table->elf && elf_symbols_are_full(table->elf);
}

bool symbol_table_has_lines(struct symbol_table *table)
{
	return lines_of(table) || table->jitdump;
}

const struct symbol_archive *symbolizer_archive(const struct symbolizer *symbolizer)
{
	return symbolizer->options.archive;
}

const struct archived_object *symbol_table_archived(const struct symbol_table *table)
{
	return table->archived;
}
