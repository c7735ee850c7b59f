#ifndef XPROF_BASE_CACHE_FILE_H
#define XPROF_BASE_CACHE_FILE_H

/*
 * A cache of results that take long to compute and are likely to be the same in the next run: files in one directory,
 * ~/.cache/xprof. Its total size is bounded (256 MB): the oldest files are deleted first.
 *
 * A file is used only if it belongs to this user, no other user can write to it, and its checksum is right. The caller has
 * to check, from the contents, that they still apply. Files are written under a temporary name and renamed when complete.
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
	const uint8_t *bytes; /* mapped, because little of a large file is read again after the check */
	size_t size;
	struct map_guard *guard;
	struct byte_reader contents;
};

/*
 * Returns 1 and maps the file, or 0 if there is no valid file with that magic; then there is nothing to
 * close.
 */
int cache_file_open(const char *path, const char *magic, struct cache_file *file);
void cache_file_close(struct cache_file *file);

/* Do the contents of the file begin with these bytes? Reads no more than that, and does not verify the checksum. */
bool cache_file_begins(const char *path, const char *magic, const void *bytes, size_t size);

/* Begins a file: the caller appends the contents to `file`, then calls cache_file_save(). */
void cache_file_start(struct strbuf *file, const char *magic);

/*
 * Writes the file, then deletes the oldest ones if the cache is too large. `name` must contain ".source" or
 * ".kallsyms". Failures are ignored.
 */
void cache_file_save(const char *directory, const char *name, struct strbuf *file);

#endif
