#include "unwind/code/code_table.h"

#include <elf.h>
#include <stdlib.h>
#include <string.h>

#include "elf/elf_excerpt.h"
#include "support/cmocka.h"
#include "support/elf_builder.h"
#include "support/go_table.h"

enum { CODE = 0x1000, MAX_SYMBOLS = 4 };

/* Each line is push %rbx; pop %rbx; ret, padded to 16 bytes; the last calls the first. */
static const uint8_t code[] = {
	0x53, 0x5b, 0xc3, 0xcc, 0xcc, 0xcc, 0xcc, 0xcc, 0xcc, 0xcc, 0xcc, 0xcc, 0xcc, 0xcc, 0xcc, 0xcc,
	0x53, 0x5b, 0xc3, 0xcc, 0xcc, 0xcc, 0xcc, 0xcc, 0xcc, 0xcc, 0xcc, 0xcc, 0xcc, 0xcc, 0xcc, 0xcc,
	0x53, 0x5b, 0xc3, 0xcc, 0xcc, 0xcc, 0xcc, 0xcc, 0xcc, 0xcc, 0xcc, 0xcc, 0xcc, 0xcc, 0xcc, 0xcc,
	0xe8, 0xcb, 0xff, 0xff, 0xff, 0xc3, 0xcc, 0xcc, 0xcc, 0xcc, 0xcc, 0xcc, 0xcc, 0xcc, 0xcc, 0xcc,
};

struct made {
	struct elf_file *files[2]; /* the second is NULL */
	struct rule_pool *pool;
	struct code_table *table;
	uint64_t described; /* an address that CFI describes */
};

static bool is_described(void *context, uint64_t vaddr)
{
	const struct made *made = context;

	return vaddr == made->described;
}

static size_t list_described(void *context, struct code_range **ranges)
{
	const struct made *made = context;

	*ranges = malloc(sizeof(**ranges));
	if (*ranges)
		**ranges = (struct code_range){ made->described, made->described + 1 };
	return *ranges ? 1 : 0;
}

static void init_with(struct made *made, const struct elf_builder_symbol *symbols, size_t count,
		      const uint8_t *bytes, size_t size)
{
	struct elf_builder elf;

	elf_builder_init(&elf, true, false, ET_DYN, EM_X86_64);
	elf_builder_code_segment(&elf, elf_builder_section(&elf, ".text", SHT_PROGBITS,
							   SHF_ALLOC | SHF_EXECINSTR, CODE, bytes, size));
	if (count)
		elf_builder_symbols(&elf, SHT_SYMTAB, symbols, count);
	made->files[0] = elf_builder_open(&elf, "table");
	made->pool = rule_pool_create();
	made->table = code_table_create(made->files, 2, &unwind_arch_x86_64,
					&(struct code_descriptions){ is_described, list_described, made });
}

static void init(struct made *made, const struct elf_builder_symbol *symbols, size_t count)
{
	init_with(made, symbols, count, code, sizeof(code));
}

static void fini(struct made *made)
{
	code_table_destroy(made->table);
	rule_pool_destroy(made->pool);
	elf_file_close(made->files[0]);
}

/* The distance from the stack pointer up to the CFA; -1 if nothing is known. */
static int cfa_at(const struct made *made, uint64_t vaddr)
{
	const uint32_t number = code_table_find(made->table, made->pool, vaddr);

	return number == RULE_POOL_NO_CFI ? -1 : rule_pool_rule(made->pool, number)->cfa.value;
}

static struct elf_builder_symbol function(const char *name, uint64_t value, uint64_t size)
{
	return (struct elf_builder_symbol){ .name = name,
					    .value = value,
					    .size = size,
					    .info = ELF64_ST_INFO(STB_GLOBAL, STT_FUNC),
					    .section = 1 };
}

static bool has_decoder(void)
{
	struct code_instruction instruction;

	return code_instruction_x86_64((const uint8_t *)"\xc3", 1, &instruction);
}

static void symbols_say_where_functions_are(void **state)
{
	const struct elf_builder_symbol symbols[] = { function("second", CODE + 0x10, 3),
						      function("inside", CODE + 0x11, 1),
						      function("alias", CODE + 0x10, 2) };
	struct made made = { .described = 0 };

	(void)state;
	if (!has_decoder())
		skip();
	init(&made, symbols, 3);
	assert_int_equal(cfa_at(&made, CODE + 0x10), 8);
	assert_int_equal(cfa_at(&made, CODE + 0x11), 16);
	assert_int_equal(cfa_at(&made, CODE + 0x12), 8);
	assert_int_equal(cfa_at(&made, CODE + 0x13), -1);
	assert_int_equal(cfa_at(&made, CODE + 0x20), -1); /* nothing calls it */
	fini(&made);
}

