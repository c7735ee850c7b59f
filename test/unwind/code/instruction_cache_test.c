/* Instructions from the cache must equal decoded ones. */

#include "unwind/code/instruction_cache.h"

#include <string.h>

#include "support/cmocka.h"

enum { CODE_BYTES = 64 << 10 };

/* Fills with random bytes: at each offset lies some instruction, or none. */
static void fill(uint8_t *code, uint32_t seed)
{
	for (size_t i = 0; i < CODE_BYTES; i++) {
		seed = seed * 1664525 + 1013904223;
		code[i] = (uint8_t)(seed >> 24);
	}
}

static void assert_same(const struct code_instruction *found, const struct code_instruction *expected)
{
	assert_int_equal(found->size_bytes, expected->size_bytes);
	assert_int_equal(found->flow, expected->flow);
	assert_int_equal(found->has_target, expected->has_target);
	assert_int_equal(found->target, expected->target);
	assert_int_equal(found->effect_count, expected->effect_count);
	assert_memory_equal(found->effects, expected->effects,
			    expected->effect_count * sizeof(*expected->effects));
}

static void read_all(struct instruction_cache *cache, const struct unwind_arch *arch, const uint8_t *code)
{
	for (size_t at = 0; at < CODE_BYTES; at++) {
		const struct code_instruction *found =
			instruction_cache_read(cache, code + at, CODE_BYTES - at);
		struct code_instruction expected;
		const bool is_one = arch->read_instruction(code + at, CODE_BYTES - at, &expected);

		assert_int_equal(found != NULL, is_one);
		if (found)
			assert_same(found, &expected);
	}
}

static void instructions_are_what_decoding_gives_the_first_time_and_again(void **state)
{
	static uint8_t code[CODE_BYTES];
	struct instruction_cache *cache = instruction_cache_create(&unwind_arch_x86_64);

	(void)state;
	fill(code, 1);
	for (int round = 0; round < 3; round++)
		read_all(cache, &unwind_arch_x86_64, code);
	fill(code, 2); /* other bytes at the same place */
	read_all(cache, &unwind_arch_x86_64, code);
	instruction_cache_destroy(cache);
}

/* The two differ only behind the eight bytes that are hashed. */
static void an_instruction_of_more_than_eight_bytes_is_known_by_all_of_them(void **state)
{
	/* mov $imm32,disp32(%rsp) is c7 84 24 disp32 imm32: 11 bytes */
	uint8_t first[16] = { 0xc7, 0x84, 0x24, 0x10, 0, 0, 0, 1, 2, 3, 4 }, second[16];
	struct instruction_cache *cache = instruction_cache_create(&unwind_arch_x86_64);
	struct code_instruction expected;

	(void)state;
	memcpy(second, first, sizeof(second));
	second[10] = 5;
	if (!unwind_arch_x86_64.read_instruction(second, sizeof(second), &expected))
		skip();
	assert_int_equal(instruction_cache_read(cache, first, sizeof(first))->size_bytes, 11);
	assert_same(instruction_cache_read(cache, second, sizeof(second)), &expected);
	instruction_cache_destroy(cache);
}

/* Bytes that end within an instruction are none, whatever followed them before. */
static void what_is_cut_short_is_not_found(void **state)
{
	const uint8_t code[16] = { 0xe8, 0, 1, 0, 0, 0x90 }; /* call +0x100 */
	struct instruction_cache *cache = instruction_cache_create(&unwind_arch_x86_64);

	(void)state;
	if (!instruction_cache_read(cache, code, sizeof(code)))
		skip();
	assert_null(instruction_cache_read(cache, code, 3));
	assert_int_equal(instruction_cache_read(cache, code, 5)->flow, CODE_CALL);
	instruction_cache_destroy(cache);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(instructions_are_what_decoding_gives_the_first_time_and_again),
		cmocka_unit_test(an_instruction_of_more_than_eight_bytes_is_known_by_all_of_them),
		cmocka_unit_test(what_is_cut_short_is_not_found),
	};

	return cmocka_run_group_tests_name("unwind/code/instruction_cache", tests, NULL, NULL);
}
