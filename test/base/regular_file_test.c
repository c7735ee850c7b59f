#include "base/regular_file.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/inotify.h>
#include <sys/stat.h>
#include <unistd.h>

#include "support/cmocka.h"
#include "support/temp_tree.h"

static void a_regular_file_is_opened_for_reading(void **state)
{
	char path[128], text[8] = "";
	int fd;

	snprintf(path, sizeof(path), "%s/file", ((const struct temp_tree *)*state)->root);
	temp_tree_file(*state, "file", "text");
	fd = regular_file_open(path, NULL);
	assert_true(fd >= 0);
	assert_int_equal(read(fd, text, sizeof(text) - 1), 4);
	assert_string_equal(text, "text");
	close(fd);
}

/* inotify reports every open(). */
static void a_fifo_is_not_even_opened(void **state)
{
	char path[128], expected[160], events[1024];
	struct error err;
	int watch = inotify_init1(IN_NONBLOCK | IN_CLOEXEC);

	snprintf(path, sizeof(path), "%s/fifo", ((const struct temp_tree *)*state)->root);
	assert_int_equal(mkfifo(path, 0600), 0);
	assert_true(watch >= 0);
	assert_true(inotify_add_watch(watch, path, IN_OPEN) >= 0);
	assert_int_equal(regular_file_open(path, &err), -1);
	snprintf(expected, sizeof(expected), "%s is not a regular file", path);
	assert_string_equal(err.message, expected);
	assert_int_equal(read(watch, events, sizeof(events)), -1);
	assert_int_equal(errno, EAGAIN);
	close(watch);
}

static void what_cannot_be_opened_says_why(void **state)
{
	struct error err;

	(void)state;
	assert_int_equal(regular_file_open("/proc/nonexistent/file", &err), -1);
	assert_string_equal(err.message, "cannot open /proc/nonexistent/file: No such file or directory");
	assert_int_equal(regular_file_open("/dev/null", &err), -1);
	assert_string_equal(err.message, "/dev/null is not a regular file");
	assert_int_equal(regular_file_open("/proc", &err), -1);
	assert_string_equal(err.message, "/proc is not a regular file");
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, temp_tree_set_up, temp_tree_tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(a_regular_file_is_opened_for_reading),
		TEST(a_fifo_is_not_even_opened),
		TEST(what_cannot_be_opened_says_why),
	};

	return cmocka_run_group_tests_name("base/regular_file", tests, NULL, NULL);
}
