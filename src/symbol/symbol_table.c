/*
 * symbol_table_load() chooses the source of the names. symbol_table_find() looks the address up there and, if no symbol or
 * only a label without a size covers it, in the debug information.
 */
#include "symbol/symbol_table.h"

#include <elf.h>
#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "elf/elf_file.h"
#include "elf/zip_file.h"
#include "symbol/elf_symbols.h"
#include "symbol/named_source.h"
#include "symbol/object_needs.h"
#include "symbol/symbol_archive.h"
#include "symbol/symbol_source.h"

struct symbol_table {
	const struct symbol_environment *environment;
	struct symbol_object object;
	const char *cache_directory; /* for source lines; NULL: none */
	symbol_table_of *other;
	void *symbolizer;
	bool is_open, is_loaded;
	uint64_t *wanted; /* addresses that will be looked up; empty: unknown */
	size_t wanted_count, wanted_capacity;
	struct symbol_source *own; /* the source for the object's kind; NULL: none */
	/* where names come from: own, or the symbols in the recording; NULL: none */
	struct symbol_source *names;
	struct zip_file *zip;       /* an APK, whose libraries have tables of their own; else NULL */
	struct named_source *lines; /* NULL: no debug information, or not looked for */
	bool looked_for_lines;
	/* NULL: no archive is used, or it has nothing about this object */
	const struct archived_object *archived;
	struct object_need *need; /* records the lookups; may be NULL */
	char *origin;             /* see symbol_table_source() */
	struct error why;
};

struct symbol_table *symbol_table_create(const struct symbol_environment *environment,
					 const struct symbol_object *object, const char *cache_directory,
					 symbol_table_of *other, void *symbolizer)
{
	const struct symbolizer_options *options = environment->options;
	struct symbol_table *table = xcalloc(1, sizeof(*table));

	table->environment = environment;
	table->object = *object;
	table->cache_directory = cache_directory;
	table->other = other;
	table->symbolizer = symbolizer;
	if (options->archive)
		table->archived = symbol_archive_find(options->archive, object);
	if (options->needs)
		table->need = object_needs_of(options->needs, object);
	return table;
}

const struct symbol_object *symbol_table_object(const struct symbol_table *table)
{
	return &table->object;
}

const struct archived_object *symbol_table_archived(const struct symbol_table *table)
{
	return table->archived;
}

/* --- the source of the names ------------------------------------------------------------------------ */

static void set_origin(struct symbol_table *table, const char *origin)
{
	free(table->origin);
	table->origin = origin ? xstrdup(origin) : NULL;
}

static struct symbol_source *create_archived(const struct symbol_table *table)
{
	switch (table->archived ? table->archived->form : OBJECT_FORM_NONE) {
	case OBJECT_FORM_ELF: return symbol_source_of_file(table->environment, &table->object);
	case OBJECT_FORM_NAMES:
		return symbol_source_of_archive(table->environment, &table->object, table->archived);
	case OBJECT_FORM_JITDUMP: return symbol_source_of_jitdump(table->environment, &table->object);
	case OBJECT_FORM_NONE: break;
	}
	return NULL;
}

static struct symbol_source *create_own(const struct symbol_table *table)
{
	if (table->environment->options->archive)
		return create_archived(table);
	switch (table->object.kind) {
	case DSO_FILE:
	case DSO_VDSO: return symbol_source_of_file(table->environment, &table->object);
	case DSO_KERNEL:
	case DSO_MODULE: return symbol_source_of_kernel(table->environment, &table->object);
	case DSO_ANON: return symbol_source_of_perf_map(table->environment, &table->object);
	case DSO_JITDUMP: return symbol_source_of_jitdump(table->environment, &table->object);
	case DSO_UNKNOWN:
	case DSO_SYMFILE:
	case DSO_KSYMBOL: break;
	}
	return NULL;
}

