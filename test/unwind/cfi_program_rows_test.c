/*
 * Compares rows of real libraries with those of libdw. By default it samples the C library; UNWIND_ROWS_FILES (separated by
 * spaces) and UNWIND_ROWS_STRIDE (1: every row) change that. `make check-long` compares all rows of large libraries.
 */

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "support/cmocka.h"
#include "support/libdw_rules.h"

static void compare(const char *path, size_t stride)
{
	struct libdw_comparison comparison = { .path = path, .stride = stride };

	if (libdw_rules_compare(&comparison) < 0)
		fail_msg("%s", comparison.first_difference);
	printf("# %s: %zu of %zu rows compared, %zu by kind alone\n", path, comparison.compared,
	       comparison.row_count, comparison.expressions);
	if (comparison.different != 0)
		fail_msg("%zu rows differ, first %s", comparison.different, comparison.first_difference);
}

/* The file of the C library, found by one of its functions. */
static const char *c_library(void)
{
	Dl_info where;

	return dladdr((void *)(uintptr_t)&qsort, &where) ? where.dli_fname : NULL;
}

static void rows_of_libraries_are_those_of_libdw(void **state)
{
	const char *files = getenv("UNWIND_ROWS_FILES"), *stride = getenv("UNWIND_ROWS_STRIDE");
	char *copy, *next, *path;

	(void)state;
	copy = strdup(files ? files : c_library());
	for (next = copy; (path = strtok_r(next, " ", &next)) != NULL;)
		compare(path, stride ? strtoul(stride, NULL, 10) : 7);
	free(copy);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(rows_of_libraries_are_those_of_libdw),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
