#include "symbol/recorded_file.h"

#include <elf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "support/cmocka.h"
#include "support/elf_builder.h"
#include "support/temp_tree.h"

static struct temp_tree tree;
static const char *const no_dirs[] = { NULL };

static int set_up(void **state)
{
	(void)state;
	temp_tree_create(&tree);
	return setenv("HOME", tree.root, 1);
}

static int tear_down(void **state)
{
	(void)state;
	temp_tree_remove(&tree);
	return 0;
}

/* Writes an ELF file with that build-id to a path of the tree. */
static void write_elf(const char *path, const uint8_t build_id[static 2])
{
	struct elf_builder builder;

	elf_builder_init(&builder, true, false, ET_DYN, EM_X86_64);
	elf_builder_section(&builder, ".text", SHT_PROGBITS, SHF_ALLOC | SHF_EXECINSTR, 0x1000, "code", 4);
	elf_builder_build_id(&builder, build_id, 2);
	elf_builder_write(&builder, &tree, path);
}

static const uint8_t recorded_id[] = { 0xab, 0xcd }, other_id[] = { 0xab, 0xce };
static const struct recorded_file recorded = { .path = "/bin/program",
					       .build_id = { .bytes = { 0xab, 0xcd }, .size = 2 } };

/* The path, within the tree, of the file that is opened for `recorded`; "" if none is. */
static const char *opened(struct error *err)
{
	const struct debug_file_search search = { .symfs = tree.root, .debug_dirs = no_dirs };
	struct elf_file *file = recorded_file_open(&recorded, &search, err);
	static char path[256];

	snprintf(path, sizeof(path), "%s", file ? elf_file_path(file) + strlen(tree.root) : "");
	elf_file_close(file);
	return path;
}

static void what_lies_at_the_path_below_symfs_comes_first(void **state)
{
	struct error err = { 0 };

	(void)state;
	write_elf("bin/program", recorded_id);
	write_elf(".debug/.build-id/ab/cd/elf", recorded_id);
	assert_string_equal(opened(&err), "/bin/program");
}

static void a_replaced_file_is_taken_from_perfs_cache(void **state)
{
	struct error err = { 0 };

	(void)state;
	write_elf("bin/program", other_id);
	write_elf(".debug/.build-id/ab/cd/elf", recorded_id);
	assert_string_equal(opened(&err), "/.debug/.build-id/ab/cd/elf");
}

static void a_wrong_file_in_the_cache_is_not_taken(void **state)
{
	struct error err = { 0 };

	(void)state;
	write_elf("bin/program", other_id);
	write_elf(".debug/.build-id/ab/cd/elf", other_id);
	assert_string_equal(opened(&err), "");
	assert_string_equal(err.message,
			    "build-id of /bin/program is abce, the recording has abcd: the file was "
			    "replaced after the recording");
}

static void a_file_that_is_gone_is_taken_from_where_it_was_downloaded_to(void **state)
{
	char cache[256];
	const struct debug_file_search search = { .symfs = tree.root,
						  .debug_dirs = no_dirs,
						  .debuginfod_cache = cache };
	struct elf_file *file;

	(void)state;
	snprintf(cache, sizeof(cache), "%s/downloads", tree.root);
	write_elf("downloads/abcd/debuginfo", recorded_id);
	assert_false(recorded_file_has_binary(&recorded, &search));
	write_elf("downloads/abcd/executable", recorded_id);
	assert_true(recorded_file_has_binary(&recorded, &search));
	file = recorded_file_open(&recorded, &search, NULL);
	assert_string_equal(elf_file_path(file) + strlen(cache), "/abcd/executable");
	elf_file_close(file);
}

