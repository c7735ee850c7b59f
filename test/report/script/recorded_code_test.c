#include "report/script/recorded_code.h"

#include "elf/elf_file.h"
#include "support/cmocka.h"

static const struct debug_file_search nowhere = { 0 };

/* This test program, whose code lies where its ELF header says. */
static void code_of_a_file_is_found_at_its_offset(void **state)
{
	const struct dso dso = { .number = 3, .kind = DSO_FILE, .path = "/proc/self/exe" };
	struct recorded_code *code = recorded_code_create(&nowhere);
	struct elf_file *file = elf_file_open(dso.path, NULL);
	struct elf_section text;
	const uint8_t *bytes;
	bool is_64bit;
	size_t size;

	(void)state;
	assert_non_null(file);
	assert_int_equal(elf_file_section(file, ".text", &text, NULL), 1);
	size = recorded_code_at(code, &dso, text.file_offset, &bytes, &is_64bit);
	assert_true(size >= text.size);
	assert_memory_equal(bytes, text.bytes, text.size);
	assert_int_equal(is_64bit, sizeof(void *) == 8);
	assert_int_equal(recorded_code_at(code, &dso, 0, &bytes, &is_64bit), 0); /* the header is no code */
	assert_int_equal(recorded_code_at(code, &dso, UINT64_MAX, &bytes, &is_64bit), 0);
	elf_file_close(file);
	recorded_code_destroy(code);
}

static void what_has_no_file_or_another_one_has_no_code(void **state)
{
	const struct dso kernel = { .number = 0, .kind = DSO_KERNEL, .path = "[kernel.kallsyms]" };
	const struct dso absent = { .number = 1, .kind = DSO_FILE, .path = "/proc/nonexistent" };
	const struct dso other = { .number = 2,
				   .kind = DSO_FILE,
				   .path = "/proc/self/exe",
				   .build_id = { .size = 20, .bytes = { 1, 2, 3 } } };
	struct recorded_code *code = recorded_code_create(&nowhere);
	const uint8_t *bytes;
	bool is_64bit;

	(void)state;
	assert_int_equal(recorded_code_at(code, &kernel, 0x1000, &bytes, &is_64bit), 0);
	assert_int_equal(recorded_code_at(code, &absent, 0x1000, &bytes, &is_64bit), 0);
	assert_int_equal(recorded_code_at(code, &other, 0x1000, &bytes, &is_64bit), 0);
	recorded_code_destroy(code);
	recorded_code_destroy(NULL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(code_of_a_file_is_found_at_its_offset),
		cmocka_unit_test(what_has_no_file_or_another_one_has_no_code),
	};

	return cmocka_run_group_tests_name("report/script/recorded_code", tests, NULL, NULL);
}
