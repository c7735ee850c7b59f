#include "symbol/perf_map.h"

#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/xalloc.h"
#include "support/cmocka.h"
#include "support/named_address.h"
#include "support/temp_tree.h"

static struct perf_map *parse(const char *text)
{
	return perf_map_from_text(text, strlen(text), "test");
}

static void assert_name(struct perf_map *map, uint64_t address, const char *name)
{
	assert_named_address(perf_map_symbols(map), address, name);
}

static void names_are_the_rest_of_the_line(void **state)
{
	struct perf_map *map = parse("7f0000001000 40 LazyCompile:*sum /srv/app.js:12\n"
				     "0x7f0000002000 0x10 py::<module>:/srv/a b.py\r\n"
				     "7f0000003000 8 last");

	(void)state;
	assert_name(map, 0x7f0000001000, "LazyCompile:*sum /srv/app.js:12");
	assert_name(map, 0x7f000000103f, "LazyCompile:*sum /srv/app.js:12");
	assert_name(map, 0x7f0000001040, "nothing");
	assert_name(map, 0x7f000000200f, "py::<module>:/srv/a b.py");
	assert_name(map, 0x7f0000003000, "last");
	assert_string_equal(perf_map_path(map), "test");
	perf_map_close(map);
}

static void code_compiled_later_replaces_older_code(void **state)
{
	struct perf_map *map = parse("1000 100 old\n"
				     "1080 100 new\n"
				     "1000 10 stub\n");

	(void)state;
	assert_name(map, 0x1000, "stub");
	assert_name(map, 0x1010, "old");
	assert_name(map, 0x1080, "new");
	perf_map_close(map);
}

static void garbage_lines_are_counted_and_skipped(void **state)
{
	struct perf_map *map = parse("\n"
				     "what is this\n"
				     "1000 40\n"
				     "1000 40 \n"
				     "-1000 40 f\n"
				     "1000 ffffffffffffffff0 f\n"
				     "1000 40 kept\n");

	(void)state;
	assert_name(map, 0x1000, "kept");
	perf_map_close(map);
}

static void empty_map_names_nothing(void **state)
{
	struct perf_map *map = parse("");

	(void)state;
	assert_name(map, 0, "nothing");
	perf_map_close(map);
}

static void write_text(const char *path, const char *text)
{
	FILE *file = fopen(path, "w");

	assert_non_null(file);
	fputs(text, file);
	fclose(file);
}

/* Uses symfs, so that no map of another process interferes. */
static void map_is_found_under_symfs_by_pid(void **state)
{
	struct temp_tree tree;
	struct perf_map *map;
	struct error err;

	(void)state;
	temp_tree_create(&tree);
	assert_null(perf_map_open(4711, tree.root, 0, &err));
	assert_non_null(strstr(err.message, "/tmp/perf-4711.map does not exist"));
	temp_tree_file(&tree, "tmp/perf-4711.map", "1000 10 f\n");
	map = perf_map_open(4711, tree.root, 0, &err);
	assert_non_null(map);
	assert_name(map, 0x1000, "f");
	perf_map_close(map);
	temp_tree_remove(&tree);
}

static void map_of_a_living_process_is_found_in_its_own_tmp(void **state)
{
	char path[64];
	struct perf_map *map;

	(void)state;
	snprintf(path, sizeof(path), "/tmp/perf-%d.map", (int)getpid());
	write_text(path, "1000 10 own\n");
	map = perf_map_open((uint32_t)getpid(), "", 0, NULL);
	unlink(path);
	assert_non_null(map);
	assert_name(map, 0x1000, "own");
	snprintf(path, sizeof(path), "/proc/%d/root/tmp/perf-%d.map", (int)getpid(), (int)getpid());
	assert_string_equal(perf_map_path(map), path);
	perf_map_close(map);
}

static void map_of_another_user_is_refused(void **state)
{
	char path[] = "/tmp/perf_map_test.XXXXXX";
	struct error err;
	char expected[256];
	struct perf_map *map;
	int fd;

	(void)state;
	if (geteuid() != 0) {
		print_message("skipped: only root can make files of other users\n");
		skip();
	}
	fd = mkstemp(path);
	assert_int_equal(fchown(fd, 4242, 4242), 0);
	close(fd);
	assert_null(perf_map_open_path(path, geteuid(), &err));
	snprintf(
		expected, sizeof(expected),
		"%s belongs to user 4242, neither to you nor to root: run xprof as that user, or 'chown' the file",
		path);
	assert_string_equal(err.message, expected);
	map = perf_map_open_path(path, 4242, &err); /* trusts the process's own user */
	assert_non_null(map);
	perf_map_close(map);
	unlink(path);
}

