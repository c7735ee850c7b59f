#ifndef XPROF_SYMBOL_SYMBOL_EXCERPT_H
#define XPROF_SYMBOL_SYMBOL_EXCERPT_H

/*
 * The symbols of an excerpt: those that some address was named by, with all their aliases, since which of them is
 * shown depends on how names are shown.
 */

#include "elf/elf_excerpt.h"
#include "symbol/symbol_map.h"

/* `settled`: all symbols of the file (elf_symbols_settle()). file_offsets: of the addresses, as a profile has them. */
void symbol_excerpt_make(struct elf_excerpt *excerpt, const struct symbol_map *settled,
			 const uint64_t *file_offsets, size_t count);

#endif
