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

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_node_is_its_caller_its_location_and_how_it_was_found),
		cmocka_unit_test(parents_are_older_than_their_children),
	};

	return cmocka_run_group_tests_name("profile/stack_tree", tests, NULL, NULL);
}
