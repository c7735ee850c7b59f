#ifndef XPROF_REPORT_LOAD_DATA_SYMBOLS_H
#define XPROF_REPORT_LOAD_DATA_SYMBOLS_H

/*
 * Names the data addresses of samples: variables and functions of the files that processes have mapped. The
 * first lookup opens a file.
 */

#include "elf/debug_file.h"
#include "process/dso.h"

struct data_symbols;

/* The search is borrowed. */
struct data_symbols *data_symbols_create(const struct debug_file_search *search);
void data_symbols_destroy(struct data_symbols *symbols);

struct data_symbol {
	const char *name; /* valid as long as the data_symbols */
	uint64_t offset;  /* distance of the address from the start of the symbol, in bytes */
	bool is_function;
};

/* Returns 1, or 0 if no symbol is known at that offset of the file. */
int data_symbols_find(struct data_symbols *symbols, const struct dso *dso, uint64_t file_offset,
		      struct data_symbol *symbol);

#endif
