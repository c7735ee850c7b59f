#include "symbol/elf_symbols.h"

#include <elf.h>
#include <stdlib.h>

#include "base/xalloc.h"
#include "elf/elf_symtab.h"
#include "elf/go_functions.h"
#include "elf/mini_debuginfo.h"

struct elf_symbols {
	struct elf_file *file;
	struct elf_file *debug; /* NULL, or the separate debug file: names point into it */
	struct elf_file *mini;  /* NULL, or what .gnu_debugdata holds */
	struct symbol_map *map;
	const char *source;
	bool full;
	struct error problem;
};

struct map_filler {
	struct symbol_map *map;
	uint8_t flags;
};

static void add_symbol(const struct elf_symbol *symbol, void *context)
{
	const struct map_filler *filler = context;

	symbol_map_add(filler->map, symbol->vaddr, symbol->size_bytes, symbol->name, symbol->binding, 0,
		       filler->flags);
}

/* Did the table give any symbols? */
static bool add_table(struct elf_symbols *symbols, struct elf_file *from, enum elf_symtab_kind kind)
{
	struct map_filler filler = { symbols->map, kind == ELF_SYMTAB_PLT ? SYMBOL_MAP_PLT : 0 };
	size_t before = symbol_map_count(symbols->map);

	(void)elf_symtab_read(from, kind, add_symbol, &filler, &symbols->problem);
	if (symbol_map_count(symbols->map) == before)
		return false;
	if (kind != ELF_SYMTAB_PLT)
		symbols->source = elf_file_path(from);
	return true;
}

/* .gnu_debugdata leaves out what .dynsym has, so the two are read together. */
static void add_dynamic_and_mini(struct elf_symbols *symbols)
{
	bool has_mini = mini_debuginfo_open(symbols->file, &symbols->mini, &symbols->problem) == 1;

	(void)add_table(symbols, symbols->file, ELF_SYMTAB_DYNAMIC);
	if (has_mini)
		(void)add_table(symbols, symbols->mini, ELF_SYMTAB_FULL);
}

/* Programs written in Go carry the names of their functions even when they are stripped. */
static void add_go(struct elf_symbols *symbols)
{
	struct go_functions *functions = go_functions_open(symbols->file);
	struct go_function function;

	for (size_t i = 0; functions && i < go_functions_count(functions); i++) {
		if (!go_functions_at(functions, i, &function) || !*function.name)
			continue;
		symbol_map_add(symbols->map, function.start, function.end - function.start, function.name,
			       STB_GLOBAL, 0, 0);
		symbols->source = elf_file_path(symbols->file);
	}
	go_functions_close(functions);
}

struct elf_symbols *elf_symbols_open(struct elf_file *file, const struct debug_file_search *search)
{
	struct elf_symbols *symbols = xcalloc(1, sizeof(*symbols));

	symbols->file = file;
	symbols->map = symbol_map_create();
	symbols->debug = debug_file_open(file, search, &symbols->problem);
	return symbols;
}

void elf_symbols_read(struct elf_symbols *symbols, enum symbol_map_overlap overlap,
		      symbol_map_demangle *demangle, void *context)
{
	struct elf_file *file = symbols->file;

	symbols->full = (symbols->debug && add_table(symbols, symbols->debug, ELF_SYMTAB_FULL)) ||
			add_table(symbols, file, ELF_SYMTAB_FULL);
	if (!symbols->full) {
		add_dynamic_and_mini(symbols);
		add_go(symbols);
	}
	(void)add_table(symbols, file, ELF_SYMTAB_PLT);
	symbol_map_seal(symbols->map, overlap, demangle, context);
}

void elf_symbols_destroy(struct elf_symbols *symbols)
{
	if (!symbols)
		return;
	symbol_map_destroy(symbols->map);
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

const char *elf_symbols_source(const struct elf_symbols *symbols)
{
	return symbols->source;
}

const char *elf_symbols_problem(const struct elf_symbols *symbols)
{
	return symbols->problem.message;
}
