#include "unwind/arch/plain_instruction_x86.h"

#include "support/cmocka.h"
#include "unwind/arch/code_instruction.h"

/* Defined by the linker: the end of this test's code. */
extern const uint8_t etext[];

static void skip_without_decoder(void)
{
	struct code_instruction instruction;

	if (!code_instruction_x86_64((const uint8_t *)"\xc3", 1, &instruction))
		skip();
}

/* Returns 1 if the instruction is plain, after checking it against the decoder; else 0. */
static size_t check(const uint8_t *bytes, size_t size)
{
	const size_t plain = plain_instruction_x86_64(bytes, size);
	struct code_instruction instruction;

	if (!plain)
		return 0;
	assert_true(code_instruction_x86_64(bytes, size, &instruction));
	assert_int_equal(plain, instruction.size_bytes);
	assert_true(instruction.flow == CODE_NEXT || instruction.flow == CODE_BRANCH);
	assert_false(instruction.is_padding || instruction.names_code || instruction.has_constant);
	return 1;
}

static void most_of_what_compilers_write_is_plain(void **state)
{
	const uint8_t *end = etext;
	size_t plain = 0, count = 0;
	struct code_instruction instruction;

	(void)state;
	skip_without_decoder();
#ifndef __x86_64__
	skip();
#endif
	/* Begin at a function of this file, so that an instruction begins there. */
	for (const uint8_t *at = (const uint8_t *)(uintptr_t)check; at < end; count++) {
		plain += check(at, (size_t)(end - at));
		at += code_instruction_x86_64(at, (size_t)(end - at), &instruction) ? instruction.size_bytes :
										      1;
	}
	assert_true(count > 1000);
	assert_true(plain > count / 2);
}

static void bytes_by_chance_are_plain_only_if_they_are_such_an_instruction(void **state)
{
	enum { TRIES = 300000, BYTES = 20 };
	uint64_t random = 88172645463325252u;
	uint8_t bytes[BYTES];
	size_t plain = 0;

	(void)state;
	skip_without_decoder();
	for (int i = 0; i < TRIES; i++) {
		for (size_t j = 0; j < BYTES; j++) {
			random ^= random << 13; /* xorshift64 */
			random ^= random >> 7;
			random ^= random << 17;
			bytes[j] = (uint8_t)(random >> 32);
		}
		if (i & 1) /* two-byte opcodes, with all prefixes */
			bytes[1] = 0x0f;
		plain += check(bytes, BYTES);
	}
	assert_true(plain > TRIES / 10);
}

static void what_matters_to_a_search_for_functions_is_not_plain(void **state)
{
	static const uint8_t codes[][20] = {
		{ 0xe8 },                   /* call */
		{ 0xff, 0xd0 },             /* call *%rax */
		{ 0xff, 0x25 },             /* jmp *0(%rip) */
		{ 0xeb },                   /* jmp */
		{ 0xc3 },                   /* ret */
		{ 0xcc },                   /* int3 */
		{ 0x90 },                   /* nop */
		{ 0x0f, 0x1f, 0x40, 0x00 }, /* nopl 0(%rax) */
		{ 0x48, 0x8d, 0x3d },       /* lea 0(%rip), %rdi */
		{ 0x48, 0xc7, 0xc0 },       /* mov $0, %rax */
		{ 0xb8 },                   /* mov $0, %eax */
	};

	(void)state;
	for (size_t i = 0; i < sizeof(codes) / sizeof(*codes); i++)
		assert_int_equal(plain_instruction_x86_64(codes[i], sizeof(*codes)), 0);
	assert_int_equal(plain_instruction_x86_64((const uint8_t *)"\x48\x89\xe5", 3),
			 0); /* too close to the end */
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(most_of_what_compilers_write_is_plain),
		cmocka_unit_test(bytes_by_chance_are_plain_only_if_they_are_such_an_instruction),
		cmocka_unit_test(what_matters_to_a_search_for_functions_is_not_plain),
	};

	return cmocka_run_group_tests_name("unwind/arch/plain_instruction_x86", tests, NULL, NULL);
}
