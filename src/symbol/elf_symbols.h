#ifndef XPROF_SYMBOL_ELF_SYMBOLS_H
#define XPROF_SYMBOL_ELF_SYMBOLS_H

/*
 * The functions of an ELF file from the best available source: .symtab of its debug file, its own .symtab,
 * .gnu_debugdata with .dynsym, .dynsym alone, and Go's own table; and the PLT entries, which only the file
 * itself can name.
 */

#include <stdbool.h>

#include "elf/debug_file.h"
#include "elf/elf_file.h"
#include "symbol/symbol_map.h"

struct elf_symbols;

/* Takes ownership of `file`. Looks for its debug file, but reads no symbols yet. Never NULL. */
struct elf_symbols *elf_symbols_open(struct elf_file *file, const struct debug_file_search *search);

/*
 * Reads the symbols; call it once. A file without symbols gives an empty map. Addresses are the file's
 * vaddrs.
 */
void elf_symbols_read(struct elf_symbols *symbols, enum symbol_map_overlap overlap,
		      symbol_map_demangle *demangle, void *context);

/* The same, but the map is made by symbol_map_settle() instead of symbol_map_seal(). */
void elf_symbols_settle(struct elf_symbols *symbols, enum symbol_map_overlap overlap);
void elf_symbols_destroy(struct elf_symbols *symbols);

/*
 * Call before elf_symbols_read(), to read only the symbols that decide about these vaddrs, a small part of those of a
 * large file. elf_symbols_reach() must then be called before a lookup: it returns true if the map knows about `vaddr`;
 * otherwise it replaces the map by one with all symbols and returns false. Names that were returned before stay valid.
 */
void elf_symbols_want(struct elf_symbols *symbols, const uint64_t *vaddrs, size_t count);
bool elf_symbols_reach(struct elf_symbols *symbols, uint64_t vaddr);

/* 0, or -1 if one of the files was cut short while it was read: see elf_file_check_whole(). */
int elf_symbols_check_whole(const struct elf_symbols *symbols, struct error *err);

/* Call after elf_symbols_read(). Valid until elf_symbols_reach() returns false. */
struct symbol_map *elf_symbols_map(struct elf_symbols *symbols);
struct elf_file *elf_symbols_file(struct elf_symbols *symbols);
struct elf_file *elf_symbols_debug_file(struct elf_symbols *symbols); /* NULL: there is none */

/*
 * Was there a .symtab, in the file or in its debug file? Without one, functions that only their own source
 * file calls are missing.
 */
bool elf_symbols_are_full(const struct elf_symbols *symbols);

/*
 * Call after elf_symbols_read(). Are there local functions (STB_LOCAL) among the symbols? If so, no function of the file is
 * missing.
 */
bool elf_symbols_have_local(const struct elf_symbols *symbols);

/* Path of the file from which the names come; NULL if there are none, or only PLT entries. */
const char *elf_symbols_source(const struct elf_symbols *symbols);

/* Why a better source was not used ("" if nothing went wrong). */
const char *elf_symbols_problem(const struct elf_symbols *symbols);

#endif
