#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "truth/instruction.h"

static void assert_call(const char *bytes, size_t size)
{
	struct instruction instruction = instruction_decode((const uint8_t *)bytes, INSTRUCTION_MAX_BYTES);

	assert_int_equal(instruction.kind, INSTRUCTION_CALL);
	assert_int_equal(instruction.size_bytes, size);
}

static enum instruction_kind kind_of(const char *bytes)
{
	return instruction_decode((const uint8_t *)bytes, INSTRUCTION_MAX_BYTES).kind;
}

/* Pads to 15 bytes, the most that instruction_decode() reads. */
#define PAD "\x90\x90\x90\x90\x90\x90\x90\x90\x90\x90\x90\x90\x90\x90"

static void calls_have_the_size_that_their_operands_take(void **state)
{
	(void)state;
	assert_call("\xe8\x01\x02\x03\x04" PAD, 5);             /* call rel32 */
	assert_call("\x67\xe8\x01\x02\x03\x04" PAD, 6);         /* addr32 call rel32 */
	assert_call("\x66\x66\x48\xe8\x01\x02\x03\x04" PAD, 8); /* data16 data16 rex.W call: TLS */
	assert_call("\xff\xd0" PAD, 2);                         /* call *%rax */
	assert_call("\x41\xff\xd4" PAD, 3);                     /* call *%r12 */
	assert_call("\x3e\xff\xd0" PAD, 3);                     /* notrack call *%rax */
	assert_call("\xff\x15\x01\x02\x03\x04" PAD, 6);         /* call *0x4030201(%rip) */
	assert_call("\xff\x50\x18" PAD, 3);                     /* call *0x18(%rax) */
	assert_call("\xff\x54\xc3\x08" PAD, 4);                 /* call *0x8(%rbx,%rax,8) */
	assert_call("\xff\x90\x01\x02\x03\x04" PAD, 6);         /* call *0x4030201(%rax) */
	assert_call("\xff\x14\x25\x01\x02\x03\x04" PAD, 7);     /* call *0x4030201 */
	assert_call("\x41\xff\x14\xdc" PAD, 4);                 /* call *(%r12,%rbx,8) */
}

static void others_are_told_by_their_opcodes(void **state)
{
	(void)state;
	assert_int_equal(kind_of("\xc3" PAD), INSTRUCTION_RETURN);
	assert_int_equal(kind_of("\xf3\xc3" PAD), INSTRUCTION_RETURN);
	assert_int_equal(kind_of("\xc2\x08\x00" PAD), INSTRUCTION_RETURN);
	assert_int_equal(kind_of("\x5f" PAD), INSTRUCTION_POP);
	assert_int_equal(kind_of("\x41\x5c" PAD), INSTRUCTION_POP);
	assert_int_equal(kind_of("\xff\xe2" PAD), INSTRUCTION_INDIRECT_JUMP);
	assert_int_equal(kind_of("\x3e\xff\xe0" PAD), INSTRUCTION_INDIRECT_JUMP);
	assert_int_equal(kind_of("\x0f\x05" PAD), INSTRUCTION_SYSCALL);
	assert_int_equal(kind_of("\xff\xc0" PAD), INSTRUCTION_OTHER); /* inc %eax */
	assert_int_equal(kind_of("\xe9\x01\x02\x03\x04" PAD), INSTRUCTION_OTHER);
}

static void bytes_that_are_not_known_make_no_instruction(void **state)
{
	(void)state;
	assert_int_equal(instruction_decode((const uint8_t *)"", 0).kind, INSTRUCTION_OTHER);
	assert_int_equal(instruction_decode((const uint8_t *)"\x48", 1).kind, INSTRUCTION_OTHER);
}

static void branches_of_aarch64_are_told_by_their_words(void **state)
{
	(void)state;
	assert_int_equal(instruction_decode_aarch64(0x94000010).kind, INSTRUCTION_CALL);   /* bl */
	assert_int_equal(instruction_decode_aarch64(0xd63f0020).kind, INSTRUCTION_CALL);   /* blr x1 */
	assert_int_equal(instruction_decode_aarch64(0xd73f0822).kind, INSTRUCTION_CALL);   /* blraa x1, x2 */
	assert_int_equal(instruction_decode_aarch64(0xd63f083f).kind, INSTRUCTION_CALL);   /* blraaz x1 */
	assert_int_equal(instruction_decode_aarch64(0xd65f03c0).kind, INSTRUCTION_RETURN); /* ret */
	assert_int_equal(instruction_decode_aarch64(0xd65f0bff).kind, INSTRUCTION_RETURN); /* retaa */
	assert_int_equal(instruction_decode_aarch64(0xd61f03c0).kind, INSTRUCTION_RETURN); /* br x30 */
	assert_int_equal(instruction_decode_aarch64(0xd61f0220).kind, INSTRUCTION_INDIRECT_JUMP); /* br x17 */
	assert_int_equal(instruction_decode_aarch64(0xd71f0a30).kind,
			 INSTRUCTION_INDIRECT_JUMP); /* braa x17, x16 */
	assert_int_equal(instruction_decode_aarch64(0xd4000001).kind, INSTRUCTION_SYSCALL); /* svc #0 */
	assert_int_equal(instruction_decode_aarch64(0x14000010).kind, INSTRUCTION_OTHER);   /* b */
	assert_int_equal(instruction_decode_aarch64(0xd69f03e0).kind, INSTRUCTION_OTHER);   /* eret */
	assert_int_equal(instruction_decode_aarch64(0xd503201f).kind, INSTRUCTION_OTHER);   /* nop */
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(calls_have_the_size_that_their_operands_take),
		cmocka_unit_test(others_are_told_by_their_opcodes),
		cmocka_unit_test(bytes_that_are_not_known_make_no_instruction),
		cmocka_unit_test(branches_of_aarch64_are_told_by_their_words),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
