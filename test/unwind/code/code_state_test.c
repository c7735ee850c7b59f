#include "unwind/code/code_state.h"

#include <limits.h>

#include "support/cmocka.h"
#include "support/rule_text.h"

static const struct unwind_arch *const arch = &unwind_arch_x86_64;

static void set(struct code_state *state, uint8_t reg, uint8_t base, int32_t value)
{
	code_state_apply(state, arch,
			 &(struct code_effect){ .kind = CODE_SET, .reg = reg, .base = base, .value = value });
}

static void store(struct code_state *state, uint8_t reg, uint8_t base, int32_t value)
{
	code_state_apply(
		state, arch,
		&(struct code_effect){
			.kind = CODE_STORE, .reg = reg, .base = base, .value = value, .size_bytes = 8 });
}

static void load(struct code_state *state, uint8_t reg, uint8_t base, int32_t value)
{
	code_state_apply(
		state, arch,
		&(struct code_effect){ .kind = CODE_LOAD, .reg = reg, .base = base, .value = value });
}

static void lose(struct code_state *state, uint8_t reg)
{
	code_state_apply(state, arch, &(struct code_effect){ .kind = CODE_LOSE, .reg = reg });
}

static void assert_rule(const struct code_state *state, const char *expected)
{
	struct rule_pool *pool = rule_pool_create();
	const struct unwind_rule *rule = rule_pool_rule(pool, code_state_rule(state, arch, pool));
	char text[RULE_TEXT_BYTES];

	rule_text(text, arch, rule);
	assert_string_equal(rule->path == PATH_NO_CFI ? "unknown" : text, expected);
	rule_pool_destroy(pool);
}

static void function_begins_with_its_return_address_on_top(void **state)
{
	struct code_state known;

	(void)state;
	code_state_enter(&known, arch);
	assert_rule(&known, "cfa=r7+8 r6=same r16=*(cfa-8)");
}

static void saved_register_is_found_until_its_place_is_left(void **state)
{
	struct code_state known;

	(void)state;
	code_state_enter(&known, arch);
	set(&known, X86_64_RSP, X86_64_RSP, -16);
	store(&known, X86_64_RBX, X86_64_RSP, 8);
	lose(&known, X86_64_RBX);
	assert_rule(&known, "cfa=r7+24 r3=*(cfa-16) r6=same r16=*(cfa-8)");
	set(&known, X86_64_RSP, X86_64_RSP, 16);
	assert_rule(&known, "cfa=r7+8 r3=undefined r6=same r16=*(cfa-8)");
}

static void restored_register_is_the_callers(void **state)
{
	struct code_state known;

	(void)state;
	code_state_enter(&known, arch);
	set(&known, X86_64_RSP, X86_64_RSP, -16);
	store(&known, X86_64_RBX, X86_64_RSP, 0);
	lose(&known, X86_64_RBX);
	load(&known, X86_64_RBX, X86_64_RSP, 0);
	assert_rule(&known, "cfa=r7+24 r6=same r16=*(cfa-8)");
}

static void register_may_be_kept_in_another(void **state)
{
	struct code_state known;

	(void)state;
	code_state_enter(&known, arch);
	set(&known, X86_64_R12, X86_64_RBP, 0);
	lose(&known, X86_64_RBP);
	assert_rule(&known, "cfa=r7+8 r6=r12+0 r12=undefined r16=*(cfa-8)");
}

static void nothing_is_kept_below_the_stack_pointer(void **state)
{
	struct code_state known;

	(void)state;
	code_state_enter(&known, arch);
	store(&known, X86_64_RBP, X86_64_RSP, -8);
	lose(&known, X86_64_RBP);
	assert_rule(&known, "cfa=r7+8 r6=undefined r16=*(cfa-8)");
}

static void call_leaves_what_the_abi_says(void **state)
{
	struct code_state known;

	(void)state;
	code_state_enter(&known, arch);
	set(&known, X86_64_R10, X86_64_RSP, 0);
	set(&known, X86_64_R13, X86_64_RSP, 0);
	code_state_call(&known, arch);
	assert_int_equal(known.regs[X86_64_R10].kind, CODE_UNKNOWN);
	assert_int_equal(known.regs[X86_64_R13].kind, CODE_CFA_PLUS);
	assert_int_equal(known.regs[X86_64_RSP].kind, CODE_CFA_PLUS);
	assert_rule(&known, "cfa=r7+8 r6=same r13=undefined r16=*(cfa-8)");
}

static void ways_keep_what_they_agree_in(void **state)
{
	struct code_state one, other;

	(void)state;
	code_state_enter(&one, arch);
	set(&one, X86_64_RSP, X86_64_RSP, -8);
	other = one;
	store(&one, X86_64_RBP, X86_64_RSP, 0);
	assert_false(code_state_differs_in_depth(&one, &other, arch));
	lose(&one, X86_64_RBX);
	assert_true(code_state_meet(&one, &other));
	assert_false(code_state_meet(&one, &other));
	assert_rule(&one, "cfa=r7+16 r3=undefined r6=same r16=*(cfa-8)");
	set(&other, X86_64_RSP, X86_64_RSP, -8);
	assert_true(code_state_differs_in_depth(&one, &other, arch));
	assert_true(code_state_meet(&one, &other));
	assert_rule(&one, "unknown");
}

static void frame_above_the_caller_is_none(void **state)
{
	struct code_state known;

	(void)state;
	code_state_enter(&known, arch);
	set(&known, X86_64_RSP, X86_64_RSP, 16);
	assert_rule(&known, "unknown");
}

static void distances_do_not_overflow(void **state)
{
	struct code_state known;

	(void)state;
	code_state_enter(&known, arch);
	for (int i = 0; i < 64; i++)
		set(&known, X86_64_RSP, X86_64_RSP, INT_MIN / 8);
	assert_rule(&known, "unknown");
	store(&known, X86_64_RBX, X86_64_RSP, INT_MIN);
	load(&known, X86_64_RBX, X86_64_RSP, INT_MIN);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(function_begins_with_its_return_address_on_top),
		cmocka_unit_test(saved_register_is_found_until_its_place_is_left),
		cmocka_unit_test(restored_register_is_the_callers),
		cmocka_unit_test(register_may_be_kept_in_another),
		cmocka_unit_test(nothing_is_kept_below_the_stack_pointer),
		cmocka_unit_test(call_leaves_what_the_abi_says),
		cmocka_unit_test(ways_keep_what_they_agree_in),
		cmocka_unit_test(frame_above_the_caller_is_none),
		cmocka_unit_test(distances_do_not_overflow),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
