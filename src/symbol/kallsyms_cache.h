#ifndef XPROF_SYMBOL_KALLSYMS_CACHE_H
#define XPROF_SYMBOL_KALLSYMS_CACHE_H

/*
 * The symbols of the kernel proper from /proc/kallsyms, kept until the next boot in
 * DIRECTORY/BUILD-ID.kallsyms. The kernel takes longer to write its list than many reports take for
 * everything else, and its own symbols are fixed when it is linked and moved once, when it boots. Modules,
 * BPF programs, trampolines and probes come and go at any time: they are not kept, and neither is what
 * borders on them.
 *
 * Besides what cache_file.h says of all files of the cache: one is believed if boot (boot_id), kernel
 * (build-id) and the first lines of the list as it is now are those that it was made of. A user who may no
 * longer see addresses gets other first lines.
 */

#include "elf/build_id.h"
#include "symbol/kallsyms.h"

struct kallsyms_cache_key {
	const char *directory;           /* NULL: there is no cache */
	const struct build_id *build_id; /* of the kernel that runs; size 0: not known, and nothing is kept */
	const char *list_path;           /* /proc/kallsyms */
	const char *boot_id_path;        /* /proc/sys/kernel/random/boot_id */
};

/* The part that is kept, under the list's path; NULL when there is nothing that may be believed. */
struct kallsyms *kallsyms_cache_load(const struct kallsyms_cache_key *key);

/* Writes the part of the list that may be cached, unless it is cached already. Does nothing if it cannot. */
void kallsyms_cache_save(const struct kallsyms_cache_key *key, struct kallsyms *kallsyms);

#endif
