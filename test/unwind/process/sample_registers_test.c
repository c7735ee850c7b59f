#include "unwind/process/sample_registers.h"

#include <linux/perf_event.h>

#include "support/cmocka.h"

static struct sample sample_with(uint64_t mask, const uint64_t *values)
{
	return (struct sample){ .user_regs_abi = PERF_SAMPLE_REGS_ABI_64,
				.user_regs_mask = mask,
				.user_regs = (const uint8_t *)values };
}

static void machines_go_by_their_unames(void **state)
{
	(void)state;
	assert_ptr_equal(sample_registers_arch("x86_64"), &unwind_arch_x86_64);
	assert_ptr_equal(sample_registers_arch("aarch64"), &unwind_arch_aarch64);
	assert_ptr_equal(sample_registers_arch("arm64"), &unwind_arch_aarch64);
	assert_ptr_equal(sample_registers_arch("i686"), &unwind_arch_i386);
	assert_null(sample_registers_arch("s390x"));
}

static void registers_of_x86_64_get_dwarf_numbers(void **state)
{
	/* ax, cx, bp, sp, ip, cs, r8, r15 of enum perf_event_x86_regs */
	static const uint64_t values[] = { 1, 2, 3, 4, 5, 6, 7, 8 };
	struct sample sample =
		sample_with(1 << 0 | 1 << 2 | 1 << 6 | 1 << 7 | 1 << 8 | 1 << 10 | 1 << 16 | 1 << 23, values);
	struct unwind_input input = { 0 };

	(void)state;
	assert_true(sample_registers_get(&sample, &unwind_arch_x86_64, &input));
	assert_int_equal(input.pc, 5);
	assert_int_equal(input.registers.value[X86_64_RAX], 1);
	assert_int_equal(input.registers.value[X86_64_RCX], 2);
	assert_int_equal(input.registers.value[X86_64_RBP], 3);
	assert_int_equal(input.registers.value[X86_64_RSP], 4);
	assert_int_equal(input.registers.value[X86_64_R8], 7);
	assert_int_equal(input.registers.value[X86_64_R15], 8);
	assert_int_equal(input.registers.known, 1 << X86_64_RAX | 1 << X86_64_RCX | 1 << X86_64_RBP |
							1 << X86_64_RSP | 1 << X86_64_R8 | 1 << X86_64_R15);
}

static void registers_of_arm64_keep_their_numbers(void **state)
{
	static const uint64_t values[] = { 19, 29, 30, 31, 32 };
	struct sample sample =
		sample_with(1 << 19 | 1 << 29 | 1 << 30 | (uint64_t)1 << 31 | (uint64_t)1 << 32, values);
	struct unwind_input input = { 0 };

	(void)state;
	assert_true(sample_registers_get(&sample, &unwind_arch_aarch64, &input));
	assert_int_equal(input.pc, 32);
	assert_int_equal(input.registers.value[AARCH64_X19], 19);
	assert_int_equal(input.registers.value[AARCH64_FP], 29);
	assert_int_equal(input.registers.value[AARCH64_LR], 30);
	assert_int_equal(input.registers.value[AARCH64_SP], 31);
	assert_int_equal(input.pac_mask, 0x7f000000000000);
}

static void without_pc_or_stack_pointer_there_is_nothing_to_begin_with(void **state)
{
	static const uint64_t values[] = { 4, 5 };
	struct sample no_pc = sample_with(1 << 6 | 1 << 7, values),
		      no_sp = sample_with(1 << 6 | 1 << 8, values);
	struct unwind_input input = { 0 };

	(void)state;
	assert_false(sample_registers_get(&no_pc, &unwind_arch_x86_64, &input));
	assert_false(sample_registers_get(&no_sp, &unwind_arch_x86_64, &input));
}

static void registers_of_a_32_bit_program_get_the_numbers_of_i386(void **state)
{
	/* ax, bx, cx, dx, si, di, bp, sp, ip, and r8, which i386 lacks */
	static const uint64_t values[] = { 1, 2, 3, 4, 5, 6, 7, 8, 9, 10 };
	struct sample sample = sample_with(0x1ff | 1 << 16, values);
	struct unwind_input input = { 0 };

	(void)state;
	sample.user_regs_abi = PERF_SAMPLE_REGS_ABI_32;
	assert_true(sample_registers_get(&sample, &unwind_arch_x86_64, &input));
	assert_ptr_equal(input.arch, &unwind_arch_i386);
	assert_int_equal(input.pc, 9);
	assert_int_equal(input.registers.value[I386_EAX], 1);
	assert_int_equal(input.registers.value[I386_EBX], 2);
	assert_int_equal(input.registers.value[I386_ECX], 3);
	assert_int_equal(input.registers.value[I386_EDX], 4);
	assert_int_equal(input.registers.value[I386_ESI], 5);
	assert_int_equal(input.registers.value[I386_EDI], 6);
	assert_int_equal(input.registers.value[I386_EBP], 7);
	assert_int_equal(input.registers.value[I386_ESP], 8);
	assert_int_equal(input.registers.known, 0xff);
}

static void a_32_bit_program_of_aarch64_is_not_unwound(void **state)
{
	static const uint64_t values[] = { 31, 32 };
	struct sample sample = sample_with((uint64_t)1 << 31 | (uint64_t)1 << 32, values);
	struct unwind_input input = { 0 };

	(void)state;
	assert_true(sample_registers_get(&sample, &unwind_arch_aarch64, &input));
	sample.user_regs_abi = PERF_SAMPLE_REGS_ABI_32;
	assert_false(sample_registers_get(&sample, &unwind_arch_aarch64, &input));
	assert_false(sample_registers_get(&sample, NULL, &input));
}

static void the_stack_pointer_is_known_by_its_number(void **state)
{
	(void)state;
	assert_int_equal(sample_registers_sp(&unwind_arch_x86_64), 7);   /* PERF_REG_X86_SP */
	assert_int_equal(sample_registers_sp(&unwind_arch_aarch64), 31); /* PERF_REG_ARM64_SP */
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(machines_go_by_their_unames),
		cmocka_unit_test(registers_of_x86_64_get_dwarf_numbers),
		cmocka_unit_test(registers_of_arm64_keep_their_numbers),
		cmocka_unit_test(without_pc_or_stack_pointer_there_is_nothing_to_begin_with),
		cmocka_unit_test(registers_of_a_32_bit_program_get_the_numbers_of_i386),
		cmocka_unit_test(a_32_bit_program_of_aarch64_is_not_unwound),
		cmocka_unit_test(the_stack_pointer_is_known_by_its_number),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
