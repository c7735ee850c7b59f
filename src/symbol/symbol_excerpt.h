#ifndef XPROF_SYMBOL_SYMBOL_EXCERPT_H
#define XPROF_SYMBOL_SYMBOL_EXCERPT_H

/*
 * Adds symbols to an excerpt: those that name the given addresses, with all their aliases, because options decide
 * which alias is shown.
 */

#include "elf/elf_excerpt.h"
#include "symbol/symbol_map.h"

/* `settled`: all symbols of the file (elf_symbols_settle()). `file_offsets`: of the addresses. */
void symbol_excerpt_make(struct elf_excerpt *excerpt, const struct symbol_map *settled,
			 const uint64_t *file_offsets, size_t count);

#endif
