#include "unwind/arch/dwarf_expr.h"

#include <dwarf.h>
#include <string.h>

#include "support/cmocka.h"

/* rsp is 0x7000, rbp 0x7010; the words of the stack are 0x1111, 0x2222, 0x8000000000000003. */
static const uint8_t stack_bytes[] = { 0x11, 0x11, 0, 0, 0, 0, 0, 0, 0x22, 0x22, 0, 0,
				       0,    0,    0, 0, 3, 0, 0, 0, 0,    0,    0, 0x80 };
static const struct stack_memory memory = { .bytes = stack_bytes,
					    .size = sizeof(stack_bytes),
					    .address = 0x7000 };

static enum dwarf_expr_result evaluate(const uint8_t *bytes, size_t size, const uint64_t *first,
				       uint64_t *value)
{
	struct dwarf_expr expr = { .bytes = bytes, .size = size };
	struct unwind_registers regs = { .known = 1u << X86_64_RSP | 1u << X86_64_RBP };

	regs.value[X86_64_RSP] = 0x7000;
	regs.value[X86_64_RBP] = 0x7010;
	return dwarf_expr_evaluate(&expr, &regs, &memory, first, value);
}

#define ASSERT_VALUE(expected, ...)                                                          \
	do {                                                                                 \
		static const uint8_t bytes[] = { __VA_ARGS__ };                              \
		uint64_t got;                                                                \
		assert_int_equal(evaluate(bytes, sizeof(bytes), NULL, &got), DWARF_EXPR_OK); \
		assert_int_equal(got, (uint64_t)(expected));                                 \
	} while (0)

#define ASSERT_RESULT(expected, ...)                                                    \
	do {                                                                            \
		static const uint8_t bytes[] = { __VA_ARGS__ };                         \
		uint64_t got;                                                           \
		assert_int_equal(evaluate(bytes, sizeof(bytes), NULL, &got), expected); \
	} while (0)

static void constants_are_pushed(void **state)
{
	(void)state;
	ASSERT_VALUE(17, DW_OP_lit17);
	ASSERT_VALUE(0xfe, DW_OP_const1u, 0xfe);
	ASSERT_VALUE(-2, DW_OP_const1s, 0xfe);
	ASSERT_VALUE(0xfffe, DW_OP_const2u, 0xfe, 0xff);
	ASSERT_VALUE(-2, DW_OP_const2s, 0xfe, 0xff);
	ASSERT_VALUE(0xfffffffe, DW_OP_const4u, 0xfe, 0xff, 0xff, 0xff);
	ASSERT_VALUE(-2, DW_OP_const4s, 0xfe, 0xff, 0xff, 0xff);
	ASSERT_VALUE(0x0807060504030201, DW_OP_const8u, 1, 2, 3, 4, 5, 6, 7, 8);
	ASSERT_VALUE(0x0807060504030201, DW_OP_const8s, 1, 2, 3, 4, 5, 6, 7, 8);
	ASSERT_VALUE(0x0807060504030201, DW_OP_addr, 1, 2, 3, 4, 5, 6, 7, 8);
	ASSERT_VALUE(300, DW_OP_constu, 0xac, 0x02);
	ASSERT_VALUE(-3, DW_OP_consts, 0x7d);
}

static void registers_and_memory_are_read(void **state)
{
	(void)state;
	ASSERT_VALUE(0x7008, DW_OP_breg7, 8);
	ASSERT_VALUE(0x6ff8, DW_OP_breg7, 0x78);
	ASSERT_VALUE(0x7018, DW_OP_bregx, 6, 8);
	ASSERT_VALUE(0x2222, DW_OP_breg7, 8, DW_OP_deref);
	ASSERT_VALUE(0x22, DW_OP_breg7, 8, DW_OP_deref_size, 1);
	ASSERT_VALUE(0x80000000, DW_OP_breg6, 4, DW_OP_deref_size, 4);
}

