#include "unwind/cfi_excerpt.h"

#include <dwarf.h>
#include <elf.h>

#include "support/cfi_builder.h"
#include "support/cmocka.h"
#include "support/elf_copy.h"
#include "unwind/module.h"

static const uint8_t initial[] = { DW_CFA_def_cfa, 7, 8, DW_CFA_offset + 16, 1 };

enum { FUNCTIONS = 6 };

static struct cfi_builder builder;
static struct module *module;

static int set_up(void **state)
{
	(void)state;
	cfi_builder_init(&builder, EM_X86_64);
	module = NULL;
	return 0;
}

static int tear_down(void **state)
{
	(void)state;
	module_destroy(module);
	cfi_builder_fini(&builder);
	return 0;
}

/* Function number n, of 0x100 bytes, has CFA = rsp + 16 * n throughout; its program has many bytes that do nothing. */
static void add_functions(void)
{
	const uint64_t first = cfi_builder_cie(&builder, initial, sizeof(initial));

	for (unsigned int n = 1; n <= FUNCTIONS; n++) {
		uint8_t program[64] = { DW_CFA_def_cfa_offset, (uint8_t)(16 * n) };

		cfi_builder_fde(&builder, first, CFI_CODE + n * 0x100, CFI_CODE + n * 0x100 + 0x100, program,
				sizeof(program));
	}
}

/* The module of an excerpt with these functions alone. */
static void make(const uint64_t *starts, size_t count)
{
	struct elf_file *file = cfi_builder_file(&builder), *read;
	struct elf_excerpt *excerpt = elf_excerpt_create(file);
	struct elf_excerpt_image image;
	struct error err;

	cfi_excerpt_make(excerpt, NULL, starts, count);
	assert_int_equal(elf_excerpt_finish(excerpt, &image, &err), 0);
	read = elf_copy_open(image.bytes, image.size, "excerpt", &err);
	assert_non_null(read);
	module = module_create(3, read, NULL, &err);
	assert_non_null(module);
	elf_excerpt_destroy(excerpt);
	elf_file_close(file);
}

/* -1: nothing is known. */
static int cfa_offset(unsigned int function)
{
	const struct unwind_rule *rule = module_rule(module, CFI_CODE + function * 0x100 + 8, false);

	return rule->path == PATH_NO_CFI ? -1 : rule->cfa.value;
}

static void assert_second_and_fifth(void)
{
	static const uint64_t starts[] = { CFI_CODE + 0x200, CFI_CODE + 0x500 };

	add_functions();
	make(starts, 2);
	assert_int_equal(cfa_offset(1), -1);
	assert_int_equal(cfa_offset(2), 32);
	assert_int_equal(cfa_offset(3), -1);
	assert_int_equal(cfa_offset(4), -1);
	assert_int_equal(cfa_offset(5), 80);
	assert_int_equal(cfa_offset(6), -1);
}

static void only_what_was_used_is_left_of_eh_frame_and_its_table(void **state)
{
	(void)state;
	assert_second_and_fifth();
}

static void without_a_table_entries_are_still_found_one_by_one(void **state)
{
	(void)state;
	builder.with_hdr = false;
	assert_second_and_fifth();
}

static void so_it_is_in_the_other_byte_order(void **state)
{
	static const uint64_t starts[] = { CFI_CODE + 0x300 };

	(void)state;
	cfi_builder_fini(&builder);
	cfi_builder_init(&builder, EM_AARCH64);
	builder.swap = true;
	builder.with_hdr = false;
	add_functions();
	make(starts, 1);
	assert_int_equal(cfa_offset(2), -1);
	assert_int_equal(cfa_offset(3), 48);
	assert_int_equal(cfa_offset(4), -1);
}

static void debug_frame_is_put_together_anew(void **state)
{
	(void)state;
	builder.is_eh_frame = builder.with_hdr = false;
	builder.augmentation = "";
	assert_second_and_fifth();
}

static void collect(void *context, uint64_t start)
{
	uint64_t *starts = context;

	starts[0]++;
	starts[starts[0]] = start;
}

static void a_module_tells_which_functions_were_looked_up(void **state)
{
	static const uint64_t all[] = { CFI_CODE + 0x100, CFI_CODE + 0x200, CFI_CODE + 0x300,
					CFI_CODE + 0x400, CFI_CODE + 0x500, CFI_CODE + 0x600 };
	uint64_t used[FUNCTIONS + 1] = { 0 };

	(void)state;
	add_functions();
	make(all, FUNCTIONS);
	module_visit_used(module, collect, used);
	assert_int_equal(used[0], 0);
	(void)cfa_offset(4);
	module_visit_used(module, collect, used);
	assert_int_equal(used[0], 1);
	assert_int_equal(used[1], CFI_CODE + 0x400);
}

int main(void)
{
#define TEST(function) cmocka_unit_test_setup_teardown(function, set_up, tear_down)
	const struct CMUnitTest tests[] = {
		TEST(only_what_was_used_is_left_of_eh_frame_and_its_table),
		TEST(without_a_table_entries_are_still_found_one_by_one),
		TEST(so_it_is_in_the_other_byte_order),
		TEST(debug_frame_is_put_together_anew),
		TEST(a_module_tells_which_functions_were_looked_up),
	};

	return cmocka_run_group_tests_name("unwind/cfi_excerpt", tests, NULL, NULL);
}
