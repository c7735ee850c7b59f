#include "base/spool_file.h"

#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "support/cmocka.h"

static void a_spool_file_has_no_name_and_keeps_what_is_written(void **state)
{
	struct error err = { 0 };
	struct stat st;
	char bytes[8] = "";
	int fd = spool_file_create("standard input", &err);

	(void)state;
	assert_true(fd >= 0);
	assert_int_equal(spool_file_write(fd, "perf", 4, "standard input", &err), 0);
	assert_int_equal(fstat(fd, &st), 0);
	assert_int_equal(st.st_nlink, 0);
	assert_int_equal(pread(fd, bytes, sizeof(bytes), 0), 4);
	assert_string_equal(bytes, "perf");
	close(fd);
}

static void where_there_is_no_room_the_message_names_tmpdir(void **state)
{
	struct error err = { 0 };

	(void)state;
	setenv("TMPDIR", "/proc/nonexistent", 1);
	assert_int_equal(spool_file_create("standard input", &err), -1);
	assert_string_equal(
		err.message,
		"cannot create a temporary copy of standard input in /proc/nonexistent (set TMPDIR "
		"to a directory with enough space): No such file or directory");
	unsetenv("TMPDIR");
}

static void the_directory_is_the_one_named_or_one_that_is_no_memory(void **state)
{
	(void)state;
	setenv("TMPDIR", "/named", 1);
	assert_string_equal(spool_file_directory(), "/named");
	setenv("TMPDIR", "", 1);
	assert_string_equal(spool_file_directory(), access("/var/tmp", F_OK) == 0 ? "/var/tmp" : "/tmp");
	unsetenv("TMPDIR");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_spool_file_has_no_name_and_keeps_what_is_written),
		cmocka_unit_test(where_there_is_no_room_the_message_names_tmpdir),
		cmocka_unit_test(the_directory_is_the_one_named_or_one_that_is_no_memory),
	};

	return cmocka_run_group_tests_name("base/spool_file", tests, NULL, NULL);
}
