#include "report/load/stack_memo.h"

#include "support/cmocka.h"

static const uint64_t chain[] = { 0x1000, 0x2000, 0x3000 };

static struct stack_key key_of(size_t entries)
{
	return (struct stack_key){ .ip = 0x1000,
				   .cpumode = 2,
				   .chain = (const uint8_t *)chain,
				   .chain_bytes = entries * sizeof(chain[0]) };
}

static int remembers(struct stack_memo *memo, const struct stack_key *key)
{
	struct stack_result result;

	return stack_memo_find(memo, key, stack_memo_hash(key), &result);
}

static void what_was_added_is_found(void **state)
{
	struct stack_memo *memo = stack_memo_create();
	struct stack_key key = key_of(3), other = key_of(2);
	struct stack_result result;
	const uint64_t hash = stack_memo_hash(&key);

	(void)state;
	stack_memo_prefetch(memo, hash); /* hints change nothing, even in an empty memo */
	stack_memo_prefetch_entry(memo, hash);
	assert_int_equal(stack_memo_find(memo, &key, hash, &result), 0);
	stack_memo_add(memo, &key, hash, (struct stack_result){ .node = 42, .end = 3 });
	stack_memo_prefetch(memo, hash);
	stack_memo_prefetch_entry(memo, hash);
	assert_int_equal(stack_memo_find(memo, &key, hash, &result), 1);
	assert_int_equal(result.node, 42);
	assert_int_equal(result.end, 3);
	assert_int_equal(remembers(memo, &other), 0);
	stack_memo_destroy(memo);
}

static void everything_in_the_key_counts(void **state)
{
	struct stack_memo *memo = stack_memo_create();
	struct stack_key key = key_of(3), changed[7];
	size_t i;

	(void)state;
	stack_memo_add(memo, &key, stack_memo_hash(&key), (struct stack_result){ .node = 42 });
	for (i = 0; i < 7; i++)
		changed[i] = key;
	changed[0].ip++;
	changed[1].cpumode = 1;
	changed[2].event = 1;
	changed[3].has_dump = true;
	changed[4].state.process++;
	changed[5].state.kernel_changes++;
	changed[6].state.version++;
	for (i = 0; i < 7; i++)
		assert_int_equal(remembers(memo, &changed[i]), 0);
	assert_int_equal(remembers(memo, &key), 1);
	stack_memo_destroy(memo);
}

static void it_forgets_rather_than_grow_without_end(void **state)
{
	struct stack_memo *memo = stack_memo_create();
	struct stack_key key = key_of(3);
	uint64_t ip;

	(void)state;
	for (ip = 0; ip <= 256 * 1024; ip++) {
		key.ip = ip;
		stack_memo_add(memo, &key, stack_memo_hash(&key), (struct stack_result){ .node = 1 });
	}
	assert_int_equal(remembers(memo, &key), 1);
	key.ip = 0;
	assert_int_equal(remembers(memo, &key), 0);
	stack_memo_destroy(memo);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_was_added_is_found),
		cmocka_unit_test(everything_in_the_key_counts),
		cmocka_unit_test(it_forgets_rather_than_grow_without_end),
	};

	return cmocka_run_group_tests_name("report/load/stack_memo", tests, NULL, NULL);
}
