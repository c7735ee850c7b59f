#ifndef XPROF_REPORT_LOAD_DATA_SYMBOLS_H
#define XPROF_REPORT_LOAD_DATA_SYMBOLS_H

/*
 * Names the data addresses of samples: variables and functions of the files that processes have mapped. The
 * first lookup opens a file.
 */

#include "elf/debug_file.h"
#include "process/dso.h"

struct data_symbols;

/* Borrows the search. */
struct data_symbols *data_symbols_create(const struct debug_file_search *search);
void data_symbols_destroy(struct data_symbols *symbols);

struct data_symbol {
	const char *name; /* lives as long as the symbols */
	uint64_t offset;  /* of the address that was asked for, from where the symbol begins */
	bool is_function;
};

/* 1, or 0 where nothing is known at that offset of the file. */
int data_symbols_find(struct data_symbols *symbols, const struct dso *dso, uint64_t file_offset,
		      struct data_symbol *symbol);

#endif