/* Android maps libraries right out of APKs, which have no build-id: addresses are offsets in the APK then. */
static void open_zip(struct symbol_table *table)
{
	char *path = xasprintf("%s%s", table->environment->options->symfs, table->object.path);

	table->zip = zip_file_open(path, NULL);
	if (table->zip)
		set_origin(table, path);
	free(path);
}

static void open_source(struct symbol_table *table)
{
	if (table->is_open)
		return;
	table->is_open = true;
	table->own = create_own(table);
	if (table->own && symbol_object_is_file(&table->object) && !table->own->elf &&
	    table->object.build_id.size == 0)
		open_zip(table);
}

static void take_archived_origin(struct symbol_table *table)
{
	if (!table->archived) {
		error_set(&table->why, "the archive does not contain this object");
		return;
	}
	set_origin(table,
		   table->own && table->own->form != OBJECT_FORM_NONE ? table->archived->source : NULL);
	if (table->archived->why)
		error_set(&table->why, "%s", table->archived->why);
}

static void load_own(struct symbol_table *table)
{
	table->own->wanted = table->wanted;
	table->own->wanted_count = table->wanted_count;
	table->own->kind->load(table->own);
	table->names = table->own;
	if (!table->zip)
		set_origin(table, table->own->origin);
	table->why = table->own->why;
}

/* Symbols from the recording itself, if there is no better source. */
static void load_listed(struct symbol_table *table)
{
	struct symbol_source *listed = symbol_source_of_list(table->environment, &table->object);

	if (!listed)
		return;
	table->names = listed;
	set_origin(table, listed->origin);
}

void symbol_table_load(struct symbol_table *table)
{
	if (table->is_loaded)
		return;
	open_source(table);
	table->is_loaded = true;
	if (table->own)
		load_own(table);
	if (table->environment->options->archive)
		take_archived_origin(table);
	if (!table->origin)
		load_listed(table);
}

void symbol_table_want(struct symbol_table *table, const uint64_t *addresses, size_t count)
{
	if (table->is_loaded || !symbol_object_is_file(&table->object) || !count)
		return;
	table->wanted = array_grow(table->wanted, &table->wanted_capacity, table->wanted_count + count,
				   sizeof(*table->wanted));
	memcpy(table->wanted + table->wanted_count, addresses, count * sizeof(*addresses));
	table->wanted_count += count;
}

const char *symbol_table_source(const struct symbol_table *table, const char **why)
{
	if (why)
		*why = table->why.message;
	return table->origin;
}

bool symbol_table_is_full(const struct symbol_table *table)
{
	if (table->environment->options->archive)
		return table->archived && table->archived->full;
	return table->own && table->own->elf && elf_symbols_are_full(table->own->elf);
}

/* --- for an archive: lookups and their answers ---------------------------------------------------------- */

static bool is_listed(const struct symbol_table *table)
{
	return table->names && table->names != table->own;
}

static void note_question(const struct symbol_table *table, uint64_t address)
{
	if (table->need)
		object_need_add(table->need, OBJECT_NEED_NAME, address);
}

/* `raw`: the name before demangling. */
static void note_name(const struct symbol_table *table, const struct symbol *symbol, uint32_t sequence,
		      const char *raw)
{
	const struct object_name name = { symbol->start, symbol->end - symbol->start, sequence, raw };

	if (table->need)
		object_need_add_name(table->environment->options->needs, table->need, &name);
}

void symbol_table_tell_origin(const struct symbol_table *table)
{
	const enum object_form form = table->own && !is_listed(table) ? table->own->form : OBJECT_FORM_NONE;
	const struct object_origin origin = {
		.form = form,
		.opened = table->own && table->own->form == OBJECT_FORM_JITDUMP ? table->own->origin : NULL,
		.source = table->origin,
		.why = *table->why.message ? table->why.message : NULL,
		.full = symbol_table_is_full(table)
	};

	if (table->need && table->is_loaded)
		object_need_set_origin(table->environment->options->needs, table->need, &origin);
}

void symbol_table_destroy(struct symbol_table *table)
{
	named_source_close(table->lines);
	zip_file_close(table->zip);
	if (is_listed(table))
		symbol_source_destroy(table->names);
	symbol_source_destroy(table->own);
	free(table->wanted);
	free(table->origin);
	free(table);
}

