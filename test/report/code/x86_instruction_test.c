#include "report/code/x86_instruction.h"

#include <string.h>

#include "support/cmocka.h"

struct vector {
	size_t size;
	uint8_t bytes[X86_INSTRUCTION_MAX_BYTES + 1];
	const char *text; /* as objdump has it */
};

static const struct vector long_mode[] = {
	{ 1, { 0xc3 }, "ret" },
	{ 4, { 0xf3, 0x0f, 0x1e, 0xfa }, "endbr64" },
	{ 3, { 0x48, 0x89, 0xe5 }, "mov %rsp,%rbp" },
	{ 5, { 0xe8, 0x01, 0x02, 0x03, 0x04 }, "call" },
	{ 6, { 0x66, 0xe8, 0x01, 0x02, 0x03, 0x04 }, "data16 call" },
	{ 2, { 0x75, 0xe6 }, "jne" },
	{ 6, { 0x0f, 0x84, 0x01, 0x02, 0x03, 0x04 }, "je" },
	{ 10, { 0x48, 0xb8, 1, 2, 3, 4, 5, 6, 7, 8 }, "movabs $0x807060504030201,%rax" },
	{ 9, { 0xa1, 1, 2, 3, 4, 5, 6, 7, 8 }, "movabs 0x807060504030201,%eax" },
	{ 6, { 0x67, 0xa1, 1, 2, 3, 4 }, "addr32 mov 0x4030201,%eax" },
	{ 5, { 0x66, 0xc7, 0x00, 1, 2 }, "movw $0x201,(%rax)" },
	{ 7, { 0x48, 0xc7, 0xc0, 1, 2, 3, 4 }, "mov $0x4030201,%rax" },
	{ 3, { 0xf6, 0xc1, 0x04 }, "test $0x4,%cl" },
	{ 2, { 0xf7, 0xd8 }, "neg %eax" },
	{ 7, { 0x48, 0x8b, 0x05, 1, 2, 3, 4 }, "mov 0x4030201(%rip),%rax" },
	{ 8, { 0x48, 0x8b, 0x04, 0x25, 1, 2, 3, 4 }, "mov 0x4030201,%rax" },
	{ 5, { 0x48, 0x8b, 0x44, 0x24, 8 }, "mov 0x8(%rsp),%rax" },
	{ 4, { 0xc8, 1, 2, 3 }, "enter $0x201,$0x3" },
	{ 6, { 0x66, 0x0f, 0x3a, 0x0f, 0xc1, 4 }, "palignr $0x4,%xmm1,%xmm0" },
	{ 5, { 0x66, 0x0f, 0x38, 0x00, 0xc1 }, "pshufb %xmm1,%xmm0" },
	{ 3, { 0xc5, 0xf8, 0x77 }, "vzeroupper" },
	{ 4, { 0xc5, 0xf9, 0x6f, 0x07 }, "vmovdqa (%rdi),%xmm0" },
	{ 5, { 0xc4, 0xe2, 0x7d, 0x78, 0x07 }, "vpbroadcastb (%rdi),%ymm0" },
	{ 6, { 0xc4, 0xe3, 0x7d, 0x39, 0xc1, 1 }, "vextracti128 $0x1,%ymm0,%xmm1" },
	{ 7, { 0x62, 0xf1, 0xfe, 0x48, 0x6f, 0x46, 1 }, "vmovdqu64 0x40(%rsi),%zmm0" },
	{ 2, { 0x0f, 0x05 }, "syscall" },
	{ 10, { 0x66, 0x2e, 0x0f, 0x1f, 0x84, 0x00, 0, 0, 0, 0 }, "cs nopw 0x0(%rax,%rax,1)" },
};

