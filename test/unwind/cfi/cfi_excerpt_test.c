#include "unwind/cfi/cfi_excerpt.h"

#include <dwarf.h>
#include <elf.h>

#include "support/built_module.h"
#include "support/cmocka.h"
#include "support/elf_copy.h"

enum { FUNCTIONS = 6 };

/* Function number n has 0x100 bytes, CFA = rsp + 16 * n throughout, and a program with many bytes that do nothing. */
static void add_functions(struct built_module *built)
{
	const uint64_t first = cfi_builder_usual_cie(&built->builder);

	for (unsigned int n = 1; n <= FUNCTIONS; n++) {
		uint8_t program[64] = { DW_CFA_def_cfa_offset, (uint8_t)(16 * n) };

		cfi_builder_fde(&built->builder, first, CFI_CODE + n * 0x100, CFI_CODE + n * 0x100 + 0x100,
				program, sizeof(program));
	}
}

/* Makes a module from an excerpt with only these functions. */
static void make(struct built_module *built, const uint64_t *starts, size_t count)
{
	struct elf_file *file = cfi_builder_file(&built->builder), *read;
	struct elf_excerpt *excerpt = elf_excerpt_create(file);
	struct elf_excerpt_image image;
	struct error err;

	cfi_excerpt_make(excerpt, NULL, starts, count);
	assert_int_equal(elf_excerpt_finish(excerpt, &image, &err), 0);
	read = elf_copy_open(image.bytes, image.size, "excerpt", &err);
	assert_non_null(read);
	built->module = module_create(3, read, NULL, &err);
	assert_non_null(built->module);
	elf_excerpt_destroy(excerpt);
	elf_file_close(file);
}

/* The CFA's offset; -1 if unknown. */
static int cfa_offset(struct built_module *built, unsigned int function)
{
	return built_module_cfa_offset(built, CFI_CODE + function * 0x100 + 8, false);
}

static void assert_second_and_fifth(struct built_module *built)
{
	static const uint64_t starts[] = { CFI_CODE + 0x200, CFI_CODE + 0x500 };

	add_functions(built);
	make(built, starts, 2);
	assert_int_equal(cfa_offset(built, 1), -1);
	assert_int_equal(cfa_offset(built, 2), 32);
	assert_int_equal(cfa_offset(built, 3), -1);
	assert_int_equal(cfa_offset(built, 4), -1);
	assert_int_equal(cfa_offset(built, 5), 80);
	assert_int_equal(cfa_offset(built, 6), -1);
}

static void only_what_was_used_is_left_of_eh_frame_and_its_table(void **state)
{
	struct built_module *built = *state;

	assert_second_and_fifth(built);
}

static void without_a_table_entries_are_still_found_one_by_one(void **state)
{
	struct built_module *built = *state;

	built->builder.with_hdr = false;
	assert_second_and_fifth(built);
}

static void so_it_is_in_the_other_byte_order(void **state)
{
	struct built_module *built = *state;
	static const uint64_t starts[] = { CFI_CODE + 0x300 };

	built_module_begin(built, EM_AARCH64);
	built->builder.swap = true;
	built->builder.with_hdr = false;
	add_functions(built);
	make(built, starts, 1);
	assert_int_equal(cfa_offset(built, 2), -1);
	assert_int_equal(cfa_offset(built, 3), 48);
	assert_int_equal(cfa_offset(built, 4), -1);
}

static void debug_frame_is_put_together_anew(void **state)
{
	struct built_module *built = *state;

	built->builder.is_eh_frame = built->builder.with_hdr = false;
	built->builder.augmentation = "";
	assert_second_and_fifth(built);
}

static void collect(void *context, uint64_t start)
{
	uint64_t *starts = context;

	starts[0]++;
	starts[starts[0]] = start;
}

static void a_module_tells_which_functions_were_looked_up(void **state)
{
	struct built_module *built = *state;
	static const uint64_t all[] = { CFI_CODE + 0x100, CFI_CODE + 0x200, CFI_CODE + 0x300,
					CFI_CODE + 0x400, CFI_CODE + 0x500, CFI_CODE + 0x600 };
	uint64_t used[FUNCTIONS + 1] = { 0 };

	add_functions(built);
	make(built, all, FUNCTIONS);
	module_visit_used(built->module, collect, used);
	assert_int_equal(used[0], 0);
	(void)cfa_offset(built, 4);
	module_visit_used(built->module, collect, used);
	assert_int_equal(used[0], 1);
	assert_int_equal(used[1], CFI_CODE + 0x400);
}

int main(void)
{
#define TEST(function) cmocka_unit_test_setup_teardown(function, built_module_set_up, built_module_tear_down)
	const struct CMUnitTest tests[] = {
		TEST(only_what_was_used_is_left_of_eh_frame_and_its_table),
		TEST(without_a_table_entries_are_still_found_one_by_one),
		TEST(so_it_is_in_the_other_byte_order),
		TEST(debug_frame_is_put_together_anew),
		TEST(a_module_tells_which_functions_were_looked_up),
	};

	return cmocka_run_group_tests_name("unwind/cfi/cfi_excerpt", tests, NULL, NULL);
}
