#ifndef XPROF_TEST_SUPPORT_NAMELESS_PROFILE_H
#define XPROF_TEST_SUPPORT_NAMELESS_PROFILE_H

/*
 * A loaded recording of a process with three mapped files, which do not exist, so functions have no names. Files are looked
 * for below a directory of the test's own, which is also HOME.
 */

#include "report/load/profile_loader.h"
#include "support/perf_data_builder.h"
#include "support/temp_tree.h"

/* Start addresses of the files: 64 KiB of each are mapped, from file offset 0 on. */
enum nameless_file {
	NAMELESS_HOT = 0x10000,     /* /bin/hot, build-id ab01 */
	NAMELESS_WARM = 0x20000,    /* /bin/warm, build-id ab02 */
	NAMELESS_UNKNOWN = 0x30000, /* /bin/unknown, no build-id */
};

struct nameless_profile {
	struct temp_tree tree;
	struct perf_data_builder *builder;
	struct perf_file *file;
	struct loaded_profile loaded;
	uint64_t time_ns;
	/* files are looked for below it: the tree, unless a test changes it before it loads */
	const char *symfs;
};

void nameless_profile_init(struct nameless_profile *nameless);
void nameless_profile_fini(struct nameless_profile *nameless);

/* Adds samples at an address with that caller (0: none). */
void nameless_profile_add(struct nameless_profile *nameless, uint64_t address, uint64_t caller,
			  unsigned count);

/* Writes an ELF file to a path in the tree. Its build-id is `ab` and `id`; with a .symtab, 0x800 is in "named". */
void nameless_profile_elf(struct nameless_profile *nameless, const char *path, uint8_t id, bool symtab);

/* Call after the last addition. `cache`: see struct debug_file_search. */
void nameless_profile_load(struct nameless_profile *nameless, const char *cache);

#endif
