/*
 * Finds the symbols of a table: a function for each kind of object, called by symbol_table_open() or symbol_table_load().
 * Each sets table->map and table->source, or leaves the reason in table->why. With an archive, no other file is searched.
 * Names that the recording itself lists come last, but before a file whose build is not known.
 */
#include "symbol/symbolizer_state.h"

#include <elf.h>
#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "elf/elf_file.h"
#include "elf/zip_file.h"
#include "symbol/elf_symbols.h"
#include "symbol/jitdump.h"
#include "symbol/kallsyms.h"
#include "symbol/kernel_file.h"
#include "symbol/kernel_place.h"
#include "symbol/kernel_source.h"
#include "symbol/named_source.h"
#include "symbol/perf_map.h"
#include "symbol/recorded_file.h"
#include "symbol/symbol_archive.h"

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

	elf_symbols_read(elf, overlap, symbol_table_shows_demangled(table) ? symbolizer_demangle : NULL,
			 table->symbolizer);
	if (elf_symbols_check_whole(elf, &table->why) < 0)
		return;
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
struct symbol_table *symbol_table_library_at(const struct symbol_table *table, uint64_t *address)
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

	table->kallsyms = kallsyms;
	if (kallsyms)
		set_source(table, kallsyms_map(kallsyms), kallsyms_path(kallsyms));
}

void symbol_table_read_whole_list(struct symbol_table *table)
{
	struct kernel_source *source = table->symbolizer->kernel_source;

	kernel_source_want_whole(source);
	table->kallsyms = kernel_source_for_kernel(source, &table->relocation, &table->why);
	table->map = kallsyms_map(table->kallsyms);
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
bool symbol_table_open_kernel_elf(struct symbol_table *table, struct error *err)
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

	if (is_named && symbol_table_open_kernel_elf(table, &table->why))
		take_names_of_elf(table, SYMBOL_MAP_INNERMOST);
	if (!table->source)
		load_kallsyms(table);
	if (!table->source && !is_named && symbol_table_open_kernel_elf(table, NULL))
		take_names_of_elf(table, SYMBOL_MAP_INNERMOST);
}

static void load_module(struct symbol_table *table)
{
	struct kallsyms *kallsyms = kernel_source_for_modules(table->symbolizer->kernel_source, &table->why);
	const char *module = module_name(table->symbolizer, table->object.path);

	if (kallsyms && kallsyms_has_module(kallsyms, module)) {
		table->kallsyms = kallsyms;
		table->module = module;
		set_source(table, kallsyms_map(kallsyms), kallsyms_path(kallsyms));
		return;
	}
	if (kallsyms)
		error_set(
			&table->why,
			"%s does not have it any more, and there is no file of it here: install the package of the "
			"recorded kernel, or load the module and record again",
			kallsyms_path(kallsyms));
	if (symbol_table_open_kernel_elf(table, NULL))
		take_names_of_elf(table, SYMBOL_MAP_INNERMOST);
}

/* --- run-time compilers ------------------------------------------------------------------------------- */

/* As the recorder kept it. NULL: it did not; *whole: it kept all of it. */
static struct perf_map *recorded_perf_map(const struct symbol_table *table, bool *whole)
{
	const struct perf_map_source *source = &table->symbolizer->options.perf_maps;
	struct perf_map *map;
	size_t size;
	char *text = source->text ? source->text(source->context, table->object.pid, &size, whole) : NULL;

	if (!text)
		return NULL;
	map = perf_map_from_text(text, size, "the recording");
	free(text);
	return map;
}

/* Numbers of processes mean nothing on another machine, but what lies below symfs is what the user says. */
static struct perf_map *perf_map_in_tmp(struct symbol_table *table)
{
	const struct symbolizer *symbolizer = table->symbolizer;
	const struct symbolizer_options *options = &symbolizer->options;

	if (!symbolizer->search.is_of_other_host)
		return perf_map_open(table->object.pid, options->symfs, options->perf_maps.recorded_until_s,
				     &table->why);
	error_set(
		&table->why,
		"/tmp/perf-%u.map would be that of a process of this machine, not of the one that was recorded "
		"(--symfs / takes it, --symfs DIRECTORY that of DIRECTORY)",
		table->object.pid);
	return NULL;
}

/* The recording's own comes first. Where that is not whole, the file may have more, if it is of the recorded process. */
static void load_perf_map(struct symbol_table *table)
{
	bool whole = false;
	struct perf_map *recorded = recorded_perf_map(table, &whole);

	if (!whole)
		table->perf_map = perf_map_in_tmp(table);
	if (table->perf_map)
		perf_map_close(recorded);
	else
		table->perf_map = recorded;
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
	if (symbol_object_is_file(&table->object))
		open_file(table);
	else if (table->object.kind == SYMBOL_OBJECT_KERNEL)
		load_kernel(table);
	else if (table->object.kind == SYMBOL_OBJECT_MODULE)
		kernel_source_want_whole(table->symbolizer->kernel_source);
}

void symbol_table_want(struct symbol_table *table, const uint64_t *addresses, size_t count)
{
	if (table->loaded || !symbol_object_is_file(&table->object) || !count)
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
	free(text);
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
struct named_source *symbol_table_archived_lines(struct symbol_table *table)
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
	return named_source_create(index, symbol_table_shows_demangled(table) ? symbolizer_demangle : NULL,
				   table->symbolizer);
}

/* --- the whole ------------------------------------------------------------------------------------ */

/* Symbols from the recording itself, if there is no better source. */
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
	set_source(table,
		   symbol_list_map(list, symbol_table_shows_demangled(table) ? symbolizer_demangle : NULL,
				   symbolizer),
		   "the recording");
}

void symbol_table_load(struct symbol_table *table)
{
	if (table->loaded)
		return;
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

/* --- several threads --------------------------------------------------------------------------------- */

const void *symbol_table_group(struct symbol_table *table)
{
	const struct symbolizer_options *options = &table->symbolizer->options;

	/* These sources are shared by all objects. */
	if (options->archive || options->needs || options->lists)
		return NULL;
	switch (table->object.kind) {
	case SYMBOL_OBJECT_ELF:
	case SYMBOL_OBJECT_VDSO:
		symbol_table_open(table);
		return table->zip ? NULL : table; /* tables of libraries are made when one is asked for */
	case SYMBOL_OBJECT_KERNEL:
	case SYMBOL_OBJECT_MODULE: return table->symbolizer->kernel_source;
	case SYMBOL_OBJECT_PERF_MAP:
	case SYMBOL_OBJECT_JITDUMP: return table;
	case SYMBOL_OBJECT_LISTED:
	case SYMBOL_OBJECT_SYMFILE: break;
	}
	return NULL;
}

size_t symbol_table_file_bytes(const struct symbol_table *table)
{
	size_t size = 0;

	if (table->elf)
		(void)elf_file_bytes(elf_symbols_file(table->elf), &size);
	return size;
}