static void the_stack_is_rearranged(void **state)
{
	(void)state;
	ASSERT_VALUE(4, DW_OP_lit2, DW_OP_dup, DW_OP_plus);
	ASSERT_VALUE(2, DW_OP_lit2, DW_OP_lit9, DW_OP_drop);
	ASSERT_VALUE(7, DW_OP_lit7, DW_OP_lit9, DW_OP_over);
	ASSERT_VALUE(5, DW_OP_lit5, DW_OP_lit6, DW_OP_lit7, DW_OP_pick, 2);
	ASSERT_VALUE(3, DW_OP_lit2, DW_OP_lit5, DW_OP_swap, DW_OP_minus);
	ASSERT_VALUE(2, DW_OP_lit1, DW_OP_lit2, DW_OP_lit3, DW_OP_rot);
	ASSERT_VALUE(3, DW_OP_lit1, DW_OP_lit2, DW_OP_lit3, DW_OP_rot, DW_OP_drop, DW_OP_drop);
}

static void arithmetic_is_as_dwarf_says(void **state)
{
	(void)state;
	ASSERT_VALUE(5, DW_OP_const1s, 0xfb, DW_OP_abs);
	ASSERT_VALUE(-5, DW_OP_lit5, DW_OP_neg);
	ASSERT_VALUE(~(uint64_t)5, DW_OP_lit5, DW_OP_not);
	ASSERT_VALUE(8, DW_OP_lit12, DW_OP_lit10, DW_OP_and);
	ASSERT_VALUE(14, DW_OP_lit12, DW_OP_lit10, DW_OP_or);
	ASSERT_VALUE(6, DW_OP_lit12, DW_OP_lit10, DW_OP_xor);
	ASSERT_VALUE(-2, DW_OP_const1s, 0xfb, DW_OP_lit2, DW_OP_div);
	ASSERT_VALUE(2, DW_OP_lit17, DW_OP_lit5, DW_OP_mod);
	ASSERT_VALUE(30, DW_OP_lit6, DW_OP_lit5, DW_OP_mul);
	ASSERT_VALUE(136, DW_OP_lit6, DW_OP_plus_uconst, 0x82, 0x01);
	ASSERT_VALUE(24, DW_OP_lit6, DW_OP_lit2, DW_OP_shl);
	ASSERT_VALUE(0, DW_OP_lit6, DW_OP_const1u, 64, DW_OP_shl);
	ASSERT_VALUE(1, DW_OP_const1s, 0xff, DW_OP_const1u, 63, DW_OP_shr);
	ASSERT_VALUE(-1, DW_OP_const1s, 0xff, DW_OP_const1u, 63, DW_OP_shra);
	ASSERT_VALUE(-2, DW_OP_const1s, 0xf8, DW_OP_lit2, DW_OP_shra);
}

static void comparisons_are_signed(void **state)
{
	(void)state;
	ASSERT_VALUE(1, DW_OP_const1s, 0xff, DW_OP_lit1, DW_OP_lt);
	ASSERT_VALUE(1, DW_OP_const1s, 0xff, DW_OP_lit1, DW_OP_le);
	ASSERT_VALUE(0, DW_OP_const1s, 0xff, DW_OP_lit1, DW_OP_gt);
	ASSERT_VALUE(0, DW_OP_const1s, 0xff, DW_OP_lit1, DW_OP_ge);
	ASSERT_VALUE(0, DW_OP_const1s, 0xff, DW_OP_lit1, DW_OP_eq);
	ASSERT_VALUE(1, DW_OP_const1s, 0xff, DW_OP_lit1, DW_OP_ne);
}

static void jumps_are_taken(void **state)
{
	(void)state;
	ASSERT_VALUE(1, DW_OP_lit1, DW_OP_skip, 1, 0, DW_OP_lit2, DW_OP_nop);
	ASSERT_VALUE(1, DW_OP_lit1, DW_OP_lit3, DW_OP_bra, 1, 0, DW_OP_lit2);
	ASSERT_VALUE(2, DW_OP_lit1, DW_OP_lit0, DW_OP_bra, 1, 0, DW_OP_lit2);
}

