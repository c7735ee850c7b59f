#ifndef XPROF_BASE_CACHE_FILE_H
#define XPROF_BASE_CACHE_FILE_H

/*
 * Files that only save time: what takes long to find out, and will be the same next time. They lie in one directory,
 * ~/.cache/xprof, and what they take together is bounded: the oldest go first.
 *
 * A file is believed if it belongs to this user, who alone can write to it, and if its checksum is right; whether it still
 * is about what there is now its contents have to say. It appears under its name when it is whole.
 */

#include <stddef.h>
#include <stdint.h>

#include "base/byte_reader.h"
#include "base/map_guard.h"
#include "base/strbuf.h"

enum { CACHE_FILE_MAGIC_BYTES = 8 };

/* $XDG_CACHE_HOME/xprof or ~/.cache/xprof; malloc()ed, NULL when neither is known. */
char *cache_file_directory(void);

struct cache_file {
	const uint8_t *bytes; /* mapped: of a large file little is looked at again once it was checked */
	size_t size;
	struct map_guard *guard;
	struct byte_reader contents;
};

/* 1, or 0 and nothing to be closed: there is none of that magic that may be believed. */
int cache_file_open(const char *path, const char *magic, struct cache_file *file);
void cache_file_close(struct cache_file *file);

/* Do the contents of the file begin with these bytes? No more of it is read, so that it may be damaged farther on. */
bool cache_file_begins(const char *path, const char *magic, const void *bytes, size_t size);

/* Contents are appended to this. */
void cache_file_start(struct strbuf *file, const char *magic);

/* `name` ends in ".source" or ".kallsyms". Does nothing where it cannot. */
void cache_file_save(const char *directory, const char *name, struct strbuf *file);

#endif
