#include "base/file_place.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/xalloc.h"
#include "support/cmocka.h"
#include "support/temp_tree.h"

/* In the tree: "file", "directory/", "fifo" and links to each: "to-NAME". */
static char *make_places(const struct temp_tree *tree)
{
	assert_int_equal(chdir(tree->root), 0);
	temp_tree_file(tree, "file", "bytes");
	temp_tree_file(tree, "directory/x", "");
	assert_int_equal(mkfifo("fifo", 0600), 0);
	assert_int_equal(symlink("file", "to-file"), 0);
	assert_int_equal(symlink("fifo", "to-fifo"), 0);
	assert_int_equal(symlink("directory", "to-directory"), 0);
	assert_int_equal(symlink("nothing", "to-nothing"), 0);
	return xasprintf("%s/file", tree->root);
}

static void a_place_is_what_its_links_lead_to(void **state)
{
	(void)state;
	free(make_places(*state));
	assert_int_equal(file_place_at("nothing"), FILE_PLACE_FREE);
	assert_int_equal(file_place_at("to-nothing"), FILE_PLACE_FREE);
	assert_int_equal(file_place_at("file"), FILE_PLACE_REGULAR);
	assert_int_equal(file_place_at("to-file"), FILE_PLACE_REGULAR);
	assert_int_equal(file_place_at("directory"), FILE_PLACE_DIRECTORY);
	assert_int_equal(file_place_at("to-directory"), FILE_PLACE_DIRECTORY);
	assert_int_equal(file_place_at("fifo"), FILE_PLACE_SPECIAL);
	assert_int_equal(file_place_at("to-fifo"), FILE_PLACE_SPECIAL);
	assert_int_equal(file_place_at("/dev/null"), FILE_PLACE_SPECIAL);
}

static void a_link_of_the_system_is_special_whatever_it_leads_to(void **state)
{
	char *file = make_places(*state), name[32];
	FILE *stream = fopen(file, "re");

	assert_non_null(stream);
	snprintf(name, sizeof(name), "/proc/self/fd/%d", fileno(stream));
	assert_int_equal(file_place_at(name), FILE_PLACE_SPECIAL);
	fclose(stream);
	free(file);
}

static void only_a_regular_file_is_replaced(void **state)
{
	static const char *const kept[] = { "fifo", "to-fifo", "directory", "to-directory" };
	struct stat before, after;

	free(make_places(*state));
	for (size_t i = 0; i < sizeof(kept) / sizeof(kept[0]); i++) {
		assert_int_equal(lstat(kept[i], &before), 0);
		assert_int_equal(file_place_rename("file", kept[i]), -1);
		assert_int_equal(errno, EEXIST);
		assert_int_equal(lstat(kept[i], &after), 0);
		assert_int_equal(before.st_ino, after.st_ino);
	}
	temp_tree_file(*state, "other", "");
	assert_int_equal(file_place_rename("other", "file"), 0);
	assert_int_equal(file_place_rename("file", "to-nothing"), 0);
	assert_int_equal(file_place_at("to-nothing"), FILE_PLACE_REGULAR);
	assert_int_equal(file_place_rename("to-nothing", "nothing"), 0);
}

static void what_is_special_keeps_its_name(void **state)
{
	free(make_places(*state));
	assert_int_equal(file_place_rename("fifo", "nothing"), -1);
	assert_int_equal(errno, EINVAL);
	assert_int_equal(file_place_at("fifo"), FILE_PLACE_SPECIAL);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, temp_tree_set_up, temp_tree_tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(a_place_is_what_its_links_lead_to),
		TEST(a_link_of_the_system_is_special_whatever_it_leads_to),
		TEST(only_a_regular_file_is_replaced),
		TEST(what_is_special_keeps_its_name),
	};

	return cmocka_run_group_tests_name("base/file_place", tests, NULL, NULL);
}
