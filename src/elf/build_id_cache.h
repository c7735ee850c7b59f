#ifndef XPROF_ELF_BUILD_ID_CACHE_H
#define XPROF_ELF_BUILD_ID_CACHE_H

/*
 * perf's cache of the files that it recorded, ~/.debug, and what perf archive packs of it: DIR/.build-id/ab/cdef… is a
 * link to a directory with the files "elf", "vdso", "kallsyms" and "debug" (tools/perf/util/build-id.c).
 */

#include "elf/build_id.h"

/* The path of a file that is there, malloc()ed; NULL: it is not. directory: NULL for ~/.debug. */
char *build_id_cache_find(const char *directory, const struct build_id *id, const char *file);

#endif
