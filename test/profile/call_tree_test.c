#include "profile/call_tree.h"

#include "support/cmocka.h"

enum { MAIN = 10, F = 20, G = 30 };

static void add(struct call_tree *tree, const uint32_t *keys, size_t length, uint64_t weight)
{
	call_tree_add(tree, keys, length, 1, weight);
}

static void a_path_may_be_added_by_its_nodes(void **state)
{
	struct call_tree *tree = call_tree_create();
	uint32_t nodes[2];

	(void)state;
	add(tree, (const uint32_t[]){ MAIN, F }, 2, 5);
	nodes[0] = call_tree_child(tree, CALL_TREE_NONE, MAIN);
	nodes[1] = call_tree_child(tree, nodes[0], G);
	call_tree_add_path(tree, nodes, 2, 3, 7);
	assert_int_equal(call_tree_node_count(tree), 3);
	assert_int_equal(call_tree_weight(tree), 12);
	assert_int_equal(call_tree_count(tree), 4);
	assert_int_equal(call_tree_at(tree, nodes[0])->total_weight, 12);
	assert_int_equal(call_tree_at(tree, nodes[0])->self_weight, 0);
	assert_int_equal(call_tree_at(tree, nodes[1])->self_weight, 7);
	assert_int_equal(call_tree_at(tree, nodes[1])->self_count, 3);
	call_tree_destroy(tree);
}

static void a_path_may_be_added_by_its_last_node(void **state)
{
	struct call_tree *tree = call_tree_create();
	uint32_t f, g;

	(void)state;
	add(tree, (const uint32_t[]){ MAIN, F }, 2, 5);
	f = call_tree_child(tree, call_tree_child(tree, CALL_TREE_NONE, MAIN), F);
	g = call_tree_child(tree, f, G);
	call_tree_add_at(tree, g, 3, 7);
	call_tree_add_at(tree, CALL_TREE_NONE, 1, 2);
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

static void totals_may_be_worked_out_when_all_is_in(void **state)
{
	struct call_tree *tree = call_tree_create();
	uint32_t main_node, f, g;

	(void)state;
	main_node = call_tree_child(tree, CALL_TREE_NONE, MAIN);
	f = call_tree_child(tree, main_node, F);
	g = call_tree_child(tree, f, G);
	call_tree_add_self(tree, g, 2, 5);
	call_tree_add_self(tree, f, 1, 3);
	call_tree_add_self(tree, g, 1, 1);
	call_tree_add_self(tree, call_tree_child(tree, CALL_TREE_NONE, G), 1, UINT64_MAX);
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
	call_tree_sort(tree);
	node = call_tree_first(tree);
	for (key = 0; key < 100; key++) {
		assert_int_equal(call_tree_at(tree, node)->key, key);
		node = call_tree_at(tree, node)->next_sibling;
	}
	assert_int_equal(node, CALL_TREE_NONE);
	call_tree_destroy(tree);
}

/* total = self + the children's totals, whatever went in. */
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
	call_tree_add(tree, NULL, 0, 1, 9);
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
		cmocka_unit_test(a_path_may_be_added_by_its_nodes),
		cmocka_unit_test(a_path_may_be_added_by_its_last_node),
		cmocka_unit_test(recursion_is_a_chain_that_counts_each_sample_once_a_node),
		cmocka_unit_test(siblings_of_equal_weight_are_sorted_by_key),
		cmocka_unit_test(totals_are_self_and_children),
		cmocka_unit_test(totals_may_be_worked_out_when_all_is_in),
		cmocka_unit_test(an_empty_tree_has_no_first_node),
	};

	return cmocka_run_group_tests_name("profile/call_tree", tests, NULL, NULL);
}
