#include "record/switch/output_names.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "support/cmocka.h"
#include "support/temp_tree.h"

/* 2026-11-21 10:33:20.560 UTC */
static const struct timeval some_time = { .tv_sec = 1795257200, .tv_usec = 569999 };

static int set_up(void **state)
{
	setenv("TZ", "UTC", 1);
	return temp_tree_set_up(state);
}

/* Makes the file with this text, keeps it, and checks the name that it gets. */
static void keep(const struct temp_tree *tree, struct output_names *names, const char *text,
		 const char *ending)
{
	const char *name;

	temp_tree_file(tree, "perf.data", text);
	name = output_names_keep(names, &some_time, NULL);
	assert_non_null(name);
	assert_string_equal(name + strlen(tree->root), ending);
	assert_int_equal(access(name, F_OK), 0);
}

static bool exists(const struct temp_tree *tree, const char *name)
{
	char path[256];

	snprintf(path, sizeof(path), "%s/%s", tree->root, name);
	return access(path, F_OK) == 0;
}

static char *output_of(const struct temp_tree *tree, char path[static 128])
{
	snprintf(path, 128, "%s/perf.data", tree->root);
	return path;
}

static void a_file_gets_its_time_with_hundredths_of_seconds(void **state)
{
	const struct temp_tree *tree = *state;
	char path[128];
	struct output_names *names = output_names_create(output_of(tree, path), 0);

	keep(tree, names, "first", "/perf.data.2026112110332056");
	assert_false(exists(tree, "perf.data"));
	output_names_destroy(names);
}

static void a_name_that_is_taken_is_never_replaced(void **state)
{
	const struct temp_tree *tree = *state;
	char path[128];
	struct output_names *names = output_names_create(output_of(tree, path), 0);

	temp_tree_file(tree, "perf.data.2026112110332056", "another recording's");
	keep(tree, names, "first", "/perf.data.2026112110332057");
	keep(tree, names, "second", "/perf.data.2026112110332058");
	assert_true(exists(tree, "perf.data.2026112110332056"));
	output_names_destroy(names);
}

static void the_oldest_of_too_many_goes(void **state)
{
	const struct temp_tree *tree = *state;
	char path[128];
	struct output_names *names = output_names_create(output_of(tree, path), 2);

	keep(tree, names, "first", "/perf.data.2026112110332056");
	keep(tree, names, "second", "/perf.data.2026112110332057");
	assert_true(exists(tree, "perf.data.2026112110332056"));
	keep(tree, names, "third", "/perf.data.2026112110332058");
	assert_false(exists(tree, "perf.data.2026112110332056"));
	assert_true(exists(tree, "perf.data.2026112110332057"));
	keep(tree, names, "fourth", "/perf.data.2026112110332056");
	assert_false(exists(tree, "perf.data.2026112110332057"));
	assert_true(exists(tree, "perf.data.2026112110332058"));
	output_names_destroy(names);
}

static void a_file_that_is_gone_is_an_error(void **state)
{
	const struct temp_tree *tree = *state;
	char path[128];
	struct output_names *names = output_names_create(output_of(tree, path), 0);
	struct error err;

	assert_null(output_names_keep(names, &some_time, &err));
	assert_non_null(strstr(err.message, "cannot rename"));
	output_names_destroy(names);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(a_file_gets_its_time_with_hundredths_of_seconds, set_up,
						temp_tree_tear_down),
		cmocka_unit_test_setup_teardown(a_name_that_is_taken_is_never_replaced, set_up,
						temp_tree_tear_down),
		cmocka_unit_test_setup_teardown(the_oldest_of_too_many_goes, set_up, temp_tree_tear_down),
		cmocka_unit_test_setup_teardown(a_file_that_is_gone_is_an_error, set_up, temp_tree_tear_down),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
