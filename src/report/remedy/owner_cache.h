#ifndef XPROF_REPORT_REMEDY_OWNER_CACHE_H
#define XPROF_REPORT_REMEDY_OWNER_CACHE_H

/*
 * Whose files are by dpkg's database, kept in DIRECTORY/dpkg.owners until that changes: it is a thousand files of ten
 * megabytes, of which every report with a stripped library would read all.
 *
 * Besides what cache_file.h says of all files of the cache: one is believed if it was made of the same directory
 * (/var/lib/dpkg/info: device, inode, times of change), in which dpkg puts each list anew, by renaming, when a package
 * is installed, upgraded or removed. While the last change is less than seconds ago nothing is kept, for another one
 * could have the same time.
 */

#include <stdint.h>

struct owner_cache;

/*
 * directory: NULL for no cache, then NULL is returned, which knows nothing. database: that directory; now_s: seconds since
 * the epoch.
 */
struct owner_cache *owner_cache_open(const char *directory, const char *database, int64_t now_s);

/* 1 and the package, which is NULL if none has the file and lives as long as the cache; 0: not known. */
int owner_cache_find(const struct owner_cache *cache, const char *path, const char **package);

/* What was found out; package: NULL for none. */
void owner_cache_add(struct owner_cache *cache, const char *path, const char *package);

/* Keeps what was added, if it can. */
void owner_cache_close(struct owner_cache *cache);

#endif
