#ifndef XPROF_SYMBOL_SOURCE_CACHE_H
#define XPROF_SYMBOL_SOURCE_CACHE_H

/*
 * Caches answers about a binary's source in DIRECTORY/BUILD-ID.source: reports ask the same few questions
 * again and again of files that take seconds to decompress and read.
 *
 * Besides what cache_file.h says of all files of the cache: one is believed if it says that it was made from the very debug
 * file that would be read (path, size, time of change). Every number in it is checked nevertheless.
 */

#include "elf/elf_file.h"
#include "symbol/dwarf/source_answers.h"

struct source_cache_key {
	const char *directory; /* NULL: there is no cache */
	const struct build_id *build_id;
	const char *debug_path; /* what the answers come from */
};

/* Appends what the cache knows to answers that are still empty. 1 found, 0 not there or not to be believed. */
int source_cache_load(const struct source_cache_key *key, struct source_answers *answers);

/* Does nothing where it cannot: the cache only saves time. */
void source_cache_save(const struct source_cache_key *key, const struct source_answers *answers);

#endif
