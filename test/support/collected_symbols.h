#ifndef XPROF_TEST_SUPPORT_COLLECTED_SYMBOLS_H
#define XPROF_TEST_SUPPORT_COLLECTED_SYMBOLS_H

/* The symbols that a reader of a file gives, one after the other. */

#include "elf/elf_symtab.h"

enum { COLLECTED_SYMBOLS = 32 };

struct collected_symbols {
	struct elf_symbol symbols[COLLECTED_SYMBOLS]; /* names are the file's */
	size_t count;
};

/* For elf_symtab_read() and its like; context is the struct collected_symbols. */
void collected_symbols_add(const struct elf_symbol *symbol, void *context);

#endif
