#include "profile/call_tree.h"

#include "support/cmocka.h"

enum { MAIN = 10, F = 20, G = 30 };

static void add(struct call_tree *tree, const uint32_t *keys, size_t length, uint64_t weight)
{
	uint32_t node = CALL_TREE_NONE;

	for (size_t i = 0; i < length; i++)
		node = call_tree_child(tree, node, keys[i]);
	call_tree_add(tree, node, 1, weight);
}

static void the_empty_path_counts_for_the_tree_alone(void **state)
{
	struct call_tree *tree = call_tree_create();
	uint32_t f, g;

	(void)state;
	add(tree, (const uint32_t[]){ MAIN, F }, 2, 5);
	f = call_tree_child(tree, call_tree_child(tree, CALL_TREE_NONE, MAIN), F);
	g = call_tree_child(tree, f, G);
	call_tree_add(tree, g, 3, 7);
	call_tree_add(tree, CALL_TREE_NONE, 1, 2);
	call_tree_sum_up(tree);
	assert_int_equal(call_tree_node_count(tree), 3);
	assert_int_equal(call_tree_weight(tree), 14);
	assert_int_equal(call_tree_count(tree), 5);
	assert_int_equal(call_tree_at(tree, call_tree_first(tree))->total_weight, 12);
	assert_int_equal(call_tree_at(tree, call_tree_first(tree))->total_count, 4);
	assert_int_equal(call_tree_at(tree, f)->total_weight, 12);
	assert_int_equal(call_tree_at(tree, f)->self_weight, 5);
	assert_int_equal(call_tree_at(tree, g)->total_weight, 7);
	assert_int_equal(call_tree_at(tree, g)->self_count, 3);
	call_tree_destroy(tree);
}

static void more_may_be_added_after_summing_up(void **state)
{
	struct call_tree *tree = call_tree_create();
	const uint32_t keys[] = { MAIN, F };

	(void)state;
	add(tree, keys, 2, 5);
	call_tree_sum_up(tree);
	add(tree, keys, 2, 1);
	call_tree_sum_up(tree);
	assert_int_equal(call_tree_at(tree, call_tree_first(tree))->total_weight, 6);
	assert_int_equal(call_tree_at(tree, call_tree_first(tree))->total_count, 2);
	call_tree_destroy(tree);
}

static void sums_that_are_too_large_stay_at_the_largest(void **state)
{
	struct call_tree *tree = call_tree_create();
	uint32_t main_node, f, g;

	(void)state;
	main_node = call_tree_child(tree, CALL_TREE_NONE, MAIN);
	f = call_tree_child(tree, main_node, F);
	g = call_tree_child(tree, f, G);
	call_tree_add(tree, g, 2, 5);
	call_tree_add(tree, f, 1, 3);
	call_tree_add(tree, g, 1, 1);
	call_tree_add(tree, call_tree_child(tree, CALL_TREE_NONE, G), 1, UINT64_MAX);
	call_tree_sum_up(tree);
	assert_int_equal(call_tree_count(tree), 5);
	assert_int_equal(call_tree_weight(tree), UINT64_MAX);
	assert_int_equal(call_tree_at(tree, g)->total_weight, 6);
	assert_int_equal(call_tree_at(tree, g)->total_count, 3);
	assert_int_equal(call_tree_at(tree, f)->total_weight, 9);
	assert_int_equal(call_tree_at(tree, f)->self_weight, 3);
	assert_int_equal(call_tree_at(tree, main_node)->total_weight, 9);
	assert_int_equal(call_tree_at(tree, main_node)->total_count, 4);
	call_tree_destroy(tree);
}

static void paths_that_begin_alike_share_nodes(void **state)
{
	struct call_tree *tree = call_tree_create();
	const struct call_node *node;

	(void)state;
	add(tree, (const uint32_t[]){ MAIN, F }, 2, 5);
	add(tree, (const uint32_t[]){ MAIN, G }, 2, 7);
	add(tree, (const uint32_t[]){ MAIN }, 1, 1);
	call_tree_sum_up(tree);
	call_tree_sort(tree);
	assert_int_equal(call_tree_node_count(tree), 3);
	assert_int_equal(call_tree_count(tree), 3);
	assert_int_equal(call_tree_weight(tree), 13);

	node = call_tree_at(tree, call_tree_first(tree));
	assert_int_equal(node->key, MAIN);
	assert_int_equal(node->parent, CALL_TREE_NONE);
	assert_int_equal(node->next_sibling, CALL_TREE_NONE);
	assert_int_equal(node->total_weight, 13);
	assert_int_equal(node->total_count, 3);
	assert_int_equal(node->self_weight, 1);
	assert_int_equal(node->self_count, 1);

	node = call_tree_at(tree, node->first_child);
	assert_int_equal(node->key, G);
	assert_int_equal(node->total_weight, 7);
	assert_int_equal(node->self_weight, 7);
	node = call_tree_at(tree, node->next_sibling);
	assert_int_equal(node->key, F);
	assert_int_equal(node->total_weight, 5);
	assert_int_equal(node->next_sibling, CALL_TREE_NONE);
	call_tree_destroy(tree);
}