static const struct vector protected_mode[] = {
	{ 2, { 0x40, 0x90 }, "inc %eax; nop" }, /* the first only */
	{ 5, { 0xa1, 1, 2, 3, 4 }, "mov 0x4030201,%eax" },
	{ 7, { 0x9a, 1, 2, 3, 4, 5, 6 }, "lcall $0x605,$0x4030201" },
	{ 4, { 0x66, 0xe8, 1, 2 }, "callw" },
	{ 4, { 0x67, 0x8b, 0x46, 1 }, "mov 0x1(%bp),%eax" },
	{ 5, { 0x67, 0x8b, 0x0e, 1, 2 }, "mov 0x201,%ecx" },
	{ 2, { 0xc5, 0x07 }, "lds (%edi),%eax" },
	{ 4, { 0xc5, 0xf9, 0x6f, 0x07 }, "vmovdqa (%edi),%xmm0" },
};

static void check(const struct vector *vectors, size_t count, bool is_64bit)
{
	for (size_t i = 0; i < count; i++) {
		const struct vector *v = &vectors[i];
		const size_t expected = !is_64bit && i == 0 ? 1 : v->size;

		if (x86_instruction_length(v->bytes, sizeof(v->bytes), is_64bit) != expected)
			fail_msg("%s: %zu bytes, not %zu", v->text,
				 x86_instruction_length(v->bytes, sizeof(v->bytes), is_64bit), expected);
		if (x86_instruction_length(v->bytes, expected - 1, is_64bit) != 0)
			fail_msg("%s: found though it is cut", v->text);
	}
}

static void lengths_are_those_of_objdump(void **state)
{
	(void)state;
	check(long_mode, sizeof(long_mode) / sizeof(long_mode[0]), true);
	check(protected_mode, sizeof(protected_mode) / sizeof(protected_mode[0]), false);
}

static void prefixes_without_an_end_are_no_instruction(void **state)
{
	uint8_t bytes[32];

	(void)state;
	for (size_t i = 0; i < sizeof(bytes); i++)
		bytes[i] = 0x66;
	assert_int_equal(x86_instruction_length(bytes, sizeof(bytes), true), 0);
	assert_int_equal(x86_instruction_length(bytes, 0, true), 0);
}

static void any_bytes_are_read_within_their_size(void **state)
{
	uint64_t random = 1;

	(void)state;
	for (int i = 0; i < 100000; i++) {
		uint8_t bytes[X86_INSTRUCTION_MAX_BYTES];
		size_t size = (size_t)i % sizeof(bytes), length;

		for (size_t at = 0; at < size; at++) {
			random = random * 6364136223846793005u + 1442695040888963407u;
			bytes[at] = (uint8_t)(random >> 56);
		}
		length = x86_instruction_length(bytes, size, i & 1);
		assert_in_range(length, 0, size);
	}
}

static void branches_are_what_the_next_instruction_need_not_follow(void **state)
{
	static const char *const branches[] = { "ret", "call", "data16 call", "jne", "je", "syscall" };

	(void)state;
	for (size_t i = 0; i < sizeof(long_mode) / sizeof(long_mode[0]); i++) {
		const struct vector *v = &long_mode[i];
		bool expected = false;

		for (size_t name = 0; name < sizeof(branches) / sizeof(branches[0]); name++)
			expected |= strcmp(v->text, branches[name]) == 0;
		if (x86_instruction_is_branch(v->bytes, v->size, true) != expected)
			fail_msg("%s", v->text);
	}
	assert_true(x86_instruction_is_branch((const uint8_t[]){ 0xff, 0xd0 }, 2, true));  /* call *%rax */
	assert_true(x86_instruction_is_branch((const uint8_t[]){ 0xff, 0xe0 }, 2, true));  /* jmp *%rax */
	assert_false(x86_instruction_is_branch((const uint8_t[]){ 0xff, 0xf0 }, 2, true)); /* push %rax */
	assert_false(x86_instruction_is_branch((const uint8_t[]){ 0xff }, 1, true));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(lengths_are_those_of_objdump),
		cmocka_unit_test(branches_are_what_the_next_instruction_need_not_follow),
		cmocka_unit_test(prefixes_without_an_end_are_no_instruction),
		cmocka_unit_test(any_bytes_are_read_within_their_size),
	};

	return cmocka_run_group_tests_name("report/code/x86_instruction", tests, NULL, NULL);
}
