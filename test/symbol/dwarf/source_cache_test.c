#include "symbol/dwarf/source_cache.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/xalloc.h"
#include "support/cmocka.h"

static const struct build_id id = { .bytes = { 0xab, 0xcd }, .size = 2 };

struct fixture {
	char directory[64];
	char *debug_path, *cache_path;
	struct source_cache_key key;
	struct source_answers answers;
};

static void write_text(const char *path, const char *text)
{
	FILE *file = fopen(path, "we");

	assert_non_null(file);
	fputs(text, file);
	assert_int_equal(fclose(file), 0);
}

/* One address with two frames, and one without an answer. */
static int make_fixture(void **state)
{
	struct fixture *fixture = xcalloc(1, sizeof(*fixture));
	struct unit_frame frames[2];

	strcpy(fixture->directory, "/tmp/xprof-cache.XXXXXX");
	assert_non_null(mkdtemp(fixture->directory));
	fixture->debug_path = xasprintf("%s/debug", fixture->directory);
	fixture->cache_path = xasprintf("%s/abcd.source", fixture->directory);
	write_text(fixture->debug_path, "debug information");
	fixture->key = (struct source_cache_key){ fixture->directory, &id, fixture->debug_path };
	source_answers_init(&fixture->answers);
	frames[0] = (struct unit_frame){ str_pool_add(fixture->answers.texts, "inner"),
					 str_pool_add(fixture->answers.texts, "a.h"), 3 };
	frames[1] = (struct unit_frame){ str_pool_add(fixture->answers.texts, "outer"), 0, 7 };
	source_answers_add(&fixture->answers, 0x1000, frames, 2);
	source_answers_add(&fixture->answers, 0x2000, NULL, 0);
	source_cache_save(&fixture->key, &fixture->answers);
	*state = fixture;
	return 0;
}

static int remove_fixture(void **state)
{
	struct fixture *fixture = *state;

	source_answers_fini(&fixture->answers);
	(void)unlink(fixture->cache_path);
	(void)unlink(fixture->debug_path);
	assert_int_equal(rmdir(fixture->directory), 0);
	free(fixture->debug_path);
	free(fixture->cache_path);
	free(fixture);
	return 0;
}

static int load(struct fixture *fixture)
{
	struct source_answers answers;
	int status;

	source_answers_init(&answers);
	status = source_cache_load(&fixture->key, &answers);
	source_answers_fini(&answers);
	return status;
}

static void what_was_saved_comes_back(void **state)
{
	struct fixture *fixture = *state;
	struct source_answers answers;

	source_answers_init(&answers);
	assert_int_equal(source_cache_load(&fixture->key, &answers), 1);
	assert_int_equal(answers.place_count, 2);
	assert_int_equal(answers.places[0].vaddr, 0x1000);
	assert_int_equal(answers.places[0].frame_count, 2);
	assert_int_equal(answers.places[1].vaddr, 0x2000);
	assert_int_equal(answers.places[1].frame_count, 0);
	assert_string_equal(str_pool_text(answers.texts, answers.frames[0].function), "inner");
	assert_string_equal(str_pool_text(answers.texts, answers.frames[0].file), "a.h");
	assert_int_equal(answers.frames[0].line, 3);
	assert_string_equal(str_pool_text(answers.texts, answers.frames[1].function), "outer");
	assert_int_equal(answers.frames[1].file, 0);
	source_answers_fini(&answers);
}

static void another_debug_file_makes_it_worthless(void **state)
{
	struct fixture *fixture = *state;

	write_text(fixture->debug_path, "other debug information");
	assert_int_equal(load(fixture), 0);
}

static void a_file_that_others_can_write_to_is_not_believed(void **state)
{
	struct fixture *fixture = *state;

	assert_int_equal(chmod(fixture->cache_path, 0666), 0);
	assert_int_equal(load(fixture), 0);
}

static void a_link_is_not_believed(void **state)
{
	struct fixture *fixture = *state;
	char *real = xasprintf("%s.real", fixture->cache_path);

	assert_int_equal(rename(fixture->cache_path, real), 0);
	assert_int_equal(symlink(real, fixture->cache_path), 0);
	assert_int_equal(load(fixture), 0);
	assert_int_equal(unlink(real), 0);
	free(real);
}

static void damage_and_missing_ends_are_noticed(void **state)
{
	struct fixture *fixture = *state;
	uint8_t bytes[4096];
	FILE *file = fopen(fixture->cache_path, "re");
	size_t size = fread(bytes, 1, sizeof(bytes), file);

	assert_int_equal(fclose(file), 0);
	for (size_t at = 0; at < size; at++) {
		file = fopen(fixture->cache_path, "we");
		bytes[at] ^= 0x41;
		fwrite(bytes, 1, size, file);
		bytes[at] ^= 0x41;
		assert_int_equal(fclose(file), 0);
		assert_int_equal(load(fixture), 0);
		assert_int_equal(truncate(fixture->cache_path, (off_t)at), 0);
		assert_int_equal(load(fixture), 0);
	}
}

static void without_a_build_id_nothing_is_kept(void **state)
{
	static const struct build_id none;
	struct fixture *fixture = *state;

	fixture->key.build_id = &none;
	source_cache_save(&fixture->key, &fixture->answers);
	assert_int_equal(load(fixture), 0);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, make_fixture, remove_fixture)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(what_was_saved_comes_back),
		TEST(another_debug_file_makes_it_worthless),
		TEST(a_file_that_others_can_write_to_is_not_believed),
		TEST(a_link_is_not_believed),
		TEST(damage_and_missing_ends_are_noticed),
		TEST(without_a_build_id_nothing_is_kept),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
