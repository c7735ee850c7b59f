#include "record/machine/numbered_entries.h"

#include "support/cmocka.h"
#include "support/temp_tree.h"

static void entries_with_the_prefix_and_a_number_are_listed_in_order(void **state)
{
	struct numbered_entries entries;
	struct temp_tree tree;

	(void)state;
	temp_tree_create(&tree);
	temp_tree_file(&tree, "node10", "");
	temp_tree_file(&tree, "node2", "");
	temp_tree_file(&tree, "node", "");
	temp_tree_file(&tree, "node3x", "");
	temp_tree_file(&tree, "node-1", "");
	temp_tree_file(&tree, "has_cpu", "");
	temp_tree_file(&tree, "node99999999999", "");
	numbered_entries_read(&entries, tree.root, "node");
	assert_int_equal(entries.count, 2);
	assert_int_equal(entries.numbers[0], 2);
	assert_int_equal(entries.numbers[1], 10);
	numbered_entries_fini(&entries);
	temp_tree_remove(&tree);
}

static void a_directory_that_is_not_there_has_none(void **state)
{
	struct numbered_entries entries;

	(void)state;
	numbered_entries_read(&entries, "/proc/nonexistent", "node");
	assert_int_equal(entries.count, 0);
	numbered_entries_fini(&entries);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(entries_with_the_prefix_and_a_number_are_listed_in_order),
		cmocka_unit_test(a_directory_that_is_not_there_has_none),
	};

	return cmocka_run_group_tests_name("record/machine/numbered_entries", tests, NULL, NULL);
}