static void what_is_called_needs_no_symbol(void **state)
{
	struct made made = { .described = 0 };

	(void)state;
	if (!has_decoder())
		skip();
	init(&made, NULL, 0);
	assert_int_equal(cfa_at(&made, CODE + 1), 16);
	assert_int_equal(cfa_at(&made, CODE + 2), 8);
	assert_int_equal(cfa_at(&made, CODE + 0x11), -1);
	assert_int_equal(cfa_at(&made, CODE - 1), -1);
	assert_int_equal(cfa_at(&made, CODE + sizeof(code)), -1);
	fini(&made);
}

static void function_ends_where_another_or_a_description_begins(void **state)
{
	const struct elf_builder_symbol symbols[] = { function("endless", CODE + 0x10, 0) };
	struct made made = { .described = CODE + 0x20 };

	(void)state;
	if (!has_decoder())
		skip();
	init(&made, symbols, 1);
	code_table_add_start(made.table, CODE + 0x20); /* described, so ignored */
	assert_int_equal(cfa_at(&made, CODE + 0x11), 16);
	assert_int_equal(cfa_at(&made, CODE + 0x21), -1);
	fini(&made);
}

static void starts_may_be_known_otherwise(void **state)
{
	const struct elf_builder_symbol symbols[] = { function("_init", CODE + 0x20, 1) };
	struct made made = { .described = 0 };

	(void)state;
	if (!has_decoder())
		skip();
	init(&made, symbols, 1);
	code_table_add_start(made.table, CODE + 0x20);
	assert_int_equal(cfa_at(&made, CODE + 0x20), 8);
	assert_int_equal(cfa_at(&made, CODE + 0x21), 16);
	fini(&made);
}

static void part_that_is_jumped_to_is_no_function(void **state)
{
	const struct elf_builder_symbol symbols[] = { function("second.cold", CODE + 0x10, 3),
						      function("nowhere", 0x100000, 16),
						      function("wraps", CODE + 0x20, UINT64_MAX) };
	struct made made = { .described = 0 };

	(void)state;
	init(&made, symbols, 3);
	assert_int_equal(cfa_at(&made, CODE + 0x10), -1);
	assert_int_equal(cfa_at(&made, 0x100001), -1);
	assert_int_equal(cfa_at(&made, CODE + 0x21), -1);
	fini(&made);
}

/* A search would find the first, as it is called; the second is C, which nothing calls. */
static void go_programs_are_not_searched_in_their_functions(void **state)
{
	static const struct built_go_function functions[] = {
		{ "main.main", CODE, 0 },
		{ "crosscall_amd64", CODE + 0x10, GO_WITHOUT_SIZES },
		{ "main.f", CODE + 0x20, 0 },
	};
	struct made made = { .described = 0 };
	struct go_functions *go;
	struct elf_file *file;
	struct strbuf bytes;

	(void)state;
	if (!has_decoder())
		skip();
	strbuf_init(&bytes);
	go_table_build(&bytes, GO_1_18, false, functions, sizeof(functions) / sizeof(*functions));
	file = go_table_file(bytes.bytes, bytes.size, EM_X86_64, false);
	go = go_functions_open(file);
	init(&made, NULL, 0);
	code_table_use_go(made.table, go);
	assert_int_equal(cfa_at(&made, CODE + 1), -1);
	assert_int_equal(cfa_at(&made, CODE + 0x11), 16);
	assert_int_equal(cfa_at(&made, CODE + 0x21), -1);
	fini(&made);
	go_functions_close(go);
	elf_file_close(file);
	strbuf_fini(&bytes);
}

struct range {
	uint64_t start, end;
};

static void note_range(void *context, uint64_t start, uint64_t end)
{
	struct range *range = context;

	assert_int_equal(range->end, 0); /* the first */
	*range = (struct range){ start, end };
}

static void what_was_looked_up_can_be_told(void **state)
{
	const struct elf_builder_symbol symbols[] = { function("second", CODE + 0x10, 3),
						      function("third", CODE + 0x20, 3) };
	struct made made = { .described = 0 };
	struct range used = { 0, 0 };

	(void)state;
	init(&made, symbols, 2);
	code_table_visit_used(made.table, note_range, &used);
	assert_int_equal(used.end, 0);
	(void)cfa_at(&made, CODE + 0x21);
	code_table_visit_used(made.table, note_range, &used);
	assert_int_equal(used.start, CODE + 0x20);
	assert_int_equal(used.end, CODE + 0x23);
	fini(&made);
}

