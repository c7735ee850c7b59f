#ifndef XPROF_SYMBOL_ELF_SYMBOLS_H
#define XPROF_SYMBOL_ELF_SYMBOLS_H

/*
 * The functions of an ELF file from the best source there is: .symtab of its
 * debug file, its own .symtab, .gnu_debugdata with .dynsym, .dynsym alone, and Go's own table; and
 * the PLT entries, which only the file itself can name.
 */

#include <stdbool.h>

#include "elf/debug_file.h"
#include "elf/elf_file.h"
#include "symbol/symbol_map.h"

struct elf_symbols;

/* Takes over `file` and closes it with the symbols; looks for its debug file, reads nothing yet. Never NULL. */
struct elf_symbols *elf_symbols_open(struct elf_file *file, const struct debug_file_search *search);

/* Once. A file without symbols gives an empty map. Addresses are the file's vaddrs. */
void elf_symbols_read(struct elf_symbols *symbols, enum symbol_map_overlap overlap,
		      symbol_map_demangle *demangle, void *context);

/* Instead of reading: as symbol_map_settle() has it. */
void elf_symbols_settle(struct elf_symbols *symbols, enum symbol_map_overlap overlap);
void elf_symbols_destroy(struct elf_symbols *symbols);

/*
 * Before reading: no more is needed than what decides about these vaddrs, which is a fraction of a large file's symbols.
 * elf_symbols_reach() then makes the map know about any vaddr: true when it did already, else the map has been replaced
 * by one of all symbols. Names that were given out stay.
 */
void elf_symbols_want(struct elf_symbols *symbols, const uint64_t *vaddrs, size_t count);
bool elf_symbols_reach(struct elf_symbols *symbols, uint64_t vaddr);

/* 0, or -1 if one of the files was cut short while it was read: see elf_file_check_whole(). */
int elf_symbols_check_whole(const struct elf_symbols *symbols, struct error *err);

/* After elf_symbols_read(), and until elf_symbols_reach() says that it was replaced. */
struct symbol_map *elf_symbols_map(struct elf_symbols *symbols);
struct elf_file *elf_symbols_file(struct elf_symbols *symbols);
struct elf_file *elf_symbols_debug_file(struct elf_symbols *symbols); /* NULL: there is none */

/*
 * Was there a .symtab, in the file or in its debug file? Without one, functions that only their own source
 * file calls are missing.
 */
bool elf_symbols_are_full(const struct elf_symbols *symbols);

/* When they were read: are functions among them that only their own source file sees? Then none of the file's is missing. */
bool elf_symbols_have_local(const struct elf_symbols *symbols);

/* Path of the file that the names came from; NULL when there are none, or PLT entries alone. */
const char *elf_symbols_source(const struct elf_symbols *symbols);

/* Why a better source was not used ("" if nothing went wrong). */
const char *elf_symbols_problem(const struct elf_symbols *symbols);

#endif
