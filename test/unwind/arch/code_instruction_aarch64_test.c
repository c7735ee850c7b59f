#include "unwind/arch/code_instruction.h"

#include <stdio.h>
#include <string.h>

#include "support/cmocka.h"
#include "support/code_text.h"

static const struct {
	const char *what;
	uint32_t word;
	const char *expected;
} forms[] = {
	{ "stp x29, x30, [sp, #-48]!", 0xa9bd7bfd, "next r31=r31-48 *(r31+0)=r29 *(r31+8)=r30" },
	{ "stp x19, x20, [sp, #16]", 0xa90153f3, "next *(r31+16)=r19 *(r31+24)=r20" },
	{ "ldp x29, x30, [sp], #48", 0xa8c37bfd, "next r29=*(r31+0) r30=*(r31+8) r31=r31+48" },
	{ "ldp x19, x20, [sp, #16]", 0xa94153f3, "next r19=*(r31+16) r20=*(r31+24)" },
	{ "stp w0, w1, [sp, #8]", 0x290107e0, "next *(r31+8)=4 bytes *(r31+12)=4 bytes" },
	{ "ldp w0, w1, [sp, #8]", 0x294107e0, "next r0 lost r1 lost" },
	{ "stp xzr, xzr, [sp, #16]", 0xa9017fff, "next *(r31+16)=8 bytes *(r31+24)=8 bytes" },
	{ "stp d8, d9, [sp, #-32]!", 0x6dbe27e8, "next r31=r31-32 *(r31+0)=8 bytes *(r31+8)=8 bytes" },
	{ "ldp q0, q1, [sp], #32", 0xacc107e0, "next r31=r31+32" },
	{ "str x30, [sp, #-16]!", 0xf81f0ffe, "next r31=r31-16 *(r31+0)=r30" },
	{ "ldr x30, [sp], #16", 0xf84107fe, "next r30=*(r31+0) r31=r31+16" },
	{ "str x21, [sp, #32]", 0xf90013f5, "next *(r31+32)=r21" },
	{ "ldr x21, [sp, #32]", 0xf94013f5, "next r21=*(r31+32)" },
	{ "stur x21, [x29, #-8]", 0xf81f83b5, "next *(r29-8)=r21" },
	{ "str wzr, [sp, #44]", 0xb9002fff, "next *(r31+44)=4 bytes" },
	{ "strb w0, [sp, #3]", 0x39000fe0, "next *(r31+3)=1 bytes" },
	{ "ldrsw x0, [sp, #4]", 0xb98007e0, "next r0 lost" },
	{ "str q0, [sp, #16]", 0x3d8007e0, "next *(r31+16)=16 bytes" },
	{ "ldr x1, [x21, x1, lsl #3]", 0xf8617aa1, "next r1 lost r30 lost r1 lost" },
	{ "sub sp, sp, #0x30", 0xd100c3ff, "next r31=r31-48" },
	{ "sub sp, sp, #0x4, lsl #12", 0xd14013ff, "next r31=r31-16384" },
	{ "add sp, sp, #0x30", 0x9100c3ff, "next r31=r31+48" },
	{ "sub sp, sp, x12", 0xcb2c63ff, "next r31 lost" },
	{ "and sp, x9, #-16", 0x927ced3f, "next r31 lost" },
	{ "mov x29, sp", 0x910003fd, "next r29=r31+0" },
	{ "mov sp, x29", 0x910003bf, "next r31=r29+0" },
	{ "mov x19, x0", 0xaa0003f3, "next r19=r0+0" },
	{ "mov x19, xzr", 0xaa1f03f3, "next r19 lost" },
	{ "mov w19, w0", 0x2a0003f3, "next r19 lost" },
	{ "mov w12, #20048", 0x5289ca0c, "next r12 lost" },
	{ "cmp x0, x1", 0xeb01001f, "next" },
	{ "cmp w0, #2", 0x7100081f, "next" },
	{ "adr x0, .+16", 0x10000080, "next names +16 r0 lost" },
	{ "adrp x20, +1 page", 0xb0000014, "next r20 lost" },
	{ "mrs x0, tpidr_el0", 0xd53bd040, "next r0 lost" },
	{ "fmov x0, d0", 0x9e660000, "next r0 lost" },
	{ "addvl sp, sp, #-1", 0x043f57ff, "next r31 lost" },
	{ "paciasp", 0xd503233f, "next" },
	{ "bti c", 0xd503245f, "next" },
	{ "nop", 0xd503201f, "next padding" },
	{ "svc #0", 0xd4000001, "next r0 lost" },
	{ "bl .+16", 0x94000004, "call +16" },
	{ "blr x1", 0xd63f0020, "call" },
	{ "b .-4", 0x17ffffff, "jump -4" },
	{ "br x17", 0xd61f0220, "jump somewhere" },
	{ "braa x17, x16", 0xd71f0a30, "jump somewhere" },
	{ "ret", 0xd65f03c0, "end" },
	{ "retaa", 0xd65f0bff, "end" },
	{ "b.hi .+56", 0x540001c8, "branch +56" },
	{ "cbnz w0, .+12", 0x35000060, "branch +12" },
	{ "tbz w0, #3, .-8", 0x361fffc0, "branch -8" },
	{ "brk #1000", 0xd4207d00, "end" },
	{ "udf #0", 0x00000000, "end" },
};

static bool read_word(uint32_t word, struct code_instruction *instruction)
{
	const uint8_t bytes[] = { (uint8_t)word, (uint8_t)(word >> 8), (uint8_t)(word >> 16),
				  (uint8_t)(word >> 24) };

	return code_instruction_aarch64(bytes, sizeof(bytes), instruction);
}

static void each_form_has_its_effects(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(forms) / sizeof(*forms); i++) {
		struct code_instruction instruction;
		char text[CODE_TEXT_BYTES];

		assert_true(read_word(forms[i].word, &instruction));
		assert_int_equal(instruction.size_bytes, 4);
		code_text(text, &instruction);
		if (strcmp(text, forms[i].expected) != 0)
			fail_msg("%s: %s, not %s", forms[i].what, text, forms[i].expected);
	}
}

static void reserved_and_short_words_are_refused(void **state)
{
	struct code_instruction instruction;

	(void)state;
	assert_false(read_word(0x02000000, &instruction));
	assert_false(read_word(0x00010000, &instruction));
	assert_false(code_instruction_aarch64((const uint8_t *)"\xc0\x03\x5f", 3, &instruction));
}

static void no_word_names_a_register_that_there_is_not(void **state)
{
	uint64_t random = 88172645463325252u;

	(void)state;
	for (int i = 0; i < 1 << 20; i++) {
		struct code_instruction instruction;

		random = random * 6364136223846793005u + 1442695040888963407u;
		if (!read_word((uint32_t)(random >> 32), &instruction))
			continue;
		assert_in_range(instruction.effect_count, 0, CODE_MAX_EFFECTS);
		for (size_t n = 0; n < instruction.effect_count; n++) {
			assert_in_range(instruction.effects[n].base, 0, 31);
			assert_true(instruction.effects[n].reg <= 31 ||
				    (instruction.effects[n].kind == CODE_STORE &&
				     instruction.effects[n].reg == CODE_NO_REGISTER));
		}
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_form_has_its_effects),
		cmocka_unit_test(reserved_and_short_words_are_refused),
		cmocka_unit_test(no_word_names_a_register_that_there_is_not),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
