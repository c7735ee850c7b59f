#ifndef XPROF_TEST_SUPPORT_COLLECTED_SYMBOLS_H
#define XPROF_TEST_SUPPORT_COLLECTED_SYMBOLS_H

/* Collects the symbols that a reader of a file passes on, in their order. */

#include "elf/elf_symtab.h"

enum { COLLECTED_SYMBOLS = 32 };

struct collected_symbols {
	struct elf_symbol symbols[COLLECTED_SYMBOLS]; /* names belong to the file */
	size_t count;
};

/* A callback for elf_symtab_read() and similar functions; context is the struct collected_symbols. */
void collected_symbols_add(const struct elf_symbol *symbol, void *context);

#endif
