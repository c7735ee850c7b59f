#include "symbol/jitdump.h"

#include <elf.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "support/cmocka.h"
#include "support/jitdump_builder.h"
#include "support/temp_tree.h"

enum { CODE = 0x7f0000001000 };

static struct jitdump_builder builder;
static struct jitdump *dump; /* read from what the builder made */

static int set_up(void **state)
{
	(void)state;
	jitdump_builder_init(&builder, 7, EM_X86_64, false, 0);
	dump = NULL;
	return 0;
}

static int tear_down(void **state)
{
	(void)state;
	jitdump_close(dump);
	jitdump_builder_fini(&builder);
	return 0;
}

static uint64_t load(uint64_t time_ns, uint64_t address, const char *name, size_t size)
{
	static const uint8_t code[64] = { 0x90 };

	return jitdump_builder_load(&builder, &(struct built_code){ time_ns, address, name, code, size });
}

static void read_dump(void)
{
	struct error err;

	dump = jitdump_from_bytes(builder.bytes.bytes, builder.bytes.size, "test", &err);
	assert_non_null(dump);
}

static void assert_code(uint64_t file_offset, const char *name)
{
	const struct jit_code *code = jitdump_find(dump, file_offset);

	assert_string_equal(code ? code->name : "nothing", name);
}

static void code_has_a_name_and_a_place_in_the_file(void **state)
{
	const struct jit_code *code;

	(void)state;
	load(10, CODE, "JS:*sum app.js:12", 32);
	load(20, CODE + 64, "other", 16);
	read_dump();
	assert_int_equal(jitdump_elf_machine(dump), EM_X86_64);
	assert_false(jitdump_has_own_clock(dump));
	assert_int_equal(jitdump_code_count(dump), 2);
	code = jitdump_code(dump, 0);
	assert_string_equal(code->name, "JS:*sum app.js:12");
	assert_int_equal(code->size, 32);
	assert_int_equal(code->address, CODE);
	assert_ptr_equal(code->instructions, builder.bytes.bytes + code->file_offset);
	assert_int_equal(code->instructions[0], 0x90);
	assert_code(code->file_offset, "JS:*sum app.js:12");
	assert_code(code->file_offset + 31, "JS:*sum app.js:12");
	assert_code(code->file_offset + 32, "nothing");
	assert_code(code->file_offset - 1, "nothing");
	assert_code(jitdump_code(dump, 1)->file_offset + 15, "other");
	assert_int_equal(jitdump_bad_record_count(dump), 0);
}

static void both_byte_orders_are_read(void **state)
{
	(void)state;
	jitdump_builder_fini(&builder);
	jitdump_builder_init(&builder, 7, EM_AARCH64, true, JITDUMP_ARCH_TIMESTAMP);
	load(10, CODE, "f", 32);
	read_dump();
	assert_true(jitdump_swap(dump));
	assert_true(jitdump_has_own_clock(dump));
	assert_int_equal(jitdump_elf_machine(dump), EM_AARCH64);
	assert_int_equal(jitdump_code(dump, 0)->address, CODE);
	assert_int_equal(jitdump_placement(dump, 0)->time_ns, 10);
}

static void assert_placement(size_t number, uint64_t time_ns, uint64_t address, uint32_t code)
{
	const struct jit_placement *placement = jitdump_placement(dump, number);

	assert_int_equal(placement->time_ns, time_ns);
	assert_int_equal(placement->address, address);
	assert_int_equal(placement->code, code);
}

static void code_that_moves_is_the_same_code_elsewhere(void **state)
{
	uint64_t index;

	(void)state;
	load(10, CODE, "first", 32);
	index = load(20, CODE + 64, "second", 16);
	jitdump_builder_move(&builder, 30, CODE + 64, CODE + 512, 16, index);
	read_dump();
	assert_int_equal(jitdump_code_count(dump), 2);
	assert_int_equal(jitdump_placement_count(dump), 3);
	assert_placement(0, 10, CODE, 0);
	assert_placement(1, 20, CODE + 64, 1);
	assert_placement(2, 30, CODE + 512, 1);
}

static void a_move_of_unknown_code_is_skipped(void **state)
{
	uint64_t index;

	(void)state;
	index = load(10, CODE, "first", 32);
	jitdump_builder_move(&builder, 30, CODE, CODE + 512, 32, index + 1);
	jitdump_builder_move(&builder, 30, CODE, CODE + 512, 31, index); /* another size */
	jitdump_builder_move(&builder, 30, CODE, UINT64_MAX - 3, 32, index);
	load(40, CODE, "last", 32);
	read_dump();
	assert_int_equal(jitdump_placement_count(dump), 2);
	assert_int_equal(jitdump_bad_record_count(dump), 3);
}

