#include "record/wait/wait_cgroups.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "support/cmocka.h"
#include "support/temp_tree.h"

/* Makes cgroups "a" and "b" of this version, as directories of the tree, which also serves as /proc. */
static void make_groups(const struct temp_tree *tree, const char *version)
{
	char mounts[256];

	snprintf(mounts, sizeof(mounts), "none %s/cg %s 0 0\n", tree->root, version);
	temp_tree_file(tree, "mounts", mounts);
	temp_tree_file(tree, "cg/a/cgroup.procs", "");
	temp_tree_file(tree, "cg/b/cgroup.procs", "");
}

static uint64_t inode_of(const struct temp_tree *tree, const char *name)
{
	char path[256];
	struct stat st;

	snprintf(path, sizeof(path), "%s/cg/%s", tree->root, name);
	assert_int_equal(stat(path, &st), 0);
	return st.st_ino;
}

static int find(struct wait_cgroups *cgroups, const struct temp_tree *tree, struct event_spec *items,
		size_t count, struct error *err)
{
	const struct event_specs events = { .items = items, .count = count };

	return wait_cgroups_find(cgroups, &events, tree->root, err);
}

static void the_cgroups_of_all_events_are_found_once_each(void **state)
{
	char a[] = "a", b[] = "/b";
	struct event_spec items[] = { { .cgroup = a }, { .cgroup = b }, { .cgroup = a } };
	struct wait_cgroups cgroups;

	make_groups(*state, "cgroup2 rw");
	assert_int_equal(find(&cgroups, *state, items, 3, NULL), 0);
	assert_int_equal(cgroups.count, 2);
	assert_true(cgroups.ids[0] == inode_of(*state, "a"));
	assert_true(cgroups.ids[1] == inode_of(*state, "b"));
}

static void an_event_of_any_cgroup_makes_waits_of_any(void **state)
{
	char a[] = "a";
	struct event_spec items[] = { { .cgroup = a }, { .cgroup = NULL } };
	struct wait_cgroups cgroups = { .count = 7 };

	make_groups(*state, "cgroup2 rw");
	assert_int_equal(find(&cgroups, *state, items, 2, NULL), 0);
	assert_int_equal(cgroups.count, 0);
	assert_int_equal(find(&cgroups, *state, items, 0, NULL), 0);
}

static void assert_refused(const struct temp_tree *tree, const char *name, const char *message)
{
	char cgroup[32];
	struct event_spec item = { .cgroup = cgroup };
	struct wait_cgroups cgroups;
	struct error err;

	snprintf(cgroup, sizeof(cgroup), "%s", name);
	assert_int_equal(find(&cgroups, tree, &item, 1, &err), -1);
	assert_non_null(strstr(err.message, message));
}

static void cgroups_that_cannot_be_followed_are_errors(void **state)
{
	assert_refused(*state, "a", "no cgroups are mounted");
	make_groups(*state, "cgroup rw,perf_event");
	assert_refused(*state, "a", "are version 1");
	make_groups(*state, "cgroup2 rw");
	assert_refused(*state, "c", "there is no cgroup");
}

static void there_is_room_for_some(void **state)
{
	enum { MANY = OFF_CPU_CGROUPS + 1 };
	char names[MANY][16];
	struct event_spec items[MANY] = { { .cgroup = NULL } };
	struct wait_cgroups cgroups;
	struct error err;

	make_groups(*state, "cgroup2 rw");
	for (int i = 0; i < MANY; i++) {
		char path[64];

		snprintf(names[i], sizeof(names[i]), "g%d", i);
		snprintf(path, sizeof(path), "cg/g%d/cgroup.procs", i);
		temp_tree_file(*state, path, "");
		items[i].cgroup = names[i];
	}
	assert_int_equal(find(&cgroups, *state, items, OFF_CPU_CGROUPS, NULL), 0);
	assert_int_equal(cgroups.count, OFF_CPU_CGROUPS);
	assert_int_equal(find(&cgroups, *state, items, MANY, &err), -1);
	assert_non_null(strstr(err.message, "more than 16 cgroups"));
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, temp_tree_set_up, temp_tree_tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(the_cgroups_of_all_events_are_found_once_each),
		TEST(an_event_of_any_cgroup_makes_waits_of_any),
		TEST(cgroups_that_cannot_be_followed_are_errors),
		TEST(there_is_room_for_some),
	};

	return cmocka_run_group_tests_name("record/wait/wait_cgroups", tests, NULL, NULL);
}
