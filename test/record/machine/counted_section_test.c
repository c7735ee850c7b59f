#include "record/machine/counted_section.h"

#include <string.h>

#include "support/cmocka.h"
#include "support/temp_tree.h"

/* Entries that begin with x do not count. */
static uint32_t add_name(struct strbuf *section, const char *directory, const char *name)
{
	assert_non_null(strstr(directory, "things"));
	if (name[0] == 'x')
		return 0;
	strbuf_adds(section, name);
	return 1;
}

static void entries_stand_behind_their_number(void **state)
{
	struct temp_tree tree;
	struct strbuf section, directory;

	(void)state;
	temp_tree_create(&tree);
	temp_tree_file(&tree, "things/a", "");
	temp_tree_file(&tree, "things/xy", "");
	strbuf_init(&section);
	strbuf_init(&directory);
	strbuf_addf(&directory, "%s/things", tree.root);
	assert_int_equal(counted_section_add(&section, directory.bytes, add_name), 1);
	assert_int_equal(section.size, 5);
	assert_memory_equal(section.bytes, "\1\0\0\0a", 5);
	strbuf_fini(&section);
	strbuf_fini(&directory);
	temp_tree_remove(&tree);
}

static void nothing_is_added_where_there_is_none(void **state)
{
	struct strbuf section;

	(void)state;
	strbuf_init(&section);
	assert_int_equal(counted_section_add(&section, "/proc/nonexistent/things", add_name), 0);
	assert_int_equal(section.size, 0);
	strbuf_fini(&section);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(entries_stand_behind_their_number),
		cmocka_unit_test(nothing_is_added_where_there_is_none),
	};

	return cmocka_run_group_tests_name("record/machine/counted_section", tests, NULL, NULL);
}
