#include "record/machine/cgroup_mount.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "support/cmocka.h"
#include "support/temp_tree.h"

/* Searches a /proc whose table of mounts is `mounts`. */
static bool find_in(const struct temp_tree *tree, const char *mounts, struct cgroup_mount *mount)
{
	temp_tree_file(tree, "mounts", mounts);
	return cgroup_mount_find(mount, tree->root);
}

static void version_two_is_found(void **state)
{
	struct cgroup_mount mount;

	assert_true(find_in(*state,
			    "proc /proc proc rw 0 0\n"
			    "cgroup2 /sys/fs/cgroup cgroup2 rw,nosuid,nsdelegate 0 0\n",
			    &mount));
	assert_string_equal(mount.root, "/sys/fs/cgroup");
	assert_int_equal(mount.version, 2);
}

static void version_one_with_perf_event_comes_before_version_two(void **state)
{
	static const char one[] = "cgroup /cg/perf cgroup rw,net_cls,perf_event 0 0\n";
	static const char two[] = "cgroup2 /cg/unified cgroup2 rw 0 0\n";
	struct cgroup_mount mount;
	char mounts[256];

	snprintf(mounts, sizeof(mounts), "%s%s", one, two);
	assert_true(find_in(*state, mounts, &mount));
	assert_string_equal(mount.root, "/cg/perf");
	snprintf(mounts, sizeof(mounts), "%s%s", two, one);
	assert_true(find_in(*state, mounts, &mount));
	assert_string_equal(mount.root, "/cg/perf");
	assert_int_equal(mount.version, 1);
}

static void other_controllers_of_version_one_are_none(void **state)
{
	struct cgroup_mount mount;

	assert_false(find_in(
		*state, "cgroup /cg/cpu cgroup rw,cpu 0 0\ncgroup /cg/x cgroup rw,name=perf_events 0 0\n",
		&mount));
}

static void nothing_is_found_without_a_table_of_mounts(void **state)
{
	const struct temp_tree *tree = *state;
	struct cgroup_mount mount;

	assert_false(cgroup_mount_find(&mount, tree->root));
}

static void assert_opens(const struct cgroup_mount *mount, const char *name, const char *expected_path)
{
	struct stat found, expected;
	int fd = cgroup_mount_open(mount, name, NULL);

	assert_true(fd >= 0);
	assert_int_equal(fstat(fd, &found), 0);
	assert_int_equal(stat(expected_path, &expected), 0);
	assert_true(found.st_ino == expected.st_ino);
	close(fd);
}

static void names_are_paths_below_the_root(void **state)
{
	const struct temp_tree *tree = *state;
	struct cgroup_mount mount = { .version = 2 };
	char path[256];

	temp_tree_file(tree, "web/one/cgroup.procs", "");
	snprintf(mount.root, sizeof(mount.root), "%s", tree->root);
	snprintf(path, sizeof(path), "%s/web/one", tree->root);
	assert_opens(&mount, "web/one", path);
	assert_opens(&mount, "/web/one/", path);
	assert_opens(&mount, path, path);
	assert_opens(&mount, "/", tree->root);
}

static void a_cgroup_that_is_not_there_is_named_with_the_root(void **state)
{
	const struct temp_tree *tree = *state;
	struct cgroup_mount mount = { .version = 2 };
	struct error err = { 0 };
	char expected[512];

	snprintf(mount.root, sizeof(mount.root), "%s", tree->root);
	snprintf(expected, sizeof(expected), "-G web: there is no cgroup %s/web; names are paths below %s",
		 tree->root, tree->root);
	assert_int_equal(cgroup_mount_open(&mount, "web", &err), -1);
	assert_string_equal(err.message, expected);
}

static void a_file_is_no_cgroup(void **state)
{
	const struct temp_tree *tree = *state;
	struct cgroup_mount mount = { .version = 2 };
	struct error err = { 0 };

	temp_tree_file(tree, "cgroup.procs", "");
	snprintf(mount.root, sizeof(mount.root), "%s", tree->root);
	assert_int_equal(cgroup_mount_open(&mount, "cgroup.procs", &err), -1);
	assert_non_null(strstr(err.message, "there is no cgroup"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(version_two_is_found, temp_tree_set_up, temp_tree_tear_down),
		cmocka_unit_test_setup_teardown(version_one_with_perf_event_comes_before_version_two,
						temp_tree_set_up, temp_tree_tear_down),
		cmocka_unit_test_setup_teardown(other_controllers_of_version_one_are_none, temp_tree_set_up,
						temp_tree_tear_down),
		cmocka_unit_test_setup_teardown(nothing_is_found_without_a_table_of_mounts, temp_tree_set_up,
						temp_tree_tear_down),
		cmocka_unit_test_setup_teardown(names_are_paths_below_the_root, temp_tree_set_up,
						temp_tree_tear_down),
		cmocka_unit_test_setup_teardown(a_cgroup_that_is_not_there_is_named_with_the_root,
						temp_tree_set_up, temp_tree_tear_down),
		cmocka_unit_test_setup_teardown(a_file_is_no_cgroup, temp_tree_set_up, temp_tree_tear_down),
	};

	return cmocka_run_group_tests_name("record/machine/cgroup_mount", tests, NULL, NULL);
}
