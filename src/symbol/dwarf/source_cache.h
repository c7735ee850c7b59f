#ifndef XPROF_SYMBOL_SOURCE_CACHE_H
#define XPROF_SYMBOL_SOURCE_CACHE_H

/*
 * Caches source frames of a binary in DIRECTORY/BUILD-ID.source, because reports look up the same few addresses again and
 * again, in files that take seconds to decompress and read.
 *
 * A valid cache file (cache_file.h) is used if it was made from the same debug file as it is now (path, size, time of
 * change). Every number in it is checked nevertheless.
 */

#include "elf/elf_file.h"
#include "symbol/dwarf/source_answers.h"

struct source_cache_key {
	const char *directory; /* NULL: no cache */
	const struct build_id *build_id;
	const char *debug_path; /* the debug file from which the answers come */
};

/* Reads the cache into answers that must be empty. Returns 1, or 0 if there is no valid cache file. */
int source_cache_load(const struct source_cache_key *key, struct source_answers *answers);

/* Writes the cache file. Failures are ignored, since the cache only saves time. */
void source_cache_save(const struct source_cache_key *key, const struct source_answers *answers);

#endif