static void recursion_is_a_chain_that_counts_each_sample_once_a_node(void **state)
{
	struct call_tree *tree = call_tree_create();
	uint32_t node;

	(void)state;
	add(tree, (const uint32_t[]){ F, F, F }, 3, 2);
	add(tree, (const uint32_t[]){ F, F }, 2, 3);
	call_tree_sum_up(tree);
	assert_int_equal(call_tree_node_count(tree), 3);
	node = call_tree_first(tree);
	assert_int_equal(call_tree_at(tree, node)->total_weight, 5);
	assert_int_equal(call_tree_at(tree, node)->self_weight, 0);
	node = call_tree_at(tree, node)->first_child;
	assert_int_equal(call_tree_at(tree, node)->total_weight, 5);
	assert_int_equal(call_tree_at(tree, node)->self_weight, 3);
	node = call_tree_at(tree, node)->first_child;
	assert_int_equal(call_tree_at(tree, node)->total_weight, 2);
	assert_int_equal(call_tree_at(tree, node)->self_weight, 2);
	call_tree_destroy(tree);
}

static void siblings_of_equal_weight_are_sorted_by_key(void **state)
{
	struct call_tree *tree = call_tree_create();
	uint32_t key, node;

	(void)state;
	for (key = 100; key-- > 0;)
		add(tree, &key, 1, 4);
	call_tree_sum_up(tree);
	call_tree_sort(tree);
	node = call_tree_first(tree);
	for (key = 0; key < 100; key++) {
		assert_int_equal(call_tree_at(tree, node)->key, key);
		node = call_tree_at(tree, node)->next_sibling;
	}
	assert_int_equal(node, CALL_TREE_NONE);
	call_tree_destroy(tree);
}

/* total = self + the children's totals, for any input. */
static void totals_are_self_and_children(void **state)
{
	struct call_tree *tree = call_tree_create();
	uint32_t keys[6], node, child, i;
	uint64_t random = 88172645463325252u, sum, roots = 0;

	(void)state;
	for (i = 0; i < 2000; i++) {
		uint32_t length = 0;

		do {
			random ^= random << 13;
			random ^= random >> 7;
			random ^= random << 17;
			keys[length++] = (uint32_t)(random >> 60) % 4;
		} while (length < 6 && random >> 32 & 3);
		add(tree, keys, length, random >> 20 & 1023);
	}
	call_tree_sum_up(tree);
	call_tree_sort(tree);
	for (node = 0; node < call_tree_node_count(tree); node++) {
		sum = call_tree_at(tree, node)->self_weight;
		child = call_tree_at(tree, node)->first_child;
		for (; child != CALL_TREE_NONE; child = call_tree_at(tree, child)->next_sibling)
			sum += call_tree_at(tree, child)->total_weight;
		assert_int_equal(sum, call_tree_at(tree, node)->total_weight);
	}
	for (node = call_tree_first(tree); node != CALL_TREE_NONE;
	     node = call_tree_at(tree, node)->next_sibling)
		roots += call_tree_at(tree, node)->total_weight;
	assert_int_equal(roots, call_tree_weight(tree));
	assert_int_equal(call_tree_count(tree), 2000);
	call_tree_destroy(tree);
}

static void an_empty_tree_has_no_first_node(void **state)
{
	struct call_tree *tree = call_tree_create();

	(void)state;
	call_tree_add(tree, CALL_TREE_NONE, 1, 9);
	call_tree_sum_up(tree);
	call_tree_sort(tree);
	assert_int_equal(call_tree_first(tree), CALL_TREE_NONE);
	assert_int_equal(call_tree_weight(tree), 9);
	call_tree_destroy(tree);
	call_tree_destroy(NULL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(paths_that_begin_alike_share_nodes),
		cmocka_unit_test(the_empty_path_counts_for_the_tree_alone),
		cmocka_unit_test(more_may_be_added_after_summing_up),
		cmocka_unit_test(recursion_is_a_chain_that_counts_each_sample_once_a_node),
		cmocka_unit_test(siblings_of_equal_weight_are_sorted_by_key),
		cmocka_unit_test(totals_are_self_and_children),
		cmocka_unit_test(sums_that_are_too_large_stay_at_the_largest),
		cmocka_unit_test(an_empty_tree_has_no_first_node),
	};

	return cmocka_run_group_tests_name("profile/call_tree", tests, NULL, NULL);
}
