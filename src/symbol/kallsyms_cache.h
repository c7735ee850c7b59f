#ifndef XPROF_SYMBOL_KALLSYMS_CACHE_H
#define XPROF_SYMBOL_KALLSYMS_CACHE_H

/*
 * Caches the symbols of the kernel itself (without modules) from /proc/kallsyms until the next boot, in
 * DIRECTORY/BUILD-ID.kallsyms. The kernel takes longer to write its list than many reports take for
 * everything else, and the addresses of its own symbols do not change between boots. Modules, BPF programs,
 * trampolines and probes come and go at any time, so neither they nor the symbols next to them are cached.
 *
 * A valid cache file (cache_file.h) is used if it was made of the same boot (boot_id), the same kernel
 * (build-id), and a list with the same first lines as now. The first lines change if the user may no longer
 * see addresses.
 */

#include "elf/build_id.h"
#include "symbol/kallsyms.h"

struct kallsyms_cache_key {
	const char *directory;           /* NULL: no cache */
	const struct build_id *build_id; /* of the running kernel; size 0: unknown, no cache */
	const char *list_path;           /* /proc/kallsyms */
	const char *boot_id_path;        /* /proc/sys/kernel/random/boot_id */
};

/* Returns the cached part of the list, with the path of the list; NULL if there is no valid one. */
struct kallsyms *kallsyms_cache_load(const struct kallsyms_cache_key *key);

/* Writes the part of the list that may be cached, unless it is cached already. Does nothing if it cannot. */
void kallsyms_cache_save(const struct kallsyms_cache_key *key, struct kallsyms *kallsyms);

#endif
