#ifndef XPROF_TEST_SUPPORT_SYSFS_SECTION_H
#define XPROF_TEST_SUPPORT_SYSFS_SECTION_H

/* A section of a recording's header, made from the test's own sysfs and read back piece by piece. */

#include "base/byte_reader.h"
#include "base/strbuf.h"
#include "support/temp_tree.h"

struct sysfs_section {
	struct temp_tree tree;
	struct strbuf bytes; /* made by the test */
	struct byte_reader r;
};

/* Set-up and tear-down of a test whose state is an empty sysfs and an empty section. */
int sysfs_section_set_up(void **state);
int sysfs_section_tear_down(void **state);

/* Starts reading the section. */
void sysfs_section_begin(struct sysfs_section *section);
const char *sysfs_section_text(struct sysfs_section *section);

void assert_section_u32(struct sysfs_section *section, uint32_t expected);
void assert_section_u64(struct sysfs_section *section, uint64_t expected);
void assert_section_text(struct sysfs_section *section, const char *expected);

/* Asserts that all of it was read, and nothing more. */
void assert_section_ends(const struct sysfs_section *section);

#endif
