#ifndef XPROF_SYMBOL_KERNEL_SOURCE_H
#define XPROF_SYMBOL_KERNEL_SOURCE_H

/*
 * Chooses the symbol list for the recorded kernel, and computes the distance between the addresses in the
 * list and the recorded ones. A kernel of the same build may be at another address after each boot (KASLR),
 * and its modules always are.
 */

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "elf/build_id.h"
#include "symbol/kallsyms.h"

/* Facts of a recording about its kernel. */
struct recorded_kernel {
	struct build_id build_id;      /* size 0: not known */
	const char *relocation_symbol; /* NULL: not known; must live as long as the source */
	uint64_t relocation_address;
};

struct kernel_source;

/*
 * kallsyms_path: a file that the user names, or NULL for /proc/kallsyms. is_running_kernel: the caller knows
 * that the recording was made on this boot. cache_directory: see kallsyms_cache.h; borrowed; NULL: no cache.
 */
struct kernel_source *kernel_source_create(const char *kallsyms_path, bool is_running_kernel,
					   const char *cache_directory);
void kernel_source_destroy(struct kernel_source *source);

void kernel_source_learn(struct kernel_source *source, const struct recorded_kernel *kernel);

/*
 * Offers a copy of kallsyms that perf made from the same build at any boot. It is used for the kernel itself
 * if /proc/kallsyms is that of another kernel, or hides addresses.
 */
void kernel_source_offer(struct kernel_source *source, const char *path);

/*
 * The list for the kernel itself: recorded address = address in the list + *relocation. It may be a part of the
 * whole list (kallsyms_covers(), kernel_source_want_whole()). Returns NULL with the reason and the remedy in err.
 * Lives as long as the source.
 */
struct kallsyms *kernel_source_for_kernel(struct kernel_source *source, uint64_t *relocation,
					  struct error *err);

/*
 * The list for the kernel itself may be a cached part. This call replaces it by the whole list if possible. A
 * list that was returned before stays valid.
 */
void kernel_source_want_whole(struct kernel_source *source);

/* The list for modules, which must be that of the recorded boot. Returns NULL with the reason in err. */
struct kallsyms *kernel_source_for_modules(struct kernel_source *source, struct error *err);

#endif
