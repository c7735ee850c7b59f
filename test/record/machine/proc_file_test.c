#include "record/machine/proc_file.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "support/cmocka.h"
#include "support/temp_tree.h"

static void a_file_longer_than_one_read_is_read_whole(void **state)
{
	const struct temp_tree *tree = *state;
	static char bytes[100000];
	struct strbuf text;

	memset(bytes, 'x', sizeof(bytes));
	temp_tree_bytes(tree, "long", bytes, sizeof(bytes));
	strbuf_init(&text);
	assert_int_equal(proc_file_readf(&text, NULL, "%s/%s", tree->root, "long"), 0);
	assert_int_equal(text.size, sizeof(bytes));
	assert_memory_equal(text.bytes, bytes, sizeof(bytes));
	strbuf_fini(&text);
}

static void a_file_that_is_not_there_is_named(void **state)
{
	struct error err = { 0 };
	struct strbuf text;

	(void)state;
	strbuf_init(&text);
	assert_int_equal(proc_file_read(&text, "/proc/nonexistent", &err), -1);
	assert_string_equal(err.message, "cannot open /proc/nonexistent: No such file or directory");
	assert_int_equal(err.errno_value, ENOENT);
	strbuf_fini(&text);
}

static void numbers_may_be_negative_and_texts_are_none(void **state)
{
	const struct temp_tree *tree = *state;
	long long number = 0;
	char path[128];

	temp_tree_file(tree, "paranoid", "-1\n");
	temp_tree_file(tree, "text", "none\n");
	snprintf(path, sizeof(path), "%s/paranoid", tree->root);
	assert_int_equal(proc_file_read_number(path, &number, NULL), 0);
	assert_int_equal(number, -1);
	snprintf(path, sizeof(path), "%s/text", tree->root);
	assert_int_equal(proc_file_read_number(path, &number, NULL), -1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(a_file_longer_than_one_read_is_read_whole, temp_tree_set_up,
						temp_tree_tear_down),
		cmocka_unit_test(a_file_that_is_not_there_is_named),
		cmocka_unit_test_setup_teardown(numbers_may_be_negative_and_texts_are_none, temp_tree_set_up,
						temp_tree_tear_down),
	};

	return cmocka_run_group_tests_name("record/machine/proc_file", tests, NULL, NULL);
}
