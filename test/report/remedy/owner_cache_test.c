#include "report/remedy/owner_cache.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/xalloc.h"
#include "report/remedy/package_owner.h"
#include "support/cmocka.h"
#include "support/temp_tree.h"

struct fixture {
	struct temp_tree tree;
	char *directory, *database, *path;
	int64_t now_s; /* long after the database was made */
};

static int make_fixture(void **state)
{
	struct fixture *fixture = xcalloc(1, sizeof(*fixture));

	temp_tree_create(&fixture->tree);
	fixture->directory = xasprintf("%s/cache", fixture->tree.root);
	fixture->database = xasprintf("%s/info", fixture->tree.root);
	fixture->path = xasprintf("%s/dpkg.owners", fixture->directory);
	fixture->now_s = (int64_t)time(NULL) + 100;
	temp_tree_file(&fixture->tree, "info/a.list", "/.\n/bin/a\n");
	*state = fixture;
	return 0;
}

static int remove_fixture(void **state)
{
	struct fixture *fixture = *state;

	temp_tree_remove(&fixture->tree);
	free(fixture->path);
	free(fixture->database);
	free(fixture->directory);
	free(fixture);
	return 0;
}

static struct owner_cache *open_cache(const struct fixture *fixture)
{
	return owner_cache_open(fixture->directory, fixture->database, fixture->now_s);
}

static void add(const struct fixture *fixture, const char *path, const char *package)
{
	struct owner_cache *cache = open_cache(fixture);

	owner_cache_add(cache, path, package);
	owner_cache_close(cache);
}

static void assert_answer(const struct fixture *fixture, const char *path, const char *answer)
{
	struct owner_cache *cache = open_cache(fixture);
	const char *package = NULL;

	if (owner_cache_find(cache, path, &package) == 0)
		package = "not known";
	assert_string_equal(package ? package : "none", answer);
	owner_cache_close(cache);
}

static void answers_are_known_the_next_time(void **state)
{
	struct fixture *fixture = *state;

	assert_answer(fixture, "/bin/a", "not known");
	add(fixture, "/bin/a", "a");
	add(fixture, "/opt/b", NULL);
	assert_answer(fixture, "/bin/a", "a");
	assert_answer(fixture, "/opt/b", "none");
	assert_answer(fixture, "/bin/", "not known");
}

static void another_package_makes_all_unknown(void **state)
{
	struct fixture *fixture = *state;

	add(fixture, "/bin/a", "a");
	temp_tree_file(&fixture->tree, "info/b.list", "/.\n/bin/a\n");
	assert_answer(fixture, "/bin/a", "not known");
}

static void another_database_is_another(void **state)
{
	struct fixture *fixture = *state;

	add(fixture, "/bin/a", "a");
	temp_tree_file(&fixture->tree, "other/a.list", "");
	free(fixture->database);
	fixture->database = xasprintf("%s/other", fixture->tree.root);
	assert_answer(fixture, "/bin/a", "not known");
	free(fixture->database);
	fixture->database = xasprintf("%s/nonexistent", fixture->tree.root);
	add(fixture, "/bin/a", "a");
	assert_answer(fixture, "/bin/a", "not known");
}

static void what_has_just_changed_may_change_again(void **state)
{
	struct fixture *fixture = *state;

	fixture->now_s -= 100;
	add(fixture, "/bin/a", "a");
	fixture->now_s += 100;
	assert_answer(fixture, "/bin/a", "not known");
}

static void what_changes_while_it_is_read_is_not_kept(void **state)
{
	struct fixture *fixture = *state;
	struct owner_cache *cache = open_cache(fixture);

	owner_cache_add(cache, "/bin/a", "a");
	temp_tree_file(&fixture->tree, "info/b.list", "");
	owner_cache_close(cache);
	assert_int_not_equal(access(fixture->path, F_OK), 0);
}

static void without_a_directory_nothing_is_known(void **state)
{
	struct fixture *fixture = *state;
	const char *package;

	assert_null(owner_cache_open(NULL, fixture->database, fixture->now_s));
	assert_int_equal(owner_cache_find(NULL, "/bin/a", &package), 0);
	owner_cache_add(NULL, "/bin/a", "a");
	owner_cache_close(NULL);
}

