#include "unwind/mapping_cache.h"

#include <elf.h>

#include "support/built_module.h"
#include "support/cmocka.h"

enum { MAPPING_BYTES = 0x1000 };

/* All pages below 2 MiB are mapped, each as one mapping; even ones are executable. */
struct asked {
	struct module *module;
	unsigned int count;
};

static bool find(void *context, uint64_t address, struct unwind_mapping *found)
{
	struct asked *asked = context;

	asked->count++;
	*found = (struct unwind_mapping){ .start = address & ~(uint64_t)(MAPPING_BYTES - 1),
					  .module = asked->module };
	found->end = found->start + MAPPING_BYTES;
	found->executable = (address / MAPPING_BYTES) % 2 == 0;
	return address < 2 << 20;
}

static struct unwind_input input_of(struct asked *asked, uint64_t space)
{
	return (struct unwind_input){
		.arch = unwind_arch_find(EM_X86_64), .find_mapping = find, .context = asked, .space = space
	};
}

static void a_mapping_is_asked_for_once_in_an_address_space(void **state)
{
	struct asked asked = { .count = 0 };
	struct unwind_input input = input_of(&asked, 7);
	struct mapping_cache cache = { .next = 0 };

	(void)state;
	for (int i = 0; i < 3; i++) {
		mapping_cache_enter(&cache, &input);
		assert_int_equal(mapping_cache_find(&cache, &input, 0x2008)->mapping.start, 0x2000);
		assert_non_null(mapping_cache_find(&cache, &input, 0x2fff));
		assert_null(mapping_cache_known(&cache, 0x3000));
	}
	assert_int_equal(asked.count, 1);
	assert_int_equal(cache.misses, 1);
}

static void what_was_asked_for_is_known_of_its_address_space_alone(void **state)
{
	struct asked asked = { .count = 0 };
	struct unwind_input input = input_of(&asked, 7);
	struct mapping_cache cache = { .next = 0 };

	(void)state;
	mapping_cache_enter(&cache, &input);
	assert_non_null(mapping_cache_find(&cache, &input, 0x2008));
	input = input_of(&asked, 8);
	mapping_cache_enter(&cache, &input);
	assert_null(mapping_cache_known(&cache, 0x2008));
	input = input_of(&asked, 0); /* 0: unknown, may be any */
	mapping_cache_enter(&cache, &input);
	assert_non_null(mapping_cache_find(&cache, &input, 0x2008));
	mapping_cache_enter(&cache, &input);
	assert_null(mapping_cache_known(&cache, 0x2008));
}

static void programs_that_run_in_turn_are_all_known(void **state)
{
	struct asked asked = { .count = 0 };
	struct mapping_cache cache = { .next = 0 };

	(void)state;
	for (int turn = 0; turn < 2; turn++)
		for (uint64_t space = 1; space <= MAPPING_CACHE_SPACES; space++) {
			const struct unwind_input input = input_of(&asked, space);

			mapping_cache_enter(&cache, &input);
			assert_int_equal(
				mapping_cache_find(&cache, &input, space * MAPPING_BYTES)->mapping.start,
				space * MAPPING_BYTES);
		}
	assert_int_equal(asked.count, MAPPING_CACHE_SPACES);
	/* A further one replaces the first. */
	for (uint64_t space = MAPPING_CACHE_SPACES + 1; space <= MAPPING_CACHE_SPACES + 2; space++) {
		const struct unwind_input input = input_of(&asked, space % (MAPPING_CACHE_SPACES + 1));

		mapping_cache_enter(&cache, &input);
		assert_null(mapping_cache_known(&cache, MAPPING_BYTES));
		assert_non_null(mapping_cache_find(&cache, &input, MAPPING_BYTES));
	}
}

static void the_oldest_makes_room(void **state)
{
	struct asked asked = { .count = 0 };
	const struct unwind_input input = input_of(&asked, 7);
	struct mapping_cache cache = { .next = 0 };

	(void)state;
	for (uint64_t i = 0; i <= MAPPING_CACHE_CAPACITY; i++)
		assert_int_equal(mapping_cache_find(&cache, &input, i * MAPPING_BYTES)->mapping.start,
				 i * MAPPING_BYTES);
	assert_null(mapping_cache_known(&cache, 0));
	for (uint64_t i = 1; i <= MAPPING_CACHE_CAPACITY; i++)
		assert_non_null(mapping_cache_known(&cache, i * MAPPING_BYTES));
}

static void code_is_executable(void **state)
{
	struct asked asked = { .count = 0 };
	const struct unwind_input input = input_of(&asked, 7);
	struct mapping_cache cache = { .next = 0 };

	(void)state;
	assert_non_null(mapping_cache_find_code(&cache, &input, 0x2000));
	assert_null(mapping_cache_find_code(&cache, &input, 0x3000));
	assert_non_null(mapping_cache_find(&cache, &input, 0x3000));
	assert_null(mapping_cache_find(&cache, &input, 4 << 20)); /* not mapped */
	assert_null(known_mapping_code(mapping_cache_find(&cache, &input, 0x2000), 0x2000).at);
}

static void a_file_for_another_machine_is_data(void **state)
{
	struct built_module *built = *state;
	struct asked asked = { .count = 0 };
	struct unwind_input input = input_of(&asked, 7);
	struct mapping_cache cache = { .next = 0 };

	built_module_make(built);
	asked.module = built->module;
	assert_ptr_equal(mapping_cache_find(&cache, &input, CFI_CODE)->mapping.module, built->module);
	assert_non_null(known_mapping_code(mapping_cache_known(&cache, CFI_CODE), CFI_CODE).at);
	input.arch = unwind_arch_find(EM_AARCH64);
	assert_null(mapping_cache_find(&cache, &input, CFI_CODE + MAPPING_BYTES)->mapping.module);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_mapping_is_asked_for_once_in_an_address_space),
		cmocka_unit_test(what_was_asked_for_is_known_of_its_address_space_alone),
		cmocka_unit_test(programs_that_run_in_turn_are_all_known),
		cmocka_unit_test(the_oldest_makes_room),
		cmocka_unit_test(code_is_executable),
		cmocka_unit_test_setup_teardown(a_file_for_another_machine_is_data, built_module_set_up,
						built_module_tear_down),
	};

	return cmocka_run_group_tests_name("unwind/mapping_cache", tests, NULL, NULL);
}
