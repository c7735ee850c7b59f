#include "profile/stack_tree.h"

#include "support/cmocka.h"

static void a_node_is_its_caller_its_location_and_how_it_was_found(void **state)
{
	struct stack_tree tree;
	uint32_t root, child;

	(void)state;
	stack_tree_init(&tree);
	root = stack_tree_add(&tree, PROFILE_NONE, 5, FRAME_KERNEL_CHAIN);
	child = stack_tree_add(&tree, root, 5, FRAME_KERNEL_CHAIN);
	assert_int_equal(root, 0);
	assert_int_equal(child, 1);
	assert_int_equal(stack_tree_add(&tree, root, 5, FRAME_SAMPLED), 2);
	assert_int_equal(stack_tree_add(&tree, PROFILE_NONE, 6, FRAME_KERNEL_CHAIN), 3);
	assert_int_equal(stack_tree_add(&tree, root, 5, FRAME_KERNEL_CHAIN), child);
	assert_int_equal(stack_tree_at(&tree, child)->parent, root);
	assert_int_equal(stack_tree_at(&tree, child)->depth, 1);
	stack_tree_fini(&tree);
}

static void parents_are_older_than_their_children(void **state)
{
	struct stack_tree tree;
	uint32_t node = PROFILE_NONE, i;

	(void)state;
	stack_tree_init(&tree);
	for (i = 0; i < 5000; i++)
		node = stack_tree_add(&tree, i % 50 ? node : PROFILE_NONE, i * 7 % 11, FRAME_CFI);
	for (i = 0; i < tree.nodes.count; i++)
		assert_true(stack_tree_at(&tree, i)->parent == PROFILE_NONE ||
			    stack_tree_at(&tree, i)->parent < i);
	stack_tree_fini(&tree);
}

static void paths_are_known_before_the_nodes(void **state)
{
	const uint32_t root_path = stack_tree_path(stack_tree_hash(STACK_PATH_ROOT, 5, FRAME_KERNEL_CHAIN));
	const uint32_t path = stack_tree_path(stack_tree_hash(root_path, 6, FRAME_SAMPLED));
	struct stack_tree tree;
	uint32_t node;

	(void)state;
	stack_tree_init(&tree);
	node = stack_tree_add(&tree, PROFILE_NONE, 5, FRAME_KERNEL_CHAIN);
	node = stack_tree_add(&tree, node, 6, FRAME_SAMPLED);
	assert_int_equal(intern_table_hash(&tree.nodes, node), path);
	stack_tree_fini(&tree);
}

/* Two roots with equal paths: among many locations some pair has them, because 32 bits do not distinguish all. */
static void nodes_of_equal_paths_stay_apart(void **state)
{
	enum { LOCATIONS = 1 << 18 };
	struct stack_tree tree;
	struct hash_table seen;
	uint32_t one = PROFILE_NONE, other = 0;

	(void)state;
	stack_tree_init(&tree);
	hash_table_init(&seen);
	while (other < LOCATIONS && one == PROFILE_NONE) {
		const uint64_t hash = stack_tree_hash(STACK_PATH_ROOT, other, FRAME_CFI);

		one = hash_table_peek(&seen, hash);
		if (one != PROFILE_NONE &&
		    stack_tree_path(stack_tree_hash(STACK_PATH_ROOT, one, FRAME_CFI)) !=
			    stack_tree_path(hash))
			one = PROFILE_NONE; /* hash_table_peek() is usually right, but not always */
		hash_table_insert(&seen, hash, other++);
	}
	hash_table_fini(&seen);
	assert_int_not_equal(one, PROFILE_NONE);
	one = stack_tree_add(&tree, PROFILE_NONE, one, FRAME_CFI);
	other = stack_tree_add(&tree, PROFILE_NONE, other - 1, FRAME_CFI);
	assert_int_equal(intern_table_hash(&tree.nodes, one), intern_table_hash(&tree.nodes, other));
	assert_int_not_equal(one, other);
	one = stack_tree_add(&tree, one, 7, FRAME_CFI);
	other = stack_tree_add(&tree, other, 7, FRAME_CFI);
	assert_int_not_equal(one, other);
	assert_int_equal(stack_tree_at(&tree, one)->parent, 0);
	assert_int_equal(stack_tree_at(&tree, other)->parent, 1);
	stack_tree_fini(&tree);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_node_is_its_caller_its_location_and_how_it_was_found),
		cmocka_unit_test(parents_are_older_than_their_children),
		cmocka_unit_test(paths_are_known_before_the_nodes),
		cmocka_unit_test(nodes_of_equal_paths_stay_apart),
	};

	return cmocka_run_group_tests_name("profile/stack_tree", tests, NULL, NULL);
}
