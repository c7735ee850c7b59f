#include "support/sysfs_section.h"

#include <stdlib.h>

#include "base/xalloc.h"
#include "support/cmocka.h"

int sysfs_section_set_up(void **state)
{
	struct sysfs_section *section = xcalloc(1, sizeof(*section));

	temp_tree_create(&section->tree);
	strbuf_init(&section->bytes);
	*state = section;
	return 0;
}

int sysfs_section_tear_down(void **state)
{
	struct sysfs_section *section = *state;

	strbuf_fini(&section->bytes);
	temp_tree_remove(&section->tree);
	free(section);
	return 0;
}

void sysfs_section_begin(struct sysfs_section *section)
{
	section->r = byte_reader_over(section->bytes.bytes, section->bytes.size, false);
}

const char *sysfs_section_text(struct sysfs_section *section)
{
	const char *text = byte_reader_string(&section->r, byte_reader_u32(&section->r));

	assert_non_null(text);
	return text;
}

void assert_section_u32(struct sysfs_section *section, uint32_t expected)
{
	assert_int_equal(byte_reader_u32(&section->r), expected);
}

void assert_section_u64(struct sysfs_section *section, uint64_t expected)
{
	assert_int_equal(byte_reader_u64(&section->r), expected);
}

void assert_section_text(struct sysfs_section *section, const char *expected)
{
	assert_string_equal(sysfs_section_text(section), expected);
}

void assert_section_ends(const struct sysfs_section *section)
{
	assert_true(byte_reader_ok(&section->r));
	assert_int_equal(byte_reader_left(&section->r), 0);
}
