#ifndef XPROF_SYMBOL_KERNEL_SOURCE_H
#define XPROF_SYMBOL_KERNEL_SOURCE_H

/*
 * Which list of symbols is that of the kernel that was recorded, and how far was
 * that kernel from where the list has it? A kernel of the same build may lie
 * elsewhere after each boot (KASLR), and its modules always do.
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
 * kallsyms_path: a file that the user says is the one, or NULL for
 * /proc/kallsyms; is_running_kernel: the caller knows that it may be believed.
 * cache_directory: see kallsyms_cache.h; borrowed, or NULL for none.
 */
struct kernel_source *kernel_source_create(const char *kallsyms_path, bool is_running_kernel,
					   const char *cache_directory);
void kernel_source_destroy(struct kernel_source *source);

void kernel_source_learn(struct kernel_source *source, const struct recorded_kernel *kernel);

/*
 * A copy of kallsyms that perf has made of that very build, at whatever boot: for the kernel proper where
 * /proc/kallsyms is that of another one, or hides its addresses.
 */
void kernel_source_offer(struct kernel_source *source, const char *path);

/*
 * For the kernel proper: recorded address = address in the list + *relocation. Of addresses that it does not cover
 * (kallsyms_covers()) only the whole list may know something.
 * NULL with the reason and the remedy in err. Lives as long as the source.
 */
struct kallsyms *kernel_source_for_kernel(struct kernel_source *source, uint64_t *relocation,
					  struct error *err);

/*
 * While only the kernel proper is asked for, the kernel's list may be partial. This call reads the whole list
 * if possible. A list that was handed out before stays valid.
 */
void kernel_source_want_whole(struct kernel_source *source);

/* For modules, which need the list of the very boot that was recorded. */
struct kallsyms *kernel_source_for_modules(struct kernel_source *source, struct error *err);

#endif