/* The pid of a process that has ended. */
static uint32_t ended_pid(void)
{
	pid_t child = fork();

	if (child == 0)
		_exit(0);
	assert_true(child > 0);
	assert_int_equal(waitpid(child, NULL, 0), child);
	return (uint32_t)child;
}

static void assert_believed(uint32_t pid, int64_t modified_s, int64_t recorded_until_s, bool expected)
{
	const struct timespec times[2] = { { .tv_sec = modified_s }, { .tv_sec = modified_s } };
	struct perf_map *map;
	struct error err;
	char path[64];

	snprintf(path, sizeof(path), "/tmp/perf-%u.map", pid);
	write_text(path, "1000 10 f\n");
	assert_int_equal(utimensat(AT_FDCWD, path, times, 0), 0);
	map = perf_map_open(pid, "", recorded_until_s, &err);
	unlink(path);
	assert_int_equal(map != NULL, expected);
	if (!map)
		assert_non_null(strstr(err.message, "is newer than the recording and its process has ended"));
	perf_map_close(map);
}

static void map_that_was_written_after_the_recording_is_not_that_of_a_process_that_is_gone(void **state)
{
	const int64_t now_s = time(NULL);

	(void)state;
	assert_believed(ended_pid(), now_s - 100, now_s - 50, true);
	assert_believed(ended_pid(), now_s - 10, now_s - 50, false);
	assert_believed(ended_pid(), now_s - 10, 0, true); /* unknown when the recording ended */
}

static void map_of_a_process_that_goes_on_may_be_younger_than_the_recording(void **state)
{
	const int64_t now_s = time(NULL);

	(void)state;
	/* This process began before the first of the two recordings ended, and after the second one ended. */
	assert_believed((uint32_t)getpid(), now_s + 100, now_s + 50, true);
	assert_believed((uint32_t)getpid(), now_s, 1000, false);
}

static void long_lines_are_cut(void **state)
{
	enum { NAME_BYTES = 200 * 1000 };
	char *text = xmalloc(NAME_BYTES + 100);
	struct perf_map *map;
	size_t size = 0;

	(void)state;
	size += (size_t)sprintf(text, "1000 10 ");
	memset(text + size, 'a', NAME_BYTES);
	size += NAME_BYTES;
	size += (size_t)sprintf(text + size, "\n2000 10 behind\n");
	map = perf_map_from_text(text, size, "test");
	assert_int_equal(strlen(symbol_map_find(perf_map_symbols(map), 0x1000)->name),
			 64 * 1024 - strlen("1000 10 "));
	assert_name(map, 0x2000, "behind");
	perf_map_close(map);
	free(text);
}

/* A damaged file, mostly a hole. */
static void line_of_400_mb_takes_no_memory(void **state)
{
	enum { HOLE_BYTES = 400 << 20, MOST_KB = 64 << 10 };
	char path[] = "/tmp/perf_map_test.XXXXXX";
	struct rusage before, after;
	struct perf_map *map;
	FILE *file = fdopen(mkstemp(path), "w");

	(void)state;
	fputs("1000 10 f", file);
	assert_int_equal(fseek(file, HOLE_BYTES, SEEK_CUR), 0);
	fputs("\n2000 10 behind\n", file);
	fclose(file);
	getrusage(RUSAGE_SELF, &before);
	map = perf_map_open_path(path, geteuid(), NULL);
	getrusage(RUSAGE_SELF, &after);
	unlink(path);
	assert_non_null(map);
	assert_name(map, 0x1000, "f");
	assert_name(map, 0x2000, "behind");
	assert_true(after.ru_maxrss - before.ru_maxrss < MOST_KB);
	perf_map_close(map);
}

static void what_is_no_regular_file_is_refused(void **state)
{
	struct error err;

	(void)state;
	assert_null(perf_map_open_path("/dev/zero", geteuid(), &err));
	assert_string_equal(err.message, "/dev/zero is not a regular file");
	assert_null(perf_map_open_path("/tmp", geteuid(), &err));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(names_are_the_rest_of_the_line),
		cmocka_unit_test(code_compiled_later_replaces_older_code),
		cmocka_unit_test(garbage_lines_are_counted_and_skipped),
		cmocka_unit_test(empty_map_names_nothing),
		cmocka_unit_test(map_is_found_under_symfs_by_pid),
		cmocka_unit_test(map_of_a_living_process_is_found_in_its_own_tmp),
		cmocka_unit_test(map_of_another_user_is_refused),
		cmocka_unit_test(
			map_that_was_written_after_the_recording_is_not_that_of_a_process_that_is_gone),
		cmocka_unit_test(map_of_a_process_that_goes_on_may_be_younger_than_the_recording),
		cmocka_unit_test(long_lines_are_cut),
		cmocka_unit_test(line_of_400_mb_takes_no_memory),
		cmocka_unit_test(what_is_no_regular_file_is_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
