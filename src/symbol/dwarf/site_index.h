#ifndef XPROF_SYMBOL_SITE_INDEX_H
#define XPROF_SYMBOL_SITE_INDEX_H

/*
 * Where an instruction is from as LLVM's sample profiles say it: the function and those inlined around it, each with the line
 * counted from where the function begins, and with a discriminator that tells code of one line apart. Not thread-safe.
 * Units whose information is in other files (split DWARF) are not read.
 */

#include <stddef.h>
#include <stdint.h>

#include "elf/debug_file.h"

struct source_site {
	const char *function;   /* its linkage name; lives as long as the index */
	uint32_t line;          /* counted from the function's declaration, 16 bits of it as LLVM has them */
	uint32_t discriminator; /* the base one that LLVM's encoding contains */
	uint32_t copies; /* the instruction stands for so many, as unrolled or vectorised code does; at least 1 */
};

struct site_index;

/* `debug` is the debug file of `binary`, or NULL; both are borrowed. NULL when neither has debug information. */
struct site_index *site_index_open(struct elf_file *binary, struct elf_file *debug,
				   const struct debug_file_search *search, struct error *err);
void site_index_close(struct site_index *index);

enum { SITE_MAX_DEPTH = 256 };

/*
 * The outermost function first; the last site is the instruction's own, the others are where the next one was called. 0:
 * nothing is known. Faster for rising addresses.
 */
size_t site_index_find(struct site_index *index, uint64_t vaddr, struct source_site sites[SITE_MAX_DEPTH]);

#endif
