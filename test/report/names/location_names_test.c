#include "report/names/location_names.h"

#include <elf.h>
#include <pthread.h> /* names are found by threads: for THREADED in the Makefile, which checks such tests for races */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/cmocka.h"
#include "support/elf_builder.h"
#include "support/state_record.h"
#include "support/temp_tree.h"

enum { FILES = 12, FUNCTIONS = 60, FUNCTION_BYTES = 16, CODE_BYTES = FUNCTIONS * FUNCTION_BYTES };

#define FUNCTION ELF64_ST_INFO(STB_GLOBAL, STT_FUNC)

static const uint64_t CODE_VADDR = 0x401000, FIRST_START = 0x10000000, FILE_DISTANCE = 0x100000;

struct fixture {
	struct temp_tree tree;
	struct process_table *processes;
	struct raw_profile *raw;
	struct symbolizer *symbolizer;
	struct location_names names;
};

/* Each file has other functions, with mangled names. Returns the offset of the code in the file. */
static uint64_t write_file(const struct temp_tree *tree, unsigned int file, const char *name)
{
	static char names[FUNCTIONS][64], code[CODE_BYTES];
	struct elf_builder_symbol symbols[FUNCTIONS];
	const uint8_t build_id[8] = { 0xb1, (uint8_t)file };
	struct elf_builder builder;
	uint64_t offset;

	elf_builder_init(&builder, true, false, ET_EXEC, EM_X86_64);
	elf_builder_section(&builder, ".text", SHT_PROGBITS, SHF_ALLOC | SHF_EXECINSTR, CODE_VADDR, code,
			    sizeof(code));
	elf_builder_code_segment(&builder, 1);
	elf_builder_build_id(&builder, build_id, sizeof(build_id));
	for (unsigned int i = 0; i < FUNCTIONS; i++) {
		snprintf(names[i], sizeof(names[i]), "_ZN4f%03u4g%03uEv", file, i);
		symbols[i] = (struct elf_builder_symbol){
			names[i], CODE_VADDR + (uint64_t)i * FUNCTION_BYTES, FUNCTION_BYTES, FUNCTION, 0, 1
		};
	}
	elf_builder_symbols(&builder, SHT_SYMTAB, symbols, FUNCTIONS);
	offset = builder.sections[1].file_offset;
	elf_builder_write(&builder, tree, name);
	return offset;
}

/* Each pair of files has one build-id, and so one table. Returns the offset of the code in each file. */
static uint64_t map_files(struct fixture *fixture)
{
	uint64_t code_offset = 0;

	for (unsigned int i = 0; i < FILES; i++) {
		char name[32], path[128], build_id[17];
		struct mmap_of mmap = {
			.pid = 7, .length = FILE_DISTANCE, .path = path, .build_id = build_id
		};

		snprintf(name, sizeof(name), "file%u", i);
		snprintf(path, sizeof(path), "%s/%s", fixture->tree.root, name);
		snprintf(build_id, sizeof(build_id), "b1%02x000000000000", i & ~1U);
		mmap.start = FIRST_START + i * FILE_DISTANCE;
		code_offset = write_file(&fixture->tree, i & ~1U, name);
		state_map(fixture->processes, &mmap);
	}
	return code_offset;
}

static enum lookup lookup_of(unsigned int function)
{
	return function % 2 ? LOOKUP_RETURN : LOOKUP_PC;
}

/* The start of every function in every file, as a return address for functions with odd numbers. */
static void add_locations(struct fixture *fixture, uint64_t code_offset)
{
	for (unsigned int i = 0; i < FUNCTIONS * FILES; i++) {
		const unsigned int file = i % FILES, function = i / FILES;
		const uint64_t address =
			FIRST_START + file * FILE_DISTANCE + code_offset + function * FUNCTION_BYTES;
		struct mapping mapping;

		assert_int_equal(
			process_table_find(fixture->processes, 7, 1, ADDRESS_USER, address, &mapping), 1);
		assert_int_equal(raw_profile_location(fixture->raw, mapping.dso->number,
						      mapping_to_dso_address(&mapping, address), FRAME_USER),
				 i);
	}
	for (unsigned int i = 0; i < FUNCTIONS * FILES; i++)
		raw_profile_stack(fixture->raw, PROFILE_NONE, i,
				  lookup_of(i / FILES) == LOOKUP_RETURN ? FRAME_KERNEL_CHAIN : FRAME_SAMPLED);
	location_names_init(&fixture->names, fixture->raw);
}

static int set_up(void **state)
{
	struct fixture *fixture = calloc(1, sizeof(*fixture));

	temp_tree_create(&fixture->tree);
	fixture->processes = process_table_create();
	fixture->raw = raw_profile_create();
	fixture->symbolizer = symbolizer_create(&(struct symbolizer_options){ .demangle = true });
	add_locations(fixture, map_files(fixture));
	*state = fixture;
	return 0;
}

static int tear_down(void **state)
{
	struct fixture *fixture = *state;

	location_names_fini(&fixture->names);
	symbolizer_destroy(fixture->symbolizer);
	raw_profile_destroy(fixture->raw);
	process_table_destroy(fixture->processes);
	temp_tree_remove(&fixture->tree);
	free(fixture);
	return 0;
}