/* --- debug information --------------------------------------------------------------------------------- */

static symbol_map_demangle *demangle_of(const struct symbol_table *table)
{
	return symbol_source_demangle(table->environment, &table->object);
}

/* An archive has source lines for exactly the addresses that were looked up when it was made. */
static struct named_source *archived_lines(const struct symbol_table *table)
{
	struct source_answers answers;

	if (!table->archived)
		return NULL;
	source_answers_init(&answers);
	if (symbol_archive_answers(table->environment->options->archive, table->archived, &answers) != 1) {
		source_answers_fini(&answers);
		return NULL;
	}
	return named_source_create(source_index_of_answers(&answers), demangle_of(table),
				   table->environment->demangle_context);
}

static struct named_source *open_lines(const struct symbol_table *table)
{
	struct symbol_source *own = table->own;

	if (table->environment->options->archive)
		return archived_lines(table);
	if (own && own->kind->open_elf)
		own->kind->open_elf(own);
	if (!own || !own->elf)
		return NULL;
	return named_source_open(elf_symbols_file(own->elf), elf_symbols_debug_file(own->elf),
				 table->environment->search, table->cache_directory, demangle_of(table),
				 table->environment->demangle_context);
}

static struct named_source *lines_of(struct symbol_table *table)
{
	symbol_table_load(table);
	if (!table->looked_for_lines)
		table->lines = open_lines(table);
	table->looked_for_lines = true;
	return table->lines;
}

bool symbol_table_has_lines(struct symbol_table *table)
{
	return lines_of(table) || (table->own && table->own->form == OBJECT_FORM_JITDUMP);
}

/* --- names ----------------------------------------------------------------------------------------------- */

static const char *final_name(const struct symbol_table *table, struct symbol_map_entry *entry)
{
	symbol_map_demangle *demangle = demangle_of(table);
	const char *demangled;

	if (!(entry->flags & SYMBOL_MAP_DEMANGLED) && demangle) {
		demangled = demangle(entry->name, table->environment->demangle_context);
		if (demangled)
			entry->name = demangled;
		entry->flags |= SYMBOL_MAP_DEMANGLED;
	}
	return entry->name;
}

/* A label has no size and is assumed to reach to the next symbol: a function without a symbol may start before the address. */
static bool may_hide_function(const struct symbol_table *table, const struct symbol_map_entry *label)
{
	return label->flags & SYMBOL_MAP_NO_SIZE &&
	       !(table->own && table->own->elf && elf_symbols_have_local(table->own->elf));
}

/*
 * Debug information may still be there when all symbols, or the local ones, were stripped from a file. `label`: the symbol
 * that seems to cover the address; NULL if none does.
 */
static int find_in_debug_info(struct symbol_table *table, uint64_t address,
			      const struct symbol_map_entry *label, struct symbol *symbol)
{
	struct named_source *lines = table->names->is_named_by_elf ? lines_of(table) : NULL;
	struct source_function function;
	const char *shown;
	uint64_t vaddr;

	if (!lines || symbol_source_vaddr(table->names, address, &vaddr) < 0 ||
	    named_source_find_function(lines, vaddr, &function, &shown) == 0 ||
	    (label && function.low <= label->start))
		return 0;
	*symbol = (struct symbol){
		.name = shown,
		.start = address - (vaddr - function.low),
		.end = address + (function.high - vaddr),
	};
	note_name(table, symbol, 0, function.name);
	return 1;
}

/* The table of the library that contains an address of an APK, NULL if there is none. Makes the address one of the library. */
static struct symbol_table *library_at(const struct symbol_table *table, uint64_t *address)
{
	const struct zip_entry *entry = table->zip ? zip_file_at(table->zip, *address) : NULL;
	struct symbol_object object = { .kind = DSO_FILE };
	struct symbol_table *library;
	char *path;

