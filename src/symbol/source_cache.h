#ifndef XPROF_SYMBOL_SOURCE_CACHE_H
#define XPROF_SYMBOL_SOURCE_CACHE_H

/*
 * What was found out about a binary's source, kept for the next time in
 * DIRECTORY/BUILD-ID.source: little is asked again and again of files that take
 * seconds to decompress and read.
 *
 * A file of the cache is believed if it belongs to this user, who alone can write
 * to it, if it says that it was made from the very debug file that would be read
 * (path, size, time of change), and if its checksum is right. Every number in it
 * is checked nevertheless. It appears under its name when it is whole. What all
 * files take together is bounded: the oldest go first.
 */

#include "elf/elf_file.h"
#include "symbol/source_answers.h"

struct source_cache_key {
	const char *directory; /* NULL: there is no cache */
	const struct build_id *build_id;
	const char *debug_path; /* what the answers come from */
};

/* $XDG_CACHE_HOME/xprof or ~/.cache/xprof; malloc()ed, NULL when neither is known. */
char *source_cache_directory(void);

/* Appends what the cache knows to answers that are still empty. 1 found, 0 not there or not to be believed. */
int source_cache_load(const struct source_cache_key *key, struct source_answers *answers);

/* Does nothing where it cannot: the cache only saves time. */
void source_cache_save(const struct source_cache_key *key, const struct source_answers *answers);

#endif
