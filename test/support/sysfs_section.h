#ifndef XPROF_TEST_SUPPORT_SYSFS_SECTION_H
#define XPROF_TEST_SUPPORT_SYSFS_SECTION_H

/* A section of a recording's header that is made from a sysfs of the test's own, and read back piece by piece. */

#include "base/byte_reader.h"
#include "base/strbuf.h"
#include "support/temp_tree.h"

struct sysfs_section {
	struct temp_tree tree;
	struct strbuf bytes; /* what a test has made */
	struct byte_reader r;
};

/* The set-up and the tear-down of a test whose state is an empty sysfs and an empty section. */
int sysfs_section_set_up(void **state);
int sysfs_section_tear_down(void **state);

/* The section is read from its beginning. */
void sysfs_section_begin(struct sysfs_section *section);
const char *sysfs_section_text(struct sysfs_section *section);

void assert_section_u32(struct sysfs_section *section, uint32_t expected);
void assert_section_u64(struct sysfs_section *section, uint64_t expected);
void assert_section_text(struct sysfs_section *section, const char *expected);

/* Nothing is left of it, and nothing more was read. */
void assert_section_ends(const struct sysfs_section *section);

#endif
