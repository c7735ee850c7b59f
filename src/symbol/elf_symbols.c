/*
 * choose_tables() tries the sources from best to worst and passes their symbols on while it looks. If the caller has
 * named the addresses it wants, the tables are read twice: the first pass surveys symbols for the filter, the second adds
 * those that pass to the map. If the filter turns out not to be sound, or another address is looked up, all symbols are
 * read.
 */
#include "symbol/elf_symbols.h"

#include <elf.h>
#include <stdlib.h>

#include "base/xalloc.h"
#include "elf/elf_excerpt.h"
#include "elf/elf_plt.h"
#include "elf/elf_symtab.h"
#include "elf/go_functions.h"
#include "elf/mini_debuginfo.h"
#include "symbol/symbol_filter.h"

enum { MAX_TABLES = 2 }; /* .dynsym and the table in .gnu_debugdata */

struct chosen_table {
	struct elf_file *file;
	enum elf_symtab_kind kind;
};

struct elf_symbols {
	struct elf_file *file;
	struct elf_file *debug; /* the separate debug file, or NULL; names point into it */
	struct elf_file *mini;  /* the ELF file in .gnu_debugdata, or NULL */
	struct chosen_table tables[MAX_TABLES];
	size_t table_count;
	struct go_functions *go;  /* NULL: not needed, or not a Go program */
	struct elf_symbol *stubs; /* PLT entries */
	size_t stub_count, stub_capacity;
	struct symbol_map *map;
	struct symbol_filter *symbols_filter; /* NULL: the map has all symbols */
	enum symbol_map_overlap overlap;
	symbol_map_demangle *demangle;
	void *context;
	const char *source;
	bool full;
	bool has_local; /* see elf_symbols_have_local() */
	struct error problem;
};

/* --- reading symbols ---------------------------------------------------------- */

/* Counts symbols, and surveys them or adds those that pass to the map. */
struct taker {
	struct symbol_filter *symbols_filter; /* NULL: all symbols pass */
	struct symbol_map *map;               /* NULL: symbols are only surveyed */
	uint8_t flags;
	size_t count; /* number of symbols whose names were read */
};

/*
 * Whether to read the name of a symbol and pass it to take(). The survey needs that for one symbol of a table, since a
 * table without any is skipped, and for all labels: assemblers of some machines write labels that are no symbols.
 */
static bool want(uint64_t vaddr, uint64_t size_bytes, void *context)
{
	struct taker *taker = context;

	if (taker->map)
		return !taker->symbols_filter ||
		       symbol_filter_passes(taker->symbols_filter, vaddr, size_bytes);
	if (size_bytes == 0)
		return true;
	symbol_filter_survey(taker->symbols_filter, vaddr, size_bytes);
	return taker->count == 0;
}

/* Takes a wanted entry of a table that is a symbol. */
static void take(const struct elf_symbol *symbol, void *context)
{
	struct taker *taker = context;

	taker->count++;
	if (!taker->map) {
		symbol_filter_survey(taker->symbols_filter, symbol->vaddr, symbol->size_bytes);
		return;
	}
	if (taker->symbols_filter)
		symbol_filter_note(taker->symbols_filter, symbol->vaddr, symbol->size_bytes);
	symbol_map_add(taker->map, symbol->vaddr, symbol->size_bytes, symbol->name, symbol->binding, 0,
		       taker->flags);
}

static void take_if_wanted(const struct elf_symbol *symbol, struct taker *taker)
{
	if (want(symbol->vaddr, symbol->size_bytes, taker))
		take(symbol, taker);
}

static void keep_stub(const struct elf_symbol *symbol, void *context)
{
	struct elf_symbols *symbols = context;

	*ARRAY_ADD(symbols->stubs, symbols->stub_count, symbols->stub_capacity) = *symbol;
}

static void take_stubs(const struct elf_symbols *symbols, struct taker *taker)
{
	taker->flags = SYMBOL_MAP_PLT;
	for (size_t i = 0; i < symbols->stub_count; i++)
		take_if_wanted(&symbols->stubs[i], taker);
	taker->flags = 0;
}

/* Whether the table has any symbols. */
static bool try_table(struct elf_symbols *symbols, struct elf_file *from, enum elf_symtab_kind kind,
		      struct taker *taker)
{
	taker->count = 0;
	(void)elf_symtab_read(from, kind, &(struct elf_symbol_choice){ .want = want }, take, taker,
			      &symbols->problem);
	if (taker->count == 0)
		return false;
	symbols->tables[symbols->table_count++] = (struct chosen_table){ from, kind };
	symbols->source = elf_file_path(from);
	return true;
}

/* .gnu_debugdata omits symbols that are in .dynsym, so the two are read together. */
static void try_dynamic_and_mini(struct elf_symbols *symbols, struct taker *taker)
{
	bool has_mini = mini_debuginfo_open(symbols->file, &symbols->mini, &symbols->problem) == 1;

	(void)try_table(symbols, symbols->file, ELF_SYMTAB_DYNAMIC, taker);
	if (has_mini)
		(void)try_table(symbols, symbols->mini, ELF_SYMTAB_FULL, taker);
}

/* Go programs contain the names of their functions even when stripped. */
static void take_go(struct elf_symbols *symbols, struct taker *taker)
{
	struct go_function function;

	for (size_t i = 0; symbols->go && i < go_functions_count(symbols->go); i++) {
		if (!go_functions_at(symbols->go, i, &function) || !*function.name)
			continue;
		take_if_wanted(&(struct elf_symbol){ .name = function.name,
						     .vaddr = function.start,
						     .size_bytes = function.end - function.start,
						     .binding = STB_GLOBAL },
			       taker);
		symbols->source = elf_file_path(symbols->file);
	}
}