/* With symfs the user says where files are; without it, paths are those of this machine. */
static void without_a_build_id_a_file_of_another_machine_is_not_believed(void **state)
{
	struct debug_file_search search = { .debug_dirs = no_dirs };
	struct recorded_file unknown = { .path = NULL };
	struct error err = { 0 };
	struct elf_file *file;
	char path[256];

	(void)state;
	write_elf("bin/program", recorded_id);
	snprintf(path, sizeof(path), "%s/bin/program", tree.root);
	unknown.path = path;
	file = recorded_file_open(&unknown, &search, &err);
	assert_non_null(file);
	elf_file_close(file);
	assert_int_equal(recorded_file_state(&unknown, &search), RECORDED_FILE_PRESENT);

	search.is_of_other_host = true;
	assert_null(recorded_file_open(&unknown, &search, &err));
	assert_non_null(strstr(err.message, "recorded on another machine without a build-id"));
	assert_int_equal(recorded_file_state(&unknown, &search), RECORDED_FILE_UNPROVED);
	unknown.is_vdso = true;
	assert_null(recorded_file_open(&unknown, &search, &err));
	unknown.is_vdso = false;
	unknown.build_id = recorded.build_id;
	file = recorded_file_open(&unknown, &search, &err);
	assert_non_null(file);
	elf_file_close(file);
	assert_int_equal(recorded_file_state(&unknown, &search), RECORDED_FILE_PRESENT);
}

static void the_state_of_a_file_is_what_lies_at_its_path(void **state)
{
	const struct debug_file_search search = { .symfs = tree.root, .debug_dirs = no_dirs };

	(void)state;
	assert_int_equal(recorded_file_state(&recorded, &search), RECORDED_FILE_GONE);
	write_elf("bin/program", other_id);
	assert_int_equal(recorded_file_state(&recorded, &search), RECORDED_FILE_REPLACED);
	write_elf("bin/program", recorded_id);
	assert_int_equal(recorded_file_state(&recorded, &search), RECORDED_FILE_PRESENT);
	temp_tree_file(&tree, "bin/program", "no ELF file, and long enough for a header");
	assert_int_equal(recorded_file_state(&recorded, &search), RECORDED_FILE_UNREADABLE);
}

/* The section table is at the end of the file. */
static void a_file_without_its_end_is_not_readable(void **state)
{
	const struct debug_file_search search = { .symfs = tree.root, .debug_dirs = no_dirs };
	struct stat st;
	char path[256];

	(void)state;
	write_elf("bin/program", recorded_id);
	snprintf(path, sizeof(path), "%s/bin/program", tree.root);
	assert_int_equal(stat(path, &st), 0);
	assert_int_equal(truncate(path, st.st_size - 1), 0);
	assert_int_equal(recorded_file_state(&recorded, &search), RECORDED_FILE_UNREADABLE);
}

static void a_missing_file_is_an_error_that_names_it(void **state)
{
	struct error err = { 0 };

	(void)state;
	assert_string_equal(opened(&err), "");
	assert_non_null(strstr(err.message, "/bin/program"));
}

static void a_file_that_was_deleted_counts_only_with_the_recorded_build_id(void **state)
{
	const struct debug_file_search search = { .symfs = tree.root, .debug_dirs = no_dirs };
	struct recorded_file deleted = recorded;
	struct elf_file *file;
	struct error err = { 0 };

	(void)state;
	write_elf("bin/program", recorded_id);
	deleted.path = "/bin/program (deleted)";
	file = recorded_file_open(&deleted, &search, &err);
	assert_non_null(file);
	elf_file_close(file);
	deleted.build_id.size = 0;
	assert_null(recorded_file_open(&deleted, &search, &err));
	assert_string_equal(err.message,
			    "/bin/program had been deleted when it was recorded, and its build-id is "
			    "unknown: record with build-ids");
}

static void another_place_is_looked_at_as_it_is(void **state)
{
	struct error err = { 0 };
	char path[256];
	struct elf_file *file;

	(void)state;
	write_elf("vmlinux", recorded_id);
	snprintf(path, sizeof(path), "%s/vmlinux", tree.root);
	file = recorded_file_open_at(&recorded, path, &err);
	assert_non_null(file);
	elf_file_close(file);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(what_lies_at_the_path_below_symfs_comes_first),
		TEST(a_replaced_file_is_taken_from_perfs_cache),
		TEST(a_wrong_file_in_the_cache_is_not_taken),
		TEST(a_file_that_is_gone_is_taken_from_where_it_was_downloaded_to),
		TEST(without_a_build_id_a_file_of_another_machine_is_not_believed),
		TEST(the_state_of_a_file_is_what_lies_at_its_path),
		TEST(a_file_without_its_end_is_not_readable),
		TEST(a_missing_file_is_an_error_that_names_it),
		TEST(a_file_that_was_deleted_counts_only_with_the_recorded_build_id),
		TEST(another_place_is_looked_at_as_it_is),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