static void a_number_that_is_used_again_means_the_later_code(void **state)
{
	(void)state;
	load(10, CODE, "first", 32);
	builder.next_index = 0;
	load(20, CODE + 64, "second", 32);
	jitdump_builder_move(&builder, 30, CODE + 64, CODE + 512, 32, 0);
	read_dump();
	assert_placement(2, 30, CODE + 512, 1);
}

static void unwinding_information_belongs_to_the_next_code(void **state)
{
	const struct jit_code *code;

	(void)state;
	jitdump_builder_unwinding(&builder, "eh_frame hdr", 12, 4);
	load(10, CODE, "f", 32);
	load(20, CODE + 64, "g", 32);
	read_dump();
	code = jitdump_code(dump, 0);
	assert_int_equal(code->eh_frame.size, 8);
	assert_memory_equal(code->eh_frame.at, "eh_frame", 8);
	assert_int_equal(code->eh_frame_hdr.size, 4);
	assert_memory_equal(code->eh_frame_hdr.at, " hdr", 4);
	assert_int_equal(jitdump_code(dump, 1)->eh_frame.size, 0);
}

static void assert_line(size_t code, uint64_t offset, const char *file, uint32_t number)
{
	struct jit_line line = { .file = "nothing" };

	assert_int_equal(jitdump_line(dump, jitdump_code(dump, code), offset, &line), file ? 1 : 0);
	if (!file)
		return;
	assert_string_equal(line.file, file);
	assert_int_equal(line.line, number);
	assert_int_equal(line.discriminator, 3);
}

static void lines_hold_until_the_next_one(void **state)
{
	(void)state;
	jitdump_builder_lines(&builder, CODE, 3);
	jitdump_builder_line(&builder, CODE + 4, 12, "app.js");
	jitdump_builder_line(&builder, CODE + 8, 13, "\xff"); /* the same file as before */
	jitdump_builder_line(&builder, CODE + 16, 1, "lib.js");
	jitdump_builder_lines_end(&builder);
	load(10, CODE, "f", 32);
	load(10, CODE + 64, "g", 32);
	read_dump();
	assert_line(0, 3, NULL, 0);
	assert_line(0, 4, "app.js", 12);
	assert_line(0, 15, "app.js", 13);
	assert_line(0, 31, "lib.js", 1);
	assert_line(1, 0, NULL, 0);
}

static void v8_counts_addresses_of_lines_from_behind_an_elf_header(void **state)
{
	(void)state;
	jitdump_builder_fini(&builder);
	jitdump_builder_init(&builder, 7, EM_X86_64, false, JITDUMP_OF_V8);
	jitdump_builder_lines(&builder, CODE, 1);
	jitdump_builder_line(&builder, CODE + 0x44, 12, "app.js");
	jitdump_builder_lines_end(&builder);
	load(10, CODE, "f", 32);
	read_dump();
	assert_line(0, 3, NULL, 0);
	assert_line(0, 4, "app.js", 12);
}

static void lines_of_other_code_are_not_taken(void **state)
{
	(void)state;
	jitdump_builder_lines(&builder, CODE + 64, 1);
	jitdump_builder_line(&builder, CODE + 64, 12, "app.js");
	jitdump_builder_lines_end(&builder);
	load(10, CODE, "f", 32);
	read_dump();
	assert_line(0, 0, NULL, 0);
}

static void what_lies_behind_the_end_is_not_read(void **state)
{
	(void)state;
	load(10, CODE, "f", 32);
	jitdump_builder_close(&builder);
	load(20, CODE + 64, "g", 32);
	read_dump();
	assert_int_equal(jitdump_code_count(dump), 1);
	assert_int_equal(jitdump_bad_record_count(dump), 0);
}

static void records_of_later_versions_are_stepped_over(void **state)
{
	(void)state;
	jitdump_builder_record(&builder, 77, 24);
	load(10, CODE, "f", 32);
	read_dump();
	assert_int_equal(jitdump_code_count(dump), 1);
	assert_int_equal(jitdump_bad_record_count(dump), 0);
}

static void a_file_that_is_cut_off_anywhere_keeps_what_is_whole(void **state)
{
	size_t first_end;

	(void)state;
	jitdump_builder_unwinding(&builder, "eh_frame hdr", 12, 4);
	load(10, CODE, "f", 32);
	first_end = builder.bytes.size;
	load(20, CODE + 64, "g", 32);
	for (size_t size = 0; size < builder.bytes.size; size++) {
		struct error err;
		struct jitdump *cut = jitdump_from_bytes(builder.bytes.bytes, size, "test", &err);

		if (size < 40) {
			assert_null(cut);
			continue;
		}
		assert_int_equal(jitdump_code_count(cut), size >= first_end);
		if (size == first_end)
			assert_int_equal(jitdump_bad_record_count(cut), 0);
		else if (size > first_end)
			assert_int_equal(jitdump_bad_record_count(cut), 1);
		jitdump_close(cut);
	}
}