static void assert_all_names(const struct fixture *fixture)
{
	for (unsigned int i = 0; i < FUNCTIONS * FILES; i++) {
		const struct named_location *named = location_names_of(&fixture->names, i);
		const unsigned int file = i % FILES & ~1U, function = i / FILES;
		const enum lookup lookup = lookup_of(function);
		char name[32];

		assert_int_not_equal(named->names[lookup], 0);
		assert_int_equal(named->names[!lookup], 0);
#ifdef HAVE_LIBIBERTY
		snprintf(name, sizeof(name), "f%03u::g%03u", file,
			 lookup == LOOKUP_RETURN ? function - 1 : function);
#else
		snprintf(name, sizeof(name), "_ZN4f%03u4g%03uEv", file,
			 lookup == LOOKUP_RETURN ? function - 1 : function);
#endif
		assert_string_equal(location_names_at(&fixture->names, named->names[lookup])->name, name);
	}
}

/* A function's start, and the return address after its last instruction, which is the next one's start. */
static void locations_of_one_function_are_known_to_be_alike(void **state)
{
	struct fixture *fixture = *state;

	location_names_find(&fixture->names, fixture->processes, fixture->symbolizer, false);
	for (unsigned int i = FILES; i < FUNCTIONS * FILES; i++) {
		const enum lookup lookup = lookup_of(i / FILES);
		const uint32_t name = location_names_of(&fixture->names, i)->names[lookup],
			       before = location_names_of(&fixture->names, i - FILES)
						->names[lookup_of(i / FILES - 1)];

		assert_int_equal(name == before, lookup == LOOKUP_RETURN);
	}
}

static void a_use_is_listed_when_a_stack_first_has_it(void **state)
{
	struct raw_profile *raw = raw_profile_create();
	const uint32_t never = raw_profile_location(raw, PROFILE_NONE, 0x1000, FRAME_USER);
	const uint32_t kernel = raw_profile_location(raw, PROFILE_NONE, 0x2000, FRAME_KERNEL);
	const uint32_t both = raw_profile_location(raw, PROFILE_NONE, 0x3000, FRAME_USER);
	const uint32_t caller = raw_profile_stack(raw, PROFILE_NONE, both, FRAME_KERNEL_CHAIN);
	struct location_names names;

	(void)state;
	raw_profile_stack(raw, caller, kernel, FRAME_KERNEL_CHAIN);
	raw_profile_stack(raw, caller, both, FRAME_KERNEL_CHAIN);
	raw_profile_stack(raw, caller, both, FRAME_SAMPLED);
	location_names_init(&names, raw);
	assert_int_equal(names.use_count, 3);
	assert_int_equal(names.uses[0].location, both);
	assert_int_equal(names.uses[0].lookup, LOOKUP_RETURN);
	assert_int_equal(names.uses[1].location, kernel);
	assert_int_equal(names.uses[1].lookup, LOOKUP_PC);
	assert_int_equal(names.uses[2].location, both);
	assert_int_equal(names.uses[2].lookup, LOOKUP_PC);
	assert_int_equal(names.used[never], 0);
	assert_int_equal(names.used[kernel], 1 << LOOKUP_PC);
	location_names_fini(&names);
	raw_profile_destroy(raw);
}

static void every_location_gets_the_name_of_its_file(void **state)
{
	struct fixture *fixture = *state;

	location_names_find(&fixture->names, fixture->processes, fixture->symbolizer, false);
	assert_all_names(fixture);
}

static void names_are_the_same_with_source(void **state)
{
	struct fixture *fixture = *state;

	location_names_find(&fixture->names, fixture->processes, fixture->symbolizer, true);
	assert_all_names(fixture);
}

static void a_file_of_which_nothing_is_wanted_is_not_read(void **state)
{
	struct fixture *fixture = *state;
	struct symbol_object object = { .kind = DSO_FILE, .build_id = { { 0xb1, 4 }, 8 } };
	const char *why;

	for (unsigned int i = 0; i < FUNCTIONS * FILES; i++)
		if (i % FILES == 4 || i % FILES == 5)
			fixture->names.used[i] = 0;
	location_names_find(&fixture->names, fixture->processes, fixture->symbolizer, true);
	assert_null(symbol_table_source(symbolizer_table(fixture->symbolizer, &object), &why));
	assert_string_equal(why, "");
	object.build_id.bytes[1] = 6;
	assert_non_null(symbol_table_source(symbolizer_table(fixture->symbolizer, &object), &why));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_use_is_listed_when_a_stack_first_has_it),
		cmocka_unit_test_setup_teardown(every_location_gets_the_name_of_its_file, set_up, tear_down),
		cmocka_unit_test_setup_teardown(locations_of_one_function_are_known_to_be_alike, set_up,
						tear_down),
		cmocka_unit_test_setup_teardown(names_are_the_same_with_source, set_up, tear_down),
		cmocka_unit_test_setup_teardown(a_file_of_which_nothing_is_wanted_is_not_read, set_up,
						tear_down),
	};

	return cmocka_run_group_tests_name("report/names/location_names", tests, NULL, NULL);
}
