#include "format/recording_directory.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "support/cmocka.h"

static const char *const names[] = { "data", "data.10", "data.2", "data.0", "data.old", "data.", "kcore_dir" };

static void touch_all(const char *directory)
{
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		char path[128];

		snprintf(path, sizeof(path), "%s/%s", directory, names[i]);
		close(open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0600));
	}
}

static void remove_all(const char *directory)
{
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		char path[128];

		snprintf(path, sizeof(path), "%s/%s", directory, names[i]);
		unlink(path);
	}
	rmdir(directory);
}

static void the_data_files_come_in_the_order_of_their_numbers(void **state)
{
	char path[] = "/tmp/xprof-test-XXXXXX", expected[128];
	static const char *const order[] = { "data", "data.0", "data.2", "data.10" };
	struct recording_directory directory;
	struct error err;

	(void)state;
	assert_non_null(mkdtemp(path));
	touch_all(path);
	assert_int_equal(recording_directory_init(&directory, path, &err), 0);
	assert_int_equal(directory.count, 4);
	for (size_t i = 0; i < 4; i++) {
		snprintf(expected, sizeof(expected), "%s/%s", path, order[i]);
		assert_string_equal(directory.paths[i], expected);
	}
	recording_directory_fini(&directory);
	remove_all(path);
}

static void a_directory_without_data_is_refused(void **state)
{
	char path[] = "/tmp/xprof-test-XXXXXX";
	struct recording_directory directory;
	struct error err;

	(void)state;
	assert_non_null(mkdtemp(path));
	assert_int_equal(recording_directory_init(&directory, path, &err), -1);
	assert_non_null(strstr(err.message, "is a directory without a file 'data'"));
	recording_directory_fini(&directory);
	rmdir(path);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_data_files_come_in_the_order_of_their_numbers),
		cmocka_unit_test(a_directory_without_data_is_refused),
	};

	return cmocka_run_group_tests_name("format/recording_directory", tests, NULL, NULL);
}
