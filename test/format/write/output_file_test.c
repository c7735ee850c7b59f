#include "format/write/output_file.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "support/cmocka.h"

static char directory[] = "/tmp/xprof-test-XXXXXX";
static char path[64], old_path[64];

static int make_directory(void **state)
{
	(void)state;
	if (!mkdtemp(directory))
		return -1;
	snprintf(path, sizeof(path), "%s/perf.data", directory);
	snprintf(old_path, sizeof(old_path), "%s/perf.data.old", directory);
	return 0;
}

static int empty_directory(void **state)
{
	(void)state;
	unlink(path);
	unlink(old_path);
	return 0;
}

static int remove_directory(void **state)
{
	empty_directory(state);
	return rmdir(directory);
}

static void write_text(const char *text)
{
	struct error err = { 0 };
	struct output_file *output = output_file_create(path, &err);

	if (!output)
		fail_msg("%s", err.message);
	assert_int_equal(output_file_write(output, text, strlen(text), &err), 0);
	output_file_close(output);
}

static void assert_content(const char *file, const char *expected)
{
	char content[64] = { 0 };
	int fd = open(file, O_RDONLY | O_CLOEXEC);

	assert_true(fd >= 0);
	assert_true(read(fd, content, sizeof(content) - 1) >= 0);
	close(fd);
	assert_string_equal(content, expected);
}

static mode_t mode_of(const char *file)
{
	struct stat st;

	assert_int_equal(stat(file, &st), 0);
	return st.st_mode & 0777;
}

static void a_new_file_is_private(void **state)
{
	(void)state;
	write_text("new");
	assert_content(path, "new");
	assert_int_equal(mode_of(path), 0600);
	assert_int_equal(access(old_path, F_OK), -1);
}

static void an_older_file_is_kept_and_the_one_before_it_is_not(void **state)
{
	(void)state;
	write_text("first");
	write_text("second");
	assert_content(old_path, "first");
	write_text("third");
	assert_content(path, "third");
	assert_content(old_path, "second");
}

static void an_empty_file_is_not_worth_keeping_and_becomes_private(void **state)
{
	(void)state;
	close(open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0644));
	write_text("new");
	assert_int_equal(access(old_path, F_OK), -1);
	assert_int_equal(mode_of(path), 0600);
}

static void a_file_that_is_written_aside_gets_its_name_when_it_is_published(void **state)
{
	struct error err;
	struct output_file *output;

	(void)state;
	write_text("older");
	output = output_file_create_temporary(path, &err);
	assert_true(output_file_is_temporary(output));
	assert_int_equal(output_file_write(output, "new", 3, &err), 0);
	assert_content(path, "older");
	assert_int_equal(output_file_publish(output, &err), 0);
	assert_false(output_file_is_temporary(output));
	output_file_close(output);
	assert_content(path, "new");
	assert_int_equal(mode_of(path), 0600);
	assert_content(old_path, "older");
}

static void a_file_that_is_not_published_leaves_nothing_behind(void **state)
{
	struct error err;
	struct output_file *output = output_file_create_temporary(path, &err);

	(void)state;
	assert_int_equal(output_file_write(output, "new", 3, &err), 0);
	output_file_close(output); /* remove_directory() fails if a file is left */
	assert_int_equal(access(path, F_OK), -1);
}

static void an_empty_file_makes_way_for_one_written_aside(void **state)
{
	struct error err;
	struct output_file *output = output_file_create_temporary(path, &err);

	(void)state;
	close(open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0644));
	assert_int_equal(output_file_publish(output, &err), 0);
	output_file_close(output);
	assert_int_equal(mode_of(path), 0600);
	assert_int_equal(access(old_path, F_OK), -1);
}

static void what_is_no_file_is_not_written_aside(void **state)
{
	struct error err;
	struct output_file *output = output_file_create_temporary("/dev/null", &err);

	(void)state;
	assert_false(output_file_is_temporary(output));
	assert_int_equal(output_file_publish(output, &err), 0);
	output_file_close(output);
	assert_null(output_file_create_temporary(directory, &err));
	assert_non_null(strstr(err.message, "it is a directory"));
}

static void bytes_can_be_overwritten_in_a_file(void **state)
{
	struct error err;
	struct output_file *output = output_file_create(path, &err);

	(void)state;
	assert_true(output_file_seekable(output));
	assert_int_equal(output_file_write(output, "0123456789", 10, &err), 0);
	assert_int_equal(output_file_write_at(output, "ab", 2, 4, &err), 0);
	output_file_truncate(output, 8);
	output_file_close(output);
	assert_content(path, "0123ab67");
}

static void what_is_no_file_is_written_to_as_it_is(void **state)
{
	struct error err;
	struct output_file *output = output_file_create("/dev/null", &err);

	(void)state;
	assert_non_null(output);
	assert_false(output_file_seekable(output));
	assert_int_equal(output_file_write(output, "x", 1, &err), 0);
	output_file_close(output);
}

static void a_place_that_cannot_be_written_is_refused_with_a_remedy(void **state)
{
	char missing[96];
	struct error err;

	(void)state;
	assert_null(output_file_create(directory, &err));
	assert_non_null(strstr(err.message, "it is a directory; choose a file with -o FILE"));
	snprintf(missing, sizeof(missing), "%s/missing/perf.data", directory);
	assert_null(output_file_create(missing, &err));
	assert_non_null(strstr(err.message, "make its directory first"));
}

static void a_full_disk_is_named(void **state)
{
	struct error err;
	struct output_file *output = output_file_create("/dev/full", &err);

	(void)state;
	assert_non_null(output);
	assert_int_equal(output_file_write(output, "x", 1, &err), -1);
	assert_string_equal(
		err.message,
		"cannot write to /dev/full (free some space, choose another place with -o FILE, or record "
		"less with -F or without -g): No space left on device");
	output_file_close(output);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_teardown(a_new_file_is_private, empty_directory),
		cmocka_unit_test_teardown(an_older_file_is_kept_and_the_one_before_it_is_not,
					  empty_directory),
		cmocka_unit_test_teardown(an_empty_file_is_not_worth_keeping_and_becomes_private,
					  empty_directory),
		cmocka_unit_test_teardown(a_file_that_is_written_aside_gets_its_name_when_it_is_published,
					  empty_directory),
		cmocka_unit_test_teardown(an_empty_file_makes_way_for_one_written_aside, empty_directory),
		cmocka_unit_test(a_file_that_is_not_published_leaves_nothing_behind),
		cmocka_unit_test(what_is_no_file_is_not_written_aside),
		cmocka_unit_test_teardown(bytes_can_be_overwritten_in_a_file, empty_directory),
		cmocka_unit_test(what_is_no_file_is_written_to_as_it_is),
		cmocka_unit_test(a_place_that_cannot_be_written_is_refused_with_a_remedy),
		cmocka_unit_test(a_full_disk_is_named),
	};

	return cmocka_run_group_tests_name("format/write/output_file", tests, make_directory,
					   remove_directory);
}
