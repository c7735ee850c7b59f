#ifndef XPROF_ELF_BUILD_ID_CACHE_H
#define XPROF_ELF_BUILD_ID_CACHE_H

/*
 * perf's cache of recorded files, ~/.debug, and the archives that perf archive makes of it: DIR/.build-id/ab/cdef… is
 * a link to a directory with the files "elf", "vdso", "kallsyms" and "debug" (tools/perf/util/build-id.c).
 */

#include "elf/build_id.h"

/*
 * The path of `file` ("elf", "debug" …) in the cache `directory` (NULL: ~/.debug), malloc()ed; NULL if there
 * is no such file.
 */
char *build_id_cache_find(const char *directory, const struct build_id *id, const char *file);

#endif
