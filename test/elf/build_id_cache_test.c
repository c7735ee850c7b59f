#include "elf/build_id_cache.h"

#include <stdlib.h>
#include <string.h>

#include "support/cmocka.h"
#include "support/temp_tree.h"

static const struct build_id id = { .bytes = { 0xab, 0xcd, 0xef }, .size = 3 };
static const struct build_id too_short = { .bytes = { 0xab }, .size = 1 };
static struct temp_tree tree;

static int set_up(void **state)
{
	(void)state;
	temp_tree_create(&tree);
	temp_tree_file(&tree, ".build-id/ab/cdef/elf", "");
	temp_tree_file(&tree, ".debug/.build-id/ab/cdef/kallsyms", "");
	return 0;
}

static int tear_down(void **state)
{
	(void)state;
	temp_tree_remove(&tree);
	return 0;
}

static void assert_found(const char *directory, const char *file, const char *expected)
{
	char *path = build_id_cache_find(directory, &id, file);

	if (expected) {
		assert_non_null(path);
		assert_string_equal(path + strlen(tree.root), expected);
	} else {
		assert_null(path);
	}
	free(path);
}

static void files_are_found_by_build_id_and_kind(void **state)
{
	(void)state;
	assert_found(tree.root, "elf", "/.build-id/ab/cdef/elf");
	assert_found(tree.root, "vdso", NULL);
	assert_null(build_id_cache_find(tree.root, &too_short, "elf"));
}

static void the_users_cache_is_in_the_home_directory(void **state)
{
	char *home = getenv("HOME") ? strdup(getenv("HOME")) : NULL;

	(void)state;
	setenv("HOME", tree.root, 1);
	assert_found(NULL, "kallsyms", "/.debug/.build-id/ab/cdef/kallsyms");
	assert_found(NULL, "elf", NULL);
	unsetenv("HOME");
	assert_found(NULL, "kallsyms", NULL);
	if (home)
		setenv("HOME", home, 1);
	free(home);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(files_are_found_by_build_id_and_kind, set_up, tear_down),
		cmocka_unit_test_setup_teardown(the_users_cache_is_in_the_home_directory, set_up, tear_down),
	};

	return cmocka_run_group_tests_name("elf/build_id_cache", tests, NULL, NULL);
}
