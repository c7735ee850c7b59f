#include "record/wait/user_registers.h"

#include <linux/perf_event.h>
#include <string.h>

#include "support/cmocka.h"

#if defined(__x86_64__)
#include <asm/perf_regs.h>

enum { R15 = 0, BP = 4, BX = 5, R8 = 9, AX = 10, IP = 16, CS = 17, SP = 19, WORDS = 21 };

/* Bit by bit in the order of the mask, after the ABI. */
static void registers_are_those_of_the_mask_in_its_order(void **state)
{
	const uint64_t registers[WORDS] = { [R15] = 15, [BP] = 66,       [BX] = 55,   [R8] = 8,
					    [AX] = 10,  [IP] = 0x401000, [CS] = 0x33, [SP] = 0x7ff0 };
	const uint64_t mask = 1u << PERF_REG_X86_AX | 1u << PERF_REG_X86_BX | 1u << PERF_REG_X86_BP |
			      1u << PERF_REG_X86_SP | 1u << PERF_REG_X86_IP | 1u << PERF_REG_X86_R8 |
			      1u << PERF_REG_X86_R15;
	const uint64_t expected[] = { PERF_SAMPLE_REGS_ABI_64, 10, 55, 66, 0x7ff0, 0x401000, 8, 15 };
	struct strbuf record;

	(void)state;
	strbuf_init(&record);
	user_registers_add(&record, registers, mask);
	assert_int_equal(record.size, sizeof(expected));
	assert_memory_equal(record.bytes, expected, sizeof(expected));
	strbuf_fini(&record);
}

static void programs_of_32_bits_are_said_to_be_such(void **state)
{
	const uint64_t registers[WORDS] = { [CS] = 0x23 }, expected = PERF_SAMPLE_REGS_ABI_32;
	struct strbuf record;

	(void)state;
	strbuf_init(&record);
	user_registers_add(&record, registers, 0);
	assert_int_equal(record.size, sizeof(expected));
	assert_memory_equal(record.bytes, &expected, sizeof(expected));
	strbuf_fini(&record);
}
#else
static void registers_are_those_of_the_mask_in_its_order(void **state)
{
	uint64_t registers[34] = { [3] = 33 };
	const uint64_t expected[] = { PERF_SAMPLE_REGS_ABI_64, 33 };
	struct strbuf record;

	(void)state;
	strbuf_init(&record);
	user_registers_add(&record, registers, 1u << 3);
	assert_memory_equal(record.bytes, expected, sizeof(expected));
	strbuf_fini(&record);
}

static void programs_of_32_bits_are_said_to_be_such(void **state)
{
	uint64_t registers[34] = { [33] = 0x10 };
	const uint64_t expected = PERF_SAMPLE_REGS_ABI_32;
	struct strbuf record;

	(void)state;
	strbuf_init(&record);
	user_registers_add(&record, registers, 0);
	assert_memory_equal(record.bytes, &expected, sizeof(expected));
	strbuf_fini(&record);
}
#endif

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(registers_are_those_of_the_mask_in_its_order),
		cmocka_unit_test(programs_of_32_bits_are_said_to_be_such),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
