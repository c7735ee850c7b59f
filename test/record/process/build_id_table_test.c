#include "record/process/build_id_table.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "format/perf_file.h"
#include "support/cmocka.h"
#include "support/temp_tree.h"

static const uint8_t old_id[20] = { 1, 2, 3 };
static const uint8_t new_id[20] = { 9, 8, 7 };

/* Writes a file with only this table, and passes its build-ids to check(). */
static void write_and_check(struct build_id_table *table, void (*check)(const struct perf_features *features))
{
	const struct perf_event_attr attr = { .size = sizeof(attr) };
	const struct written_event event = { .attr = &attr, .name = "cycles" };
	struct perf_writer *writer;
	struct perf_file *file;
	struct temp_tree tree;
	char path[128];

	temp_tree_create(&tree);
	snprintf(path, sizeof(path), "%s/perf.data", tree.root);
	writer = perf_writer_over(output_file_create(path, NULL));
	assert_non_null(writer);
	assert_int_equal(perf_writer_begin(writer, &event, 1, NULL), 0);
	build_id_table_write(table, writer);
	assert_int_equal(perf_writer_finish(writer, NULL), 0);
	perf_writer_close(writer);
	file = perf_file_open(path, NULL);
	assert_non_null(file);
	check(perf_file_features(file));
	perf_file_close(file);
	temp_tree_remove(&tree);
}

static void check_two_files(const struct perf_features *features)
{
	assert_int_equal(features->build_id_count, 2);
	assert_string_equal(features->build_ids[0].path, "/no/such/program");
	assert_memory_equal(features->build_ids[0].build_id, new_id, sizeof(new_id));
	assert_int_equal(features->build_ids[0].misc & 7, PERF_RECORD_MISC_USER);
	assert_string_equal(features->build_ids[1].path, "[kernel.kallsyms]");
	assert_int_equal(features->build_ids[1].misc & 7, PERF_RECORD_MISC_KERNEL);
}

static void files_are_listed_once_with_the_build_id_seen_last(void **state)
{
	struct build_id_table *table = build_id_table_create();
	struct build_id kernel = { .size = 20, .bytes = { 5 } };

	(void)state;
	build_id_table_note(table, "/no/such/program", 1, old_id, sizeof(old_id));
	build_id_table_note(table, "/no/such/program", 1, NULL, 0);
	build_id_table_note(table, "/no/such/program", 2, new_id, sizeof(new_id));
	build_id_table_note_kernel(table, "[kernel.kallsyms]", &kernel);
	build_id_table_note(table, "/no/such/file", 1, NULL, 0); /* will never be known */
	write_and_check(table, check_two_files);
	build_id_table_destroy(table);
}

static void check_own_program(const struct perf_features *features)
{
	struct build_id own;

	assert_int_equal(features->build_id_count, 2);
	assert_int_equal(build_id_read_file(&own, "/proc/self/exe", NULL), 0);
	assert_memory_equal(features->build_ids[0].build_id, own.bytes, own.size);
	assert_string_equal(features->build_ids[1].path, "[vdso]");
}

static void what_no_record_said_is_read_from_the_file_and_from_the_own_vdso(void **state)
{
	struct build_id_table *table = build_id_table_create();
	char path[512];
	ssize_t length = readlink("/proc/self/exe", path, sizeof(path) - 1);

	(void)state;
	assert_true(length > 0);
	path[length] = '\0';
	build_id_table_note(table, path, getpid(), NULL, 0);
	build_id_table_note(table, "[vdso]", getpid(), NULL, 0);
	write_and_check(table, check_own_program);
	build_id_table_destroy(table);
}

static void check_nothing(const struct perf_features *features)
{
	assert_int_equal(features->build_id_count, 0);
}

static void code_without_a_file_is_left_out(void **state)
{
	struct build_id_table *table = build_id_table_create();
	static const char *const paths[] = {
		"//anon", "[heap]", "[stack]", "/dev/zero", "/memfd:jit (deleted)", "/SYSV0001"
	};

	(void)state;
	for (size_t i = 0; i < sizeof(paths) / sizeof(paths[0]); i++)
		build_id_table_note(table, paths[i], 1, new_id, sizeof(new_id));
	write_and_check(table, check_nothing);
	build_id_table_destroy(table);
}

/* As a build that runs for long, each time in another directory. */
static void note_many(struct build_id_table *table, unsigned int count, const uint8_t *id)
{
	char path[64];

	for (unsigned int i = 0; i < count; i++) {
		snprintf(path, sizeof(path), "/tmp/build-%u/program", i);
		build_id_table_note(table, path, 1, id, id ? 20 : 0);
		build_id_table_note(table, "/used/always", 1, old_id, sizeof(old_id));
	}
}

static void check_some_thousand_files(const struct perf_features *features)
{
	bool has_used = false;

	assert_in_range(features->build_id_count, 16384, 40000);
	for (size_t i = 0; i < features->build_id_count; i++)
		has_used |= strcmp(features->build_ids[i].path, "/used/always") == 0;
	assert_true(has_used);
}

static void of_millions_of_files_those_mapped_lately_are_kept(void **state)
{
	struct build_id_table *table = build_id_table_create();

	(void)state;
	note_many(table, 1000000, new_id);
	write_and_check(table, check_some_thousand_files);
	build_id_table_destroy(table);
}

static void check_both_programs(const struct perf_features *features)
{
	assert_int_equal(features->build_id_count, 2);
	assert_string_equal(features->build_ids[0].path, "/new");
	assert_string_equal(features->build_ids[1].path, "[kernel.kallsyms]");
}

static void the_next_file_has_only_files_that_were_noted_again(void **state)
{
	struct build_id_table *table = build_id_table_create();
	const struct build_id kernel = { .size = 20, .bytes = { 5 } };

	(void)state;
	build_id_table_note(table, "/old", 1, old_id, sizeof(old_id));
	build_id_table_note(table, "/new", 1, old_id, sizeof(old_id));
	build_id_table_note_kernel(table, "[kernel.kallsyms]", &kernel);
	build_id_table_begin_file(table);
	build_id_table_note(table, "/new", 1, NULL, 0);
	build_id_table_note_kernel(table, "[kernel.kallsyms]", &kernel);
	build_id_table_forget_older(table, 0);
	write_and_check(table, check_both_programs);
	build_id_table_begin_file(table);
	build_id_table_forget_older(table, 1);
	write_and_check(table, check_both_programs);
	build_id_table_destroy(table);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(of_millions_of_files_those_mapped_lately_are_kept),
		cmocka_unit_test(the_next_file_has_only_files_that_were_noted_again),
		cmocka_unit_test(files_are_listed_once_with_the_build_id_seen_last),
		cmocka_unit_test(what_no_record_said_is_read_from_the_file_and_from_the_own_vdso),
		cmocka_unit_test(code_without_a_file_is_left_out),
	};

	return cmocka_run_group_tests_name("record/process/build_id_table", tests, NULL, NULL);
}
