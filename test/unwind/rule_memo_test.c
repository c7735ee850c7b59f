#include "unwind/rule_memo.h"

#include "support/cmocka.h"
#include "unwind/arch/unwind_rule.h"

static void what_was_put_is_found_while_the_memo_grows(void **state)
{
	static const struct unwind_rule rules[7];
	struct rule_memo memo;

	(void)state;
	rule_memo_init(&memo);
	assert_null(rule_memo_find(&memo, 0));
	for (uint64_t i = 0; i < 10000; i++)
		rule_memo_put(&memo, i * 0x1000, &rules[i % 7]);
	for (uint64_t i = 0; i < 10000; i++)
		assert_ptr_equal(rule_memo_find(&memo, i * 0x1000), &rules[i % 7]);
	assert_null(rule_memo_find(&memo, 1));
	assert_null(rule_memo_find(&memo, 10000 * 0x1000));
	rule_memo_fini(&memo);
}

static void memory_is_bounded(void **state)
{
	static const struct unwind_rule rule;
	struct rule_memo memo;

	(void)state;
	rule_memo_init(&memo);
	for (uint64_t i = 0; i < RULE_MEMO_MAX_ENTRIES; i++)
		rule_memo_put(&memo, i, &rule);
	assert_int_equal(memo.mask + 1, RULE_MEMO_MAX_ENTRIES);
	assert_true(memo.used <= RULE_MEMO_MAX_ENTRIES / 2);
	assert_ptr_equal(rule_memo_find(&memo, RULE_MEMO_MAX_ENTRIES - 1), &rule);
	rule_memo_fini(&memo);
}

/* Keys of two modules, of each kind, at both ends of the range of vaddrs that the memo takes. */
static void keys_of_different_rules_differ(void **state)
{
	static const uint64_t vaddrs[] = { 0, 1, UINT64_C(1) << 41, (UINT64_C(1) << 42) - 1 };
	enum { KINDS = RULE_MEMO_EXIT + 1, COUNT = 2 * 4 * KINDS };
	uint64_t keys[COUNT];
	size_t count = 0;

	(void)state;
	assert_false(rule_memo_takes(UINT64_C(1) << 42));
	for (uint32_t module = 0; module < 2; module++)
		for (size_t i = 0; i < 4; i++)
			for (int kind = 0; kind < KINDS; kind++) {
				assert_true(rule_memo_takes(vaddrs[i]));
				keys[count++] = rule_memo_key(rule_memo_key_base(module), vaddrs[i],
							      (enum rule_memo_kind)kind);
			}
	for (size_t i = 0; i < count; i++)
		for (size_t j = 0; j < i; j++)
			assert_true(keys[i] != keys[j]);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_was_put_is_found_while_the_memo_grows),
		cmocka_unit_test(memory_is_bounded),
		cmocka_unit_test(keys_of_different_rules_differ),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
