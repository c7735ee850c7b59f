#ifndef XPROF_TEST_SUPPORT_NAMELESS_PROFILE_H
#define XPROF_TEST_SUPPORT_NAMELESS_PROFILE_H

/*
 * A loaded recording of a process that has mapped three files, none of which is there: functions have no names.
 * Files are looked for below a directory of the test's own, which is HOME, too.
 */

#include "report/load/profile_loader.h"
#include "support/perf_data_builder.h"
#include "support/temp_tree.h"

/* Where they are mapped, 64 KiB each, from file offset 0 on. */
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
	const char *
		symfs; /* files are looked for below it; the tree, unless a test sets another before it loads */
};

void nameless_profile_init(struct nameless_profile *nameless);
void nameless_profile_fini(struct nameless_profile *nameless);

/* Samples at an address, which a caller (0: none) has called. */
void nameless_profile_add(struct nameless_profile *nameless, uint64_t address, uint64_t caller,
			  unsigned count);

/* An ELF file at a path below the tree, whose build-id is `ab` and `id`; with a .symtab 0x800 is in "named". */
void nameless_profile_elf(struct nameless_profile *nameless, const char *path, uint8_t id, bool symtab);

/* After the last addition. `cache`: see struct debug_file_search. */
void nameless_profile_load(struct nameless_profile *nameless, const char *cache);

#endif
