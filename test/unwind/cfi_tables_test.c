#include "unwind/cfi_tables.h"

#include <dwarf.h>
#include <elf.h>
#include <stdlib.h>
#include <string.h>

#include "support/cfi_builder.h"
#include "support/cmocka.h"

/* Function number n has 0x100 bytes from 0x1000 + n * 0x100 on, and CFA = rsp + 16 * n. */
static void add_functions(struct cfi_builder *builder, uint8_t count)
{
	const uint64_t cie = cfi_builder_usual_cie(builder);

	for (uint8_t n = 1; n <= count; n++) {
		const uint8_t program[] = { DW_CFA_def_cfa_offset, (uint8_t)(16 * n) };
		const uint64_t start = 0x1000 + n * 0x100u;

		cfi_builder_fde(builder, cie, start, start + 0x100, program, sizeof(program));
	}
}

struct built_tables {
	struct cfi_builder builder;
	struct rule_pool *pool;
	struct cfi_tables *tables;
};

static int set_up(void **state)
{
	static struct built_tables built;

	cfi_builder_init(&built.builder, EM_X86_64);
	built.pool = rule_pool_create();
	add_functions(&built.builder, 3);
	built.tables = cfi_tables_create(cfi_builder_file(&built.builder), NULL, unwind_arch_find(EM_X86_64),
					 built.pool);
	*state = &built;
	return 0;
}

static int tear_down(void **state)
{
	struct built_tables *built = *state;

	cfi_tables_destroy(built->tables);
	rule_pool_destroy(built->pool);
	cfi_builder_fini(&built->builder);
	return 0;
}

static void a_rule_says_whether_it_goes_on(void **state)
{
	struct built_tables *built = *state;
	const struct unwind_rule *rule;
	bool goes_on = false;

	rule = cfi_tables_find(built->tables, 0x12fe, &goes_on);
	assert_non_null(rule);
	assert_int_equal(rule->cfa.value, 32);
	assert_true(goes_on);
	assert_ptr_equal(cfi_tables_find(built->tables, 0x12ff, &goes_on), rule);
	assert_false(goes_on);
	assert_null(cfi_tables_find(built->tables, 0x1400, &goes_on));
}

static void remember(void *context, uint64_t start)
{
	uint64_t *seen = context;

	*seen = *seen << 16 | start;
}

static void only_what_was_asked_for_is_compiled(void **state)
{
	struct built_tables *built = *state;
	bool goes_on;
	uint64_t seen = 0;

	cfi_tables_visit_used(built->tables, remember, &seen);
	assert_int_equal(seen, 0);
	cfi_tables_find(built->tables, 0x1180, &goes_on);
	cfi_tables_find(built->tables, 0x1190, &goes_on);
	cfi_tables_find(built->tables, 0x1380, &goes_on);
	cfi_tables_visit_used(built->tables, remember, &seen);
	assert_int_equal(seen, 0x11001300);
	assert_int_equal(cfi_tables_count(built->tables).fde_count, 2);
	assert_int_equal(cfi_tables_count(built->tables).row_count, 2);
}

static void add_range(void *context, uint64_t start, uint64_t end, const struct unwind_rule *rule)
{
	uint64_t *sum = context;

	*sum += (end - start) * (uint64_t)rule->cfa.value;
}

static void all_rows_are_those_of_all_functions(void **state)
{
	struct built_tables *built = *state;
	uint64_t sum = 0;

	cfi_tables_visit_rows(built->tables, add_range, &sum);
	assert_int_equal(sum, 0x100 * (16 + 32 + 48));
	assert_int_equal(cfi_tables_count(built->tables).fde_count, 3);
}

static void what_has_been_opened_says_what_it_describes(void **state)
{
	struct built_tables *built = *state;
	const struct code_descriptions described = cfi_tables_described(built->tables);
	struct code_range *ranges;
	bool goes_on;

	assert_int_equal(described.list(described.context, &ranges), 0);
	free(ranges);
	assert_false(described.covers(described.context, 0x1150));
	cfi_tables_find(built->tables, 0x1150, &goes_on);
	assert_int_equal(described.list(described.context, &ranges), 3);
	assert_int_equal(ranges[1].start, 0x1200);
	assert_int_equal(ranges[1].end, 0x1300);
	free(ranges);
	assert_true(described.covers(described.context, 0x13ff));
	assert_false(described.covers(described.context, 0x1400));
}

static void without_a_file_the_bytes_are_copied(void **state)
{
	struct built_tables *built = *state;
	struct cfi_section section = {
		.size = built->builder.frames.size, .vaddr = CFI_FRAME, .is_eh_frame = true, .is_64bit = true
	};
	const struct cfi_hdr none = { .size = 0 };
	uint8_t *bytes = malloc(section.size);
	struct cfi_tables *tables;
	bool goes_on;

	assert_non_null(bytes);
	memcpy(bytes, built->builder.frames.bytes, section.size);
	section.bytes = bytes;
	tables = cfi_tables_create_jit(&section, &none, unwind_arch_find(EM_X86_64), built->pool);
	memset(bytes, 0xff, section.size);
	free(bytes);
	assert_int_equal(cfi_tables_find(tables, 0x1200, &goes_on)->cfa.value, 32);
	assert_null(cfi_tables_files(tables)[CFI_FILE_ITSELF]);
	cfi_tables_destroy(tables);

	section.size = 0;
	tables = cfi_tables_create_jit(&section, &none, unwind_arch_find(EM_X86_64), built->pool);
	assert_null(cfi_tables_find(tables, 0x1200, &goes_on));
	cfi_tables_destroy(tables);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(a_rule_says_whether_it_goes_on, set_up, tear_down),
		cmocka_unit_test_setup_teardown(only_what_was_asked_for_is_compiled, set_up, tear_down),
		cmocka_unit_test_setup_teardown(all_rows_are_those_of_all_functions, set_up, tear_down),
		cmocka_unit_test_setup_teardown(what_has_been_opened_says_what_it_describes, set_up,
						tear_down),
		cmocka_unit_test_setup_teardown(without_a_file_the_bytes_are_copied, set_up, tear_down),
	};

	return cmocka_run_group_tests_name("unwind/cfi_tables", tests, NULL, NULL);
}