/* Neither symbols nor calls count: the first is called at the end of the code, the third has a symbol. */
static void an_excerpt_has_the_functions_of_its_list_alone(void **state)
{
	const struct elf_builder_symbol symbols[] = { function("third", CODE + 0x20, 3) };
	const uint64_t list[] = { CODE + 0x10, CODE + 0x13 };
	struct made made = { .described = 0 };
	struct elf_builder elf;

	(void)state;
	if (!has_decoder())
		skip();
	elf_builder_init(&elf, true, false, ET_DYN, EM_X86_64);
	elf_builder_code_segment(&elf,
				 elf_builder_section(&elf, ".text", SHT_PROGBITS, SHF_ALLOC | SHF_EXECINSTR,
						     CODE, code, sizeof(code)));
	elf_builder_symbols(&elf, SHT_SYMTAB, symbols, 1);
	elf_builder_section(&elf, ELF_EXCERPT_SECTION, SHT_PROGBITS, 0, 0, "1", 1);
	elf_builder_section(&elf, CODE_TABLE_SECTION, SHT_PROGBITS, 0, 0, list, sizeof(list));
	made.files[0] = elf_builder_open(&elf, "excerpt");
	made.pool = rule_pool_create();
	made.table = code_table_create(made.files, 1, &unwind_arch_x86_64,
				       &(struct code_descriptions){ is_described, list_described, &made });
	code_table_add_start(made.table, CODE + 0x20);
	assert_int_equal(cfa_at(&made, CODE + 1), -1);
	assert_int_equal(cfa_at(&made, CODE + 0x11), 16);
	assert_int_equal(cfa_at(&made, CODE + 0x13), -1);
	assert_int_equal(cfa_at(&made, CODE + 0x21), -1);
	fini(&made);
}

/* pop %rbx; ret; push %rbx; pop %rbx; ret; … in which only symbols tell where functions begin. */
static uint8_t *large_code(size_t size)
{
	uint8_t *bytes = malloc(size);

	assert_non_null(bytes);
	for (size_t i = 0; i < size; i++)
		bytes[i] = code[(i + 1) % 3];
	return bytes;
}

/* Only symbols near a place are read, until other places are looked up. Results are the same in any order. */
static void places_of_a_large_file_are_looked_up_in_any_order(void **state)
{
	/*
	 * Each begins at a push. SECOND and THIRD, which has no length, lie across the limit of one MiB from the look-ups of
	 * FIRST and FOURTH.
	 */
	enum {
		MIB = 1 << 20,
		FIRST = CODE + 50,
		FOURTH = CODE + 14 * MIB,
		SECOND = FIRST + MIB - 1,
		THIRD = FOURTH - MIB - 2
	};
	const struct elf_builder_symbol symbols[] = { function("first", FIRST, 3),
						      function("second", SECOND, 24),
						      function("third", THIRD, 0),
						      function("fourth", FOURTH, 6) };
	static const struct {
		uint64_t vaddr;
		int cfa;
	} places[] = {
		{ FIRST + 1, 16 },   { FIRST + 3, -1 },         { SECOND, 8 },
		{ SECOND + 1, 16 },  { SECOND + 2, 8 },         { SECOND + 3, -1 },
		{ SECOND + 24, -1 }, { THIRD - 1, -1 },         { THIRD + 1, 16 },
		{ THIRD + 2, 8 },    { THIRD + (1 << 14), -1 }, { FOURTH, 8 },
		{ FOURTH + 1, 16 },  { FOURTH + 7, -1 },        { 3 * MIB, -1 },
		{ 5 * MIB, -1 },     { 8 * MIB, -1 },           { 10 * MIB, -1 },
		{ UINT64_MAX, -1 },
	};
	enum { PLACE_COUNT = sizeof(places) / sizeof(*places) };
	uint8_t *bytes = large_code(15 * MIB);

	(void)state;
	if (!has_decoder())
		skip();
	for (size_t first = 0; first < PLACE_COUNT; first++) {
		struct made made = { .described = 0 };

		init_with(&made, symbols, 4, bytes, 15 * MIB);
		for (size_t i = 0; i < PLACE_COUNT; i++) {
			const size_t number = (first + i * 5) % PLACE_COUNT;

			assert_int_equal(cfa_at(&made, places[number].vaddr), places[number].cfa);
		}
		fini(&made);
	}
	free(bytes);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_was_looked_up_can_be_told),
		cmocka_unit_test(an_excerpt_has_the_functions_of_its_list_alone),
		cmocka_unit_test(symbols_say_where_functions_are),
		cmocka_unit_test(what_is_called_needs_no_symbol),
		cmocka_unit_test(function_ends_where_another_or_a_description_begins),
		cmocka_unit_test(starts_may_be_known_otherwise),
		cmocka_unit_test(part_that_is_jumped_to_is_no_function),
		cmocka_unit_test(go_programs_are_not_searched_in_their_functions),
		cmocka_unit_test(places_of_a_large_file_are_looked_up_in_any_order),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