static void first_value_is_below_all_others(void **state)
{
	static const uint8_t plus_8[] = { DW_OP_plus_uconst, 8 };
	const uint64_t cfa = 0x7100;
	uint64_t value;

	(void)state;
	assert_int_equal(evaluate(plus_8, sizeof(plus_8), &cfa, &value), DWARF_EXPR_OK);
	assert_int_equal(value, 0x7108);
}

static void what_cannot_be_evaluated_says_why(void **state)
{
	static const uint8_t beyond[] = { DW_OP_breg7, 0x11, DW_OP_deref };
	uint64_t value;

	(void)state;
	ASSERT_RESULT(DWARF_EXPR_UNKNOWN_REGISTER, DW_OP_breg3, 0);
	ASSERT_RESULT(DWARF_EXPR_UNKNOWN_REGISTER, DW_OP_bregx, 0x80, 0x01, 0);
	assert_int_equal(evaluate(beyond, sizeof(beyond), NULL, &value), DWARF_EXPR_NO_MEMORY);
	assert_int_equal(value, 0x7011);
	ASSERT_RESULT(DWARF_EXPR_INVALID, DW_OP_plus);                        /* nothing to add */
	ASSERT_RESULT(DWARF_EXPR_INVALID, DW_OP_nop);                         /* no result */
	ASSERT_RESULT(DWARF_EXPR_INVALID, DW_OP_call_frame_cfa);              /* not allowed in CFI */
	ASSERT_RESULT(DWARF_EXPR_INVALID, DW_OP_lit1, DW_OP_lit0, DW_OP_div); /* by zero */
	ASSERT_RESULT(DWARF_EXPR_INVALID, DW_OP_lit1, DW_OP_lit0, DW_OP_mod);
	ASSERT_RESULT(DWARF_EXPR_INVALID, DW_OP_const4u, 1, 2); /* cut off */
	ASSERT_RESULT(DWARF_EXPR_INVALID, DW_OP_breg7, 0, DW_OP_deref_size, 9);
	ASSERT_RESULT(DWARF_EXPR_INVALID, DW_OP_skip, 0xfd, 0xff);             /* jumps to itself for ever */
	ASSERT_RESULT(DWARF_EXPR_INVALID, DW_OP_skip, 1, 0);                   /* leaves the expression */
	ASSERT_RESULT(DWARF_EXPR_INVALID, DW_OP_lit1, DW_OP_skip, 0xfc, 0xff); /* grows the stack for ever */
}

static void division_that_does_not_fit_wraps(void **state)
{
	(void)state;
	ASSERT_VALUE((uint64_t)1 << 63, DW_OP_lit1, DW_OP_const1u, 63, DW_OP_shl, DW_OP_const1s, 0xff,
		     DW_OP_div);
}

static void registers_that_are_used_are_known(void **state)
{
	static const uint8_t simple[] = {
		DW_OP_breg7, 8, DW_OP_const2u, 1, 2, DW_OP_bregx, 16, 0, DW_OP_deref
	};
	static const uint8_t strange[] = { DW_OP_breg7, 8, DW_OP_call_frame_cfa };

	(void)state;
	assert_int_equal(
		dwarf_expr_registers(&(struct dwarf_expr){ .bytes = simple, .size = sizeof(simple) }),
		1u << 7 | 1u << 16);
	assert_int_equal(
		dwarf_expr_registers(&(struct dwarf_expr){ .bytes = strange, .size = sizeof(strange) }),
		UINT64_MAX);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(constants_are_pushed),
		cmocka_unit_test(registers_and_memory_are_read),
		cmocka_unit_test(the_stack_is_rearranged),
		cmocka_unit_test(arithmetic_is_as_dwarf_says),
		cmocka_unit_test(comparisons_are_signed),
		cmocka_unit_test(jumps_are_taken),
		cmocka_unit_test(first_value_is_below_all_others),
		cmocka_unit_test(what_cannot_be_evaluated_says_why),
		cmocka_unit_test(division_that_does_not_fit_wraps),
		cmocka_unit_test(registers_that_are_used_are_known),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
