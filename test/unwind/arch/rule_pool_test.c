#include "unwind/arch/rule_pool.h"

#include "support/cmocka.h"
#include "unwind/arch/unwind_arch.h"

enum { RBX = 3, RSP = 7, RA = 16 };

static struct unwind_rule rule_with_cfa(int32_t offset)
{
	return (struct unwind_rule){
		.cfa = { .kind = CFA_REGISTER, .reg = RSP, .value = offset },
		.ra = { .kind = RULE_AT_CFA, .column = RA, .value = -8 },
	};
}

static uint32_t add(struct rule_pool *pool, const struct unwind_rule *rule)
{
	return rule_pool_add(pool, &unwind_arch_x86_64, rule, (uint64_t)(uint32_t)rule->cfa.value << 32);
}

static void equal_rules_have_one_number(void **state)
{
	struct rule_pool *pool = rule_pool_create();
	const struct unwind_rule one = rule_with_cfa(16), other = rule_with_cfa(24);
	const uint32_t number = add(pool, &one);

	(void)state;
	assert_int_not_equal(number, RULE_POOL_NO_CFI);
	assert_int_not_equal(add(pool, &other), number);
	assert_int_equal(add(pool, &one), number);
	assert_int_equal(rule_pool_count(pool), 3);
	assert_int_equal(rule_pool_rule(pool, number)->path, PATH_SP);
	rule_pool_destroy(pool);
}

static void rules_stay_where_they_are(void **state)
{
	enum { COUNT = 1000 };
	struct rule_pool *pool = rule_pool_create();
	const struct unwind_rule first = rule_with_cfa(16);
	const struct unwind_rule *at = rule_pool_rule(pool, add(pool, &first));

	(void)state;
	for (int32_t i = 1; i < COUNT; i++) {
		const struct unwind_rule rule = rule_with_cfa(16 + 8 * i);

		assert_int_equal(rule_pool_rule(pool, add(pool, &rule))->cfa.value, 16 + 8 * i);
	}
	assert_ptr_equal(rule_pool_rule(pool, add(pool, &first)), at);
	assert_int_equal(at->cfa.value, 16);
	rule_pool_destroy(pool);
}

static void rules_share_what_else_was_saved(void **state)
{
	const struct register_rule saved = { .kind = RULE_AT_CFA, .column = RBX, .value = -16 };
	const struct register_rule same = saved;
	const struct register_rule elsewhere = { .kind = RULE_AT_CFA, .column = RBX, .value = -24 };
	struct rule_pool *pool = rule_pool_create();
	struct unwind_rule rules[3] = { rule_with_cfa(16), rule_with_cfa(24), rule_with_cfa(32) };
	const struct unwind_rule *kept[3];
	size_t bytes;

	(void)state;
	rules[0].others = &saved;
	rules[1].others = &same;
	rules[2].others = &elsewhere;
	for (size_t i = 0; i < 3; i++)
		rules[i].other_count = 1;
	kept[0] = rule_pool_rule(pool, add(pool, &rules[0]));
	bytes = rule_pool_bytes(pool);
	kept[1] = rule_pool_rule(pool, add(pool, &rules[1]));
	assert_int_equal(rule_pool_bytes(pool), bytes);
	kept[2] = rule_pool_rule(pool, add(pool, &rules[2]));
	assert_ptr_not_equal(kept[0]->others, &saved);
	assert_ptr_equal(kept[1]->others, kept[0]->others);
	assert_int_equal(kept[1]->others->value, -16);
	assert_int_equal(kept[2]->others->value, -24);
	rule_pool_destroy(pool);
}

static void expressions_have_numbers(void **state)
{
	static const uint8_t bytes[] = { 0x30 };
	const struct dwarf_expr expression = { .bytes = bytes, .size = 1 };
	struct rule_pool *pool = rule_pool_create();
	const uint32_t number = rule_pool_add_expression(pool, &expression);

	(void)state;
	assert_ptr_equal(rule_pool_expression(pool, number)->bytes, bytes);
	assert_null(rule_pool_expression(pool, number + 1));
	assert_null(rule_pool_expression(pool, UINT32_MAX));
	rule_pool_destroy(pool);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(equal_rules_have_one_number),
		cmocka_unit_test(rules_stay_where_they_are),
		cmocka_unit_test(rules_share_what_else_was_saved),
		cmocka_unit_test(expressions_have_numbers),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
