#include "base/cache_file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/xalloc.h"
#include "support/cmocka.h"
#include "support/temp_tree.h"

static const char magic[] = "testing\n", other_magic[] = "testinG\n";

struct fixture {
	struct temp_tree tree;
	char *directory, *path;
};

static void save(struct fixture *fixture, const void *contents, size_t size)
{
	struct strbuf file;

	strbuf_init(&file);
	cache_file_start(&file, magic);
	strbuf_add(&file, contents, size);
	cache_file_save(fixture->directory, "a.source", &file);
	strbuf_fini(&file);
}

static int make_fixture(void **state)
{
	struct fixture *fixture = xcalloc(1, sizeof(*fixture));

	temp_tree_create(&fixture->tree);
	fixture->directory = xasprintf("%s/.cache/xprof", fixture->tree.root);
	fixture->path = xasprintf("%s/a.source", fixture->directory);
	*state = fixture;
	return 0;
}

static int remove_fixture(void **state)
{
	struct fixture *fixture = *state;

	temp_tree_remove(&fixture->tree);
	free(fixture->path);
	free(fixture->directory);
	free(fixture);
	return 0;
}

static void contents_of_any_length_come_back(void **state)
{
	struct fixture *fixture = *state;
	uint8_t contents[100];

	for (size_t i = 0; i < sizeof(contents); i++)
		contents[i] = (uint8_t)(i * 7);
	for (size_t size = 1; size <= sizeof(contents); size++) {
		struct cache_file file;

		save(fixture, contents, size);
		assert_int_equal(cache_file_open(fixture->path, magic, &file), 1);
		assert_int_equal(byte_reader_left(&file.contents), size);
		assert_memory_equal(file.contents.next, contents, size);
		cache_file_close(&file);
		assert_true(cache_file_begins(fixture->path, magic, contents, size));
	}
}

static void another_magic_is_another_file(void **state)
{
	struct fixture *fixture = *state;
	struct cache_file file;

	save(fixture, "abc", 3);
	assert_int_equal(cache_file_open(fixture->path, other_magic, &file), 0);
	assert_false(cache_file_begins(fixture->path, other_magic, "a", 1));
	assert_int_equal(cache_file_open("/proc/nonexistent/a.source", magic, &file), 0);
}

static void it_begins_as_it_does(void **state)
{
	struct fixture *fixture = *state;

	save(fixture, "abc", 3);
	assert_true(cache_file_begins(fixture->path, magic, "", 0));
	assert_true(cache_file_begins(fixture->path, magic, "ab", 2));
	assert_false(cache_file_begins(fixture->path, magic, "ac", 2));
	assert_false(cache_file_begins(fixture->path, magic, "abcd", 4));
	assert_int_equal(chmod(fixture->path, 0620), 0);
	assert_false(cache_file_begins(fixture->path, magic, "ab", 2));
}

static void every_changed_byte_is_noticed(void **state)
{
	struct fixture *fixture = *state;
	char contents[70] = { 0 };
	struct cache_file file;

	for (size_t at = 0; at < sizeof(contents); at++) {
		FILE *stream;

		save(fixture, contents, sizeof(contents));
		stream = fopen(fixture->path, "r+e");
		assert_non_null(stream);
		assert_int_equal(fseek(stream, 16 + (long)at, SEEK_SET), 0);
		assert_int_equal(fputc(1, stream), 1);
		assert_int_equal(fclose(stream), 0);
		assert_int_equal(cache_file_open(fixture->path, magic, &file), 0);
	}
}

static void a_place_that_cannot_be_written_to_is_no_harm(void **state)
{
	struct fixture *fixture = *state;
	struct strbuf file;

	strbuf_init(&file);
	cache_file_start(&file, magic);
	strbuf_adds(&file, "abc");
	cache_file_save("/proc/nonexistent", "a.source", &file);
	strbuf_fini(&file);
	assert_int_not_equal(access(fixture->path, F_OK), 0);
}

static void the_cache_is_made_but_no_home_for_it(void **state)
{
	struct fixture *fixture = *state;
	char *home = xasprintf("%s/home", fixture->tree.root);

	free(fixture->directory);
	fixture->directory = xasprintf("%s/.cache/xprof", home);
	save(fixture, "abc", 3);
	assert_int_not_equal(access(home, F_OK), 0);
	assert_int_equal(mkdir(home, 0700), 0);
	save(fixture, "abc", 3);
	assert_int_equal(access(fixture->directory, F_OK), 0);
	free(home);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, make_fixture, remove_fixture)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(contents_of_any_length_come_back),
		TEST(another_magic_is_another_file),
		TEST(it_begins_as_it_does),
		TEST(every_changed_byte_is_noticed),
		TEST(a_place_that_cannot_be_written_to_is_no_harm),
		TEST(the_cache_is_made_but_no_home_for_it),
	};

	return cmocka_run_group_tests_name("base/cache_file", tests, NULL, NULL);
}
