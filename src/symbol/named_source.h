#ifndef XPROF_SYMBOL_NAMED_SOURCE_H
#define XPROF_SYMBOL_NAMED_SOURCE_H

/* A source index with demangled names of functions; each name is demangled once. */

#include "symbol/dwarf/source_index.h"
#include "symbol/symbol_map.h"

struct named_source;

/* As source_index_open(); demangle may be NULL: names are not changed. */
struct named_source *named_source_open(struct elf_file *binary, struct elf_file *debug,
				       const struct debug_file_search *search, const char *cache_directory,
				       symbol_map_demangle *demangle, void *context);

/* Takes ownership of the index. */
struct named_source *named_source_create(struct source_index *index, symbol_map_demangle *demangle,
					 void *context);
void named_source_close(struct named_source *source);

struct source_index *named_source_index(struct named_source *source);

/* As source_index_find(). Texts live as long as the source and the results of `demangle`. */
size_t named_source_find(struct named_source *source, uint64_t vaddr, const struct source_frame **frames);

/* As source_index_find_function(); *shown is the demangled name. */
int named_source_find_function(struct named_source *source, uint64_t vaddr, struct source_function *function,
			       const char **shown);

#endif