static void absurd_sizes_are_counted_and_skipped(void **state)
{
	size_t at = builder.bytes.size;

	(void)state;
	load(10, CODE, "f", 32);
	memset(builder.bytes.bytes + at + 16 + 24, 0xff, 8); /* size of the code */
	load(20, UINT64_MAX - 8, "wraps", 32);
	jitdump_builder_unwinding(&builder, "eh_frame hdr", 12, 13);
	jitdump_builder_lines(&builder, CODE, UINT64_MAX);
	jitdump_builder_lines_end(&builder);
	load(30, CODE, "empty", 0);
	load(40, CODE, "good", 32);
	read_dump();
	assert_int_equal(jitdump_code_count(dump), 1);
	assert_string_equal(jitdump_code(dump, 0)->name, "good");
	assert_int_equal(jitdump_code(dump, 0)->eh_frame.size, 0);
	assert_int_equal(jitdump_bad_record_count(dump), 4);
}

static void other_files_and_versions_are_refused(void **state)
{
	struct error err;

	(void)state;
	assert_null(jitdump_from_bytes("\177ELF and more bytes than a header of a jitdump file", 48, "x.so",
				       &err));
	assert_string_equal(err.message, "x.so is not a jitdump file");
	builder.bytes.bytes[4] = 2;
	assert_null(jitdump_from_bytes(builder.bytes.bytes, builder.bytes.size, "jit-1.dump", &err));
	assert_string_equal(err.message, "jit-1.dump has jitdump version 2, but only 1 is supported");
}

static void files_are_known_by_their_names(void **state)
{
	(void)state;
	assert_true(jitdump_is_path("/tmp/jit-1234.dump"));
	assert_true(jitdump_is_path("/root/.debug/jit/x/jit-1.dump"));
	assert_false(jitdump_is_path("/tmp/jit-1234.dump.old"));
	assert_false(jitdump_is_path("/tmp/jit-.dump"));
	assert_false(jitdump_is_path("/tmp/perf-1.map"));
	assert_false(jitdump_is_path("jit-1.dump"));
}

/* Writes the finished file into a tree of its own; `path` receives its path. */
static void write_dump(struct temp_tree *tree, const char *name, char *path, size_t size)
{
	temp_tree_create(tree);
	temp_tree_bytes(tree, name, builder.bytes.bytes, builder.bytes.size);
	snprintf(path, size, "%s/%s", tree->root, name);
}

static void a_file_is_opened_below_symfs(void **state)
{
	struct temp_tree tree;
	struct error err;
	char path[256];

	(void)state;
	load(10, CODE, "f", 32);
	write_dump(&tree, "tmp/jit-7.dump", path, sizeof(path));
	dump = jitdump_open("/tmp/jit-7.dump", 7, tree.root, &err);
	assert_non_null(dump);
	assert_string_equal(jitdump_path(dump), path);
	assert_int_equal(jitdump_code_count(dump), 1);
	assert_null(jitdump_open("/tmp/jit-8.dump", 8, tree.root, &err));
	temp_tree_remove(&tree);
}

static void a_file_that_somebody_makes_shorter_is_no_crash(void **state)
{
	struct temp_tree tree;
	struct error err;
	char path[256];

	(void)state;
	load(10, CODE, "f", 32);
	write_dump(&tree, "jit-7.dump", path, sizeof(path));
	dump = jitdump_open("/jit-7.dump", 7, tree.root, &err);
	assert_non_null(dump);
	assert_int_equal(truncate(path, 0), 0);
	assert_string_equal(jitdump_code(dump, 0)->name, "");
	temp_tree_remove(&tree);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(code_has_a_name_and_a_place_in_the_file),
		TEST(both_byte_orders_are_read),
		TEST(code_that_moves_is_the_same_code_elsewhere),
		TEST(a_move_of_unknown_code_is_skipped),
		TEST(a_number_that_is_used_again_means_the_later_code),
		TEST(unwinding_information_belongs_to_the_next_code),
		TEST(lines_hold_until_the_next_one),
		TEST(v8_counts_addresses_of_lines_from_behind_an_elf_header),
		TEST(lines_of_other_code_are_not_taken),
		TEST(what_lies_behind_the_end_is_not_read),
		TEST(records_of_later_versions_are_stepped_over),
		TEST(a_file_that_is_cut_off_anywhere_keeps_what_is_whole),
		TEST(absurd_sizes_are_counted_and_skipped),
		TEST(other_files_and_versions_are_refused),
		TEST(files_are_known_by_their_names),
		TEST(a_file_is_opened_below_symfs),
		TEST(a_file_that_somebody_makes_shorter_is_no_crash),
	};

	return cmocka_run_group_tests_name("symbol/jitdump", tests, NULL, NULL);
}