/* Finds the best tables and takes their symbols on the way. */
static void choose_tables(struct elf_symbols *symbols, struct taker *taker)
{
	symbols->full = (symbols->debug && try_table(symbols, symbols->debug, ELF_SYMTAB_FULL, taker)) ||
			try_table(symbols, symbols->file, ELF_SYMTAB_FULL, taker);
	symbols->has_local = symbols->full && elf_symtab_has_local_functions(symbols->tables[0].file);
	if (symbols->full || elf_excerpt_is(symbols->file)) /* excerpts have symbols in .symtab only */
		return;
	try_dynamic_and_mini(symbols, taker);
	symbols->go = go_functions_open(symbols->file);
	take_go(symbols, taker);
}

static void take_all(struct elf_symbols *symbols, struct taker *taker)
{
	choose_tables(symbols, taker);
	if (!elf_excerpt_is(symbols->file)) /* an excerpt has names of the PLT in .symtab */
		(void)elf_plt_read(symbols->file, keep_stub, symbols, &symbols->problem);
	take_stubs(symbols, taker);
}

static void take_chosen(struct elf_symbols *symbols, struct taker *taker)
{
	const struct elf_symbol_choice choice = {
		.filter = taker->symbols_filter ? symbol_filter_vaddrs(taker->symbols_filter) : NULL,
		.want = want
	};
	struct error again;

	for (size_t i = 0; i < symbols->table_count; i++)
		(void)elf_symtab_read(symbols->tables[i].file, symbols->tables[i].kind, &choice, take, taker,
				      &again);
	take_go(symbols, taker);
	take_stubs(symbols, taker);
}

/* --- the map ------------------------------------------------------------------------ */

struct elf_symbols *elf_symbols_open(struct elf_file *file, const struct debug_file_search *search)
{
	struct elf_symbols *symbols = xcalloc(1, sizeof(*symbols));

	symbols->file = file;
	symbols->map = symbol_map_create();
	symbols->debug = debug_file_open(file, search, &symbols->problem);
	return symbols;
}

void elf_symbols_want(struct elf_symbols *symbols, const uint64_t *vaddrs, size_t count)
{
	symbols->symbols_filter = symbol_filter_create(vaddrs, count);
}

static void seal(struct elf_symbols *symbols)
{
	symbol_map_seal(symbols->map, symbols->overlap, symbols->demangle, symbols->context);
}

/* Reads all symbols, without the filter. */
static void read_all_again(struct elf_symbols *symbols)
{
	struct taker adding = { .map = symbol_map_create() };

	symbol_filter_destroy(symbols->symbols_filter);
	symbols->symbols_filter = NULL;
	symbol_map_destroy(symbols->map);
	symbols->map = adding.map;
	take_chosen(symbols, &adding);
	seal(symbols);
}

static void read_wanted_again(struct elf_symbols *symbols)
{
	struct taker adding = { .symbols_filter = symbols->symbols_filter, .map = symbols->map };

	symbol_filter_finish(symbols->symbols_filter);
	take_chosen(symbols, &adding);
	if (symbol_filter_is_sound(symbols->symbols_filter))
		seal(symbols);
	else
		read_all_again(symbols);
}

void elf_symbols_read(struct elf_symbols *symbols, enum symbol_map_overlap overlap,
		      symbol_map_demangle *demangle, void *context)
{
	struct taker first = { .symbols_filter = symbols->symbols_filter,
			       .map = symbols->symbols_filter ? NULL : symbols->map };

	symbols->overlap = overlap;
	symbols->demangle = demangle;
	symbols->context = context;
	take_all(symbols, &first);
	if (symbols->symbols_filter)
		read_wanted_again(symbols);
	else
		seal(symbols);
}

void elf_symbols_settle(struct elf_symbols *symbols, enum symbol_map_overlap overlap)
{
	struct taker all = { .map = symbols->map };

	take_all(symbols, &all);
	symbol_map_settle(symbols->map, overlap);
}

bool elf_symbols_reach(struct elf_symbols *symbols, uint64_t vaddr)
{
	if (!symbols->symbols_filter || symbol_filter_has(symbols->symbols_filter, vaddr))
		return true;
	read_all_again(symbols);
	return false;
}

int elf_symbols_check_whole(const struct elf_symbols *symbols, struct error *err)
{
	if (symbols->debug && elf_file_check_whole(symbols->debug, err) < 0)
		return -1;
	return elf_file_check_whole(symbols->file, err);
}

void elf_symbols_destroy(struct elf_symbols *symbols)
{
	if (!symbols)
		return;
	symbol_map_destroy(symbols->map);
	symbol_filter_destroy(symbols->symbols_filter);
	go_functions_close(symbols->go);
	free(symbols->stubs);
	elf_file_close(symbols->mini);
	elf_file_close(symbols->debug);
	elf_file_close(symbols->file);
	free(symbols);
}

struct symbol_map *elf_symbols_map(struct elf_symbols *symbols)
{
	return symbols->map;
}

struct elf_file *elf_symbols_file(struct elf_symbols *symbols)
{
	return symbols->file;
}

struct elf_file *elf_symbols_debug_file(struct elf_symbols *symbols)
{
	return symbols->debug;
}

bool elf_symbols_are_full(const struct elf_symbols *symbols)
{
	return symbols->full;
}

bool elf_symbols_have_local(const struct elf_symbols *symbols)
{
	return symbols->has_local;
}

const char *elf_symbols_source(const struct elf_symbols *symbols)
{
	return symbols->source;
}

const char *elf_symbols_problem(const struct elf_symbols *symbols)
{
	return symbols->problem.message;
}
