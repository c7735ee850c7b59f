#ifndef XPROF_SYMBOL_SITE_INDEX_H
#define XPROF_SYMBOL_SITE_INDEX_H

/*
 * The source of instructions in the terms of LLVM's sample profiles: the function and the calls inlined into it, each with
 * the line relative to the start of its function, and with a discriminator for different code of one line. Not thread-safe.
 * Split DWARF is not read.
 */

#include <stddef.h>
#include <stdint.h>

#include "elf/debug_file.h"

struct source_site {
	const char *function;   /* its linkage name; lives as long as the index */
	uint32_t line;          /* relative to the function's declaration, 16 bits as in LLVM */
	uint32_t discriminator; /* the base discriminator in LLVM's encoding */
	uint32_t copies; /* number of copies that the instruction stands for, in unrolled or vectorised code; at
			    least 1 */
};

struct site_index;

/*
 * `debug` is the debug file of `binary`, or NULL; both are borrowed. Returns NULL if neither has debug
 * information.
 */
struct site_index *site_index_open(struct elf_file *binary, struct elf_file *debug,
				   const struct debug_file_search *search, struct error *err);
void site_index_close(struct site_index *index);

enum { SITE_MAX_DEPTH = 256 };

/*
 * The sites of an address, outermost function first: the last one is the instruction itself, each other one is the call
 * of the next. Returns their number; 0 if nothing is known. Faster for ascending addresses.
 */
size_t site_index_find(struct site_index *index, uint64_t vaddr, struct source_site sites[SITE_MAX_DEPTH]);

#endif