	if (!entry)
		return NULL;
	path = xasprintf("%s!/%s", table->object.path, entry->name);
	object.path = path;
	library = table->other(table->symbolizer, &object);
	free(path);
	*address -= entry->file_offset;
	return library;
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

/*
 * Names are read in place from the mapped file. If the file was truncated meanwhile, drops them all: any may have lost its
 * end.
 */
static bool still_has_names(struct symbol_table *table, const char *name)
{
	const bool has_name = *name; /* reads the file, so it must come before the check */

	if (!table->names->is_named_by_elf ||
	    (elf_symbols_check_whole(table->names->elf, &table->why) == 0 && has_name))
		return true;
	table->names = NULL;
	set_origin(table, NULL);
	return false;
}

int symbol_table_find(struct symbol_table *table, uint64_t address, struct symbol *symbol)
{
	struct symbol_map_entry *entry;
	uint64_t map_address;

	symbol_table_load(table);
	if (table->zip)
		return find_in_library(table, address, symbol);
	note_question(table, address);
	if (!table->names)
		return 0;
	entry = table->names->kind->find(table->names, address, &map_address);
	if ((!entry || may_hide_function(table, entry)) && find_in_debug_info(table, address, entry, symbol))
		return 1;
	if (!entry)
		return 0;
	*symbol = (struct symbol){
		.name = final_name(table, entry),
		.start = address - (map_address - entry->start),
		.end = address + (entry->end - map_address),
		.is_plt = entry->flags & SYMBOL_MAP_PLT,
		.is_local = entry->binding == STB_LOCAL,
	};
	if (!still_has_names(table, symbol->name))
		return 0;
	if (!symbol_object_is_file(&table->object) && !is_listed(table))
		note_name(table, symbol, entry->sequence, entry->name);
	return 1;
}

/* --- source lines ---------------------------------------------------------------------------------- */

/* An archive stores source lines under the addresses that were looked up, so these are not converted. */
static int to_source_address(const struct symbol_table *table, uint64_t address, uint64_t *source_address)
{
	*source_address = address;
	return table->environment->options->archive ?
		       0 :
		       symbol_source_vaddr(table->own, address, source_address);
}

size_t symbol_table_find_source(struct symbol_table *table, uint64_t address,
				const struct source_frame **frames)
{
	struct named_source *lines = lines_of(table);
	uint64_t source_address = address;
	struct symbol_table *library = library_at(table, &source_address);
	size_t count;

	if (library)
		return symbol_table_find_source(library, source_address, frames);
	if (table->own && table->own->kind->find_line)
		return table->own->kind->find_line(table->own, address, frames);
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

	if (!lines || table->environment->options->archive)
		return;
	vaddrs = xmalloc((count + 1) * sizeof(*vaddrs));
	for (size_t i = 0; i < count; i++)
		if (symbol_source_vaddr(table->own, addresses[i], &vaddrs[kept]) == 0)
			kept++;
	source_index_prepare(named_source_index(lines), vaddrs, kept);
	free(vaddrs);
}

/* --- several threads ----------------------------------------------------------------------------------- */

const void *symbol_table_group(struct symbol_table *table)
{
	const struct symbolizer_options *options = table->environment->options;

	/* All objects share these sources. */
	if (options->archive || options->needs || options->lists)
		return NULL;
	switch (table->object.kind) {
	case DSO_FILE:
	case DSO_VDSO:
		open_source(table);
		return table->zip ? NULL : table; /* the first lookup in a library creates its table */
	case DSO_KERNEL:
	case DSO_MODULE: return table->environment->kernel;
	case DSO_ANON:
	case DSO_JITDUMP: return table;
	case DSO_UNKNOWN:
	case DSO_SYMFILE:
	case DSO_KSYMBOL: break;
	}
	return NULL;
}

size_t symbol_table_file_bytes(const struct symbol_table *table)
{
	size_t size = 0;

	if (table->own && table->own->elf)
		(void)elf_file_bytes(elf_symbols_file(table->own->elf), &size);
	return size;
}
