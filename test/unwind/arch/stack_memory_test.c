#include "unwind/arch/stack_memory.h"

#include "support/cmocka.h"

enum { PAGE = STACK_MEMORY_PAGE_BYTES, START = 5 * PAGE - 16 };

static uint8_t bytes[3 * PAGE];

static void words_are_found_by_their_addresses(void **state)
{
	const struct stack_memory memory = { .bytes = bytes, .size = 24, .address = START };
	uint64_t word = 1;

	(void)state;
	memcpy(bytes + 16, &(uint64_t){ 42 }, 8);
	assert_true(stack_memory_word(&memory, START + 16, &word));
	assert_int_equal(word, 42);
	assert_false(stack_memory_word(&memory, START + 17, &word));
	assert_false(stack_memory_word(&memory, START - 8, &word));
}

static void a_word_in_or_across_a_hole_is_not_known(void **state)
{
	/* Of the first page the last 16 bytes before 5 * PAGE are there; the second page is a hole. */
	const uint64_t holes[1] = { 1 << 1 };
	const struct stack_memory memory = {
		.bytes = bytes, .size = sizeof(bytes), .address = START, .holes = holes
	};
	uint64_t word;

	(void)state;
	assert_true(stack_memory_word(&memory, START + 8, &word));
	assert_false(stack_memory_word(&memory, START + 12, &word));
	assert_false(stack_memory_word(&memory, START + 16, &word));
	assert_false(stack_memory_word(&memory, START + 16 + PAGE - 8, &word));
	assert_true(stack_memory_word(&memory, START + 16 + PAGE, &word));
}

static void what_a_handler_interrupted_is_found_behind_its_own_stack(void **state)
{
	const uint8_t outer_bytes[16] = { 7 };
	const struct stack_memory outer = { .bytes = outer_bytes, .size = 16, .address = 0x1000 };
	const struct stack_memory memory = { .bytes = bytes, .size = 16, .address = START, .outer = &outer };
	uint64_t word;

	(void)state;
	assert_true(stack_memory_word(&memory, 0x1000, &word));
	assert_int_equal(word, 7);
	assert_false(stack_memory_word(&memory, 0x100c, &word));
	assert_null(stack_memory_at(&memory, 0xff8, 8));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(words_are_found_by_their_addresses),
		cmocka_unit_test(a_word_in_or_across_a_hole_is_not_known),
		cmocka_unit_test(what_a_handler_interrupted_is_found_behind_its_own_stack),
	};

	return cmocka_run_group_tests_name("unwind/arch/stack_memory", tests, NULL, NULL);
}
