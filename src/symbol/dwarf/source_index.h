#ifndef XPROF_SYMBOL_SOURCE_INDEX_H
#define XPROF_SYMBOL_SOURCE_INDEX_H

/*
 * Address → source: file and line, and the inlined functions with the places of their calls, from the debug
 * information of one ELF file.
 *
 * Reads only units that contain addresses, each once for all addresses of a call, in several threads; each
 * address is looked up once. Memory depends on the answers, and on the largest unit of each thread. Not
 * thread-safe.
 *
 *     source_index_prepare(index, vaddrs, count);
 *     frame_count = source_index_find(index, vaddrs[0], &frames);
 *     for (size_t i = 0; i < frame_count; i++)    (inlined functions first)
 *             printf("%s at %s:%" PRIu32 "\n", frames[i].function, frames[i].file, frames[i].line);
 */

#include <stddef.h>
#include <stdint.h>

#include "elf/debug_file.h"

struct source_frame {
	const char *function; /* linkage name, mangled; NULL: unknown */
	const char *file;     /* path from the debug information; NULL: unknown */
	uint32_t line; /* line of the instruction or, in outer frames, of the inlined call; 0: unknown */
};

struct source_index;

/*
 * Opens the debug information of `debug`, the debug file of `binary`, or of `binary` itself if `debug` is the same
 * or NULL. Both are borrowed. Returns NULL if neither has debug information. Strings of `search` must live as
 * long. cache_directory: see source_cache.h; NULL: no cache.
 */
struct source_index *source_index_open(struct elf_file *binary, struct elf_file *debug,
				       const struct debug_file_search *search, const char *cache_directory);

struct source_answers;
/* Makes an index of only these answers, of which it takes ownership. */
struct source_index *source_index_of_answers(const struct source_answers *answers);
void source_index_close(struct source_index *index);

/* Looks up many addresses (vaddrs, in any order) in advance, which is much faster than one by one. */
void source_index_prepare(struct source_index *index, const uint64_t *vaddrs, size_t count);

/*
 * The frames at an address, innermost first; the last one is the compiled function. Returns their number; 0 if
 * nothing is known. Frames are valid until the next lookup, texts as long as the index.
 */
size_t source_index_find(struct source_index *index, uint64_t vaddr, const struct source_frame **frames);

/* A compiled function, or a contiguous part of it: vaddrs [low, high). */
struct source_function {
	const char *name; /* as in a frame, but never NULL */
	uint64_t low, high;
};

/* For addresses that no symbol covers: reads whole units, and caches nothing. Returns 1 if found, or 0. */
int source_index_find_function(struct source_index *index, uint64_t vaddr, struct source_function *function);

/* The number of parts of the debug information (in other files) that could not be found, and why ("" if none). */
size_t source_index_missing(const struct source_index *index, const char **why);

#endif
