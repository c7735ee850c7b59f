#include "base/trusted_file.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "support/cmocka.h"
#include "support/temp_tree.h"

enum { SOMEBODY = 12345 };

static struct temp_tree tree;
static char path[256];

static int set_up(void **state)
{
	(void)state;
	temp_tree_create(&tree);
	temp_tree_file(&tree, "map", "text");
	snprintf(path, sizeof(path), "%s/map", tree.root);
	return 0;
}

static int tear_down(void **state)
{
	(void)state;
	temp_tree_remove(&tree);
	return 0;
}

static int try_to_open(uid_t trusted, struct error *err)
{
	int fd = trusted_file_open(path, trusted, err);

	if (fd < 0)
		return -1;
	close(fd);
	return 0;
}

static void the_readers_own_file_is_opened(void **state)
{
	struct error err;

	(void)state;
	assert_int_equal(try_to_open(SOMEBODY, &err), 0);
}

static void a_file_of_somebody_else_is_opened_only_if_he_is_trusted(void **state)
{
	struct error err;

	(void)state;
	if (chown(path, SOMEBODY, (gid_t)-1) < 0)
		skip(); /* only root can give files away */
	assert_int_equal(try_to_open(SOMEBODY, &err), 0);
	assert_int_equal(try_to_open(SOMEBODY + 1, &err), -1);
	assert_non_null(strstr(err.message, "belongs to user 12345, neither to you nor to root"));
}

static void what_is_no_regular_file_is_not_waited_for(void **state)
{
	struct error err;

	(void)state;
	assert_int_equal(unlink(path), 0);
	assert_int_equal(try_to_open(0, &err), -1);
	assert_int_equal(mkfifo(path, 0600), 0);
	assert_int_equal(try_to_open(0, &err), -1);
	assert_non_null(strstr(err.message, "is not a regular file"));
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(the_readers_own_file_is_opened),
		TEST(a_file_of_somebody_else_is_opened_only_if_he_is_trusted),
		TEST(what_is_no_regular_file_is_not_waited_for),
	};

	return cmocka_run_group_tests_name("base/trusted_file", tests, NULL, NULL);
}