static void thousands_of_answers_are_forgotten_at_last(void **state)
{
	struct fixture *fixture = *state;
	struct owner_cache *cache = open_cache(fixture);
	char path[32];

	for (int i = 0; i < 5000; i++) {
		snprintf(path, sizeof(path), "/bin/%d", i);
		owner_cache_add(cache, path, "many");
	}
	owner_cache_close(cache);
	assert_answer(fixture, "/bin/0", "not known");
	assert_answer(fixture, "/bin/4999", "many");
}

static void damage_is_noticed(void **state)
{
	struct fixture *fixture = *state;

	for (long at = 0; at < 60; at++) {
		FILE *file;
		int byte;

		unlink(fixture->path);
		add(fixture, "/bin/a", "a");
		file = fopen(fixture->path, "r+e");
		assert_non_null(file);
		assert_int_equal(fseek(file, at, SEEK_SET), 0);
		byte = fgetc(file);
		assert_int_equal(fseek(file, at, SEEK_SET), 0);
		fputc(byte ^ 0x20, file);
		assert_int_equal(fclose(file), 0);
		assert_answer(fixture, "/bin/a", "not known");
	}
}

static struct distribution debian(const struct fixture *fixture)
{
	return (struct distribution){ .root = fixture->tree.root,
				      .cache_directory = fixture->directory,
				      .system = PACKAGE_SYSTEM_DEBIAN };
}

static void a_database_that_has_just_been_made_is_asked_itself(void **state)
{
	struct fixture *fixture = *state;
	struct package_query queries[] = {
		{ .path = "/bin/a" }, { .path = "relative" }, { .path = "/bin/b" }, { .path = "/bin/c" }
	};
	const struct distribution distribution = debian(fixture);

	temp_tree_file(&fixture->tree, "var/lib/dpkg/info/p.list", "/.\n/bin/a\n/bin/b\n");
	package_owners_find(&distribution, queries, 4);
	assert_string_equal(queries[0].package, "p");
	assert_null(queries[1].package);
	assert_string_equal(queries[2].package, "p");
	assert_null(queries[3].package);
	free(queries[0].package);
	free(queries[2].package);
	assert_int_not_equal(access(fixture->path, F_OK), 0);
}

/* By a database that has not changed for long, and has no lists. */
static void what_is_known_is_not_looked_for(void **state)
{
	struct fixture *fixture = *state;
	struct package_query queries[] = {
		{ .path = "/bin/a" }, { .path = NULL }, { .path = "/bin/b" }, { .path = "/bin/c" }
	};
	const struct distribution distribution = debian(fixture);
	char *link = xasprintf("%s/var/lib/dpkg/info", fixture->tree.root);

	temp_tree_file(&fixture->tree, "var/lib/dpkg/status", "");
	assert_int_equal(symlink("/usr", link), 0);
	free(fixture->database);
	fixture->database = link;
	add(fixture, "/bin/a", "kept");
	add(fixture, "/bin/c", NULL);
	package_owners_find(&distribution, queries, 4);
	assert_string_equal(queries[0].package, "kept");
	assert_null(queries[2].package);
	assert_null(queries[3].package);
	free(queries[0].package);
	assert_answer(fixture, "/bin/b", "none");
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, make_fixture, remove_fixture)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(answers_are_known_the_next_time),
		TEST(another_package_makes_all_unknown),
		TEST(another_database_is_another),
		TEST(what_has_just_changed_may_change_again),
		TEST(what_changes_while_it_is_read_is_not_kept),
		TEST(without_a_directory_nothing_is_known),
		TEST(thousands_of_answers_are_forgotten_at_last),
		TEST(damage_is_noticed),
		TEST(a_database_that_has_just_been_made_is_asked_itself),
		TEST(what_is_known_is_not_looked_for),
	};

	return cmocka_run_group_tests_name("report/remedy/owner_cache", tests, NULL, NULL);
}
