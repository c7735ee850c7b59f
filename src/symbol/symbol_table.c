/*
 * Answers questions to a loaded table. symbol_table_find() translates the address into the map's space, searches the map,
 * and asks the debug information if no symbol, or only a label without a size, covers the address. While an archive is
 * made, questions and answers are noted on the way.
 */
#include "symbol/symbolizer_state.h"

#include <elf.h>
#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "elf/elf_file.h"
#include "symbol/elf_symbols.h"
#include "symbol/jitdump.h"
#include "symbol/kallsyms.h"
#include "symbol/kernel_place.h"
#include "symbol/named_source.h"
#include "symbol/object_needs.h"
#include "symbol/symbol_archive.h"

/* --- what is asked ----------------------------------------------------------------------------- */

static void note_name(const struct symbol_table *table, uint64_t address, const struct symbol *symbol,
		      const struct symbol_map_entry *entry)
{
	struct object_name name;

	if (!table->need)
		return;
	object_need_add(table->need, OBJECT_NEED_NAME, address);
	if (!symbol || table->listed || symbol_object_is_file(&table->object))
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

void symbol_table_tell_origin(const struct symbol_table *table)
{
	const struct object_origin origin = { .form = form_of(table),
					      .opened = table->jitdump ? jitdump_path(table->jitdump) : NULL,
					      .source = table->source,
					      .why = *table->why.message ? table->why.message : NULL,
					      .full = symbol_table_is_full(table) };

	if (table->need && table->loaded)
		object_need_set_origin(table->symbolizer->options.needs, table->need, &origin);
}

/* --- names ---------------------------------------------------------------------------------------- */

static const char *final_name(const struct symbol_table *table, struct symbol_map_entry *entry)
{
	const char *demangled;

	if (!(entry->flags & SYMBOL_MAP_DEMANGLED) && symbol_table_shows_demangled(table)) {
		demangled = symbolizer_demangle(entry->name, table->symbolizer);
		if (demangled)
			entry->name = demangled;
		entry->flags |= SYMBOL_MAP_DEMANGLED;
	}
	return entry->name;
}

/* Whatever the table: does the entry belong to its object? A list of the kernel has those of all modules. */
static bool is_of_object(const struct symbol_table *table, const struct symbol_map_entry *entry)
{
	return !table->module || strcmp(kallsyms_module(table->kallsyms, entry->group), table->module) == 0;
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
	symbol_table_load(table);
	if (!table->looked_for_lines && table->symbolizer->options.archive) {
		table->looked_for_lines = true;
		table->lines = symbol_table_archived_lines(table);
	}
	if (!table->looked_for_lines && symbol_object_is_kernel(&table->object))
		(void)symbol_table_open_kernel_elf(table, NULL);
	if (!table->looked_for_lines && table->elf)
		table->lines =
			named_source_open(elf_symbols_file(table->elf), elf_symbols_debug_file(table->elf),
					  &table->symbolizer->search, table->symbolizer->cache_directory,
					  symbol_table_shows_demangled(table) ? symbolizer_demangle : NULL,
					  table->symbolizer);
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

/* A label has no size and only seems to reach up to an address: a function may have begun in between. */
static bool may_hide_function(const struct symbol_table *table, const struct symbol_map_entry *label)
{
	return label->flags & SYMBOL_MAP_NO_SIZE && !(table->elf && elf_symbols_have_local(table->elf));
}

/*
 * A file may have been stripped of symbols, of all or of local ones, and not of its debug information. `label`: what is
 * there by the symbols; NULL: nothing.
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
	struct symbol_table *library = symbol_table_library_at(table, &inside);

	if (!library || !symbol_table_find(library, inside, symbol))
		return 0;
	symbol->start += address - inside;
	symbol->end += address - inside;
	return 1;
}

/* Names are read where they lie in the file. After it was cut short there are none: they may have lost their ends. */
static bool still_has_names(struct symbol_table *table, const char *name)
{
	const bool has_name = *name; /* reads the file: before it is checked */

	if (!table->named_by_elf || (elf_symbols_check_whole(table->elf, &table->why) == 0 && has_name))
		return true;
	table->map = NULL;
	free(table->source);
	table->source = NULL;
	return false;
}

int symbol_table_find(struct symbol_table *table, uint64_t address, struct symbol *symbol)
{
	struct symbol_map_entry *entry;
	uint64_t map_address;

	symbol_table_load(table);
	if (table->zip)
		return find_in_library(table, address, symbol);
	note_name(table, address, NULL, NULL);
	if (!table->map || to_map_address(table, address, &map_address) < 0)
		return 0;
	if (table->kallsyms && !kallsyms_covers(table->kallsyms, map_address))
		symbol_table_read_whole_list(table);
	if (table->named_by_elf && !elf_symbols_reach(table->elf, map_address))
		table->map = elf_symbols_map(table->elf);
	entry = symbol_map_find(table->map, map_address);
	if ((!entry || may_hide_function(table, entry)) && find_in_debug_info(table, address, entry, symbol))
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
	if (!still_has_names(table, symbol->name))
		return 0;
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

/* An archive has source lines for the addresses that were asked for. */
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
	struct symbol_table *library = table->zip ? symbol_table_library_at(table, &source_address) : NULL;
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

const struct archived_object *symbol_table_archived(const struct symbol_table *table)
{
	return table->archived;
}
