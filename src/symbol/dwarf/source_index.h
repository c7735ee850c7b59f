#ifndef XPROF_SYMBOL_SOURCE_INDEX_H
#define XPROF_SYMBOL_SOURCE_INDEX_H

/*
 * Address → source: file and line, the functions that were inlined there and
 * where each was called, from the debug information of one ELF file.
 *
 * Only units that addresses lie in are read, each once for all addresses that
 * are asked for together, by several threads; every address is looked up once.
 * Memory follows the answers, and the largest unit of each thread. One thread at
 * a time may ask.
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
	const char *function; /* as the linker knows it, mangled; NULL: not known */
	const char *file;     /* path, as far as the debug information knows it; NULL: not known */
	uint32_t line;        /* of the function inlined there, or of the instruction; 0: not known */
};

struct source_index;

/*
 * Of the debug file of `binary`, or of itself (then `debug` is the same or NULL); both are borrowed. NULL when
 * neither has debug information. Strings of `search` have to live as long. cache_directory: where answers are kept
 * for the next time; NULL: nowhere.
 */
struct source_index *source_index_open(struct elf_file *binary, struct elf_file *debug,
				       const struct debug_file_search *search, const char *cache_directory);

struct source_answers;
/* Of answers that were found before, which it takes over: there are no others. */
struct source_index *source_index_of_answers(const struct source_answers *answers);
void source_index_close(struct source_index *index);

/* Looks up many addresses (vaddrs, in any order) at once, which is a lot faster than one by one. */
void source_index_prepare(struct source_index *index, const uint64_t *vaddrs, size_t count);

/*
 * Frames at an address, innermost first: the last one is the function that was compiled. 0: the debug information
 * knows nothing there. Valid until the next question; texts as long as the index.
 */
size_t source_index_find(struct source_index *index, uint64_t vaddr, const struct source_frame **frames);

/* The function that was compiled, or the part of it that lies together: vaddrs from low to high. */
struct source_function {
	const char *name; /* as in a frame, but always known */
	uint64_t low, high;
};

/* For addresses that no symbol covers: reads whole units, and keeps nothing for the next time. 1 found, or 0. */
int source_index_find_function(struct source_index *index, uint64_t vaddr, struct source_function *function);

/* Parts of the debug information that could not be found, and why ("" if none): split or moved to other files. */
size_t source_index_missing(const struct source_index *index, const char **why);

#endif
