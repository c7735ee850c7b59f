#include "profile/stack_places.h"

#include "support/cmocka.h"
#include "support/profile_builder.h"

/* Locations are the keys; counts the lookups. */
struct asked {
	const struct profile *profile;
	size_t count;
};

static uint32_t location_of(void *context, uint32_t stack)
{
	struct asked *asked = context;

	asked->count++;
	return profile_stack_at(asked->profile, stack)->location;
}

static void only_what_is_new_is_looked_up(void **state)
{
	struct profile *p = profile_create();
	struct asked asked = { .profile = p };
	struct stack_start start = { 1, CALL_TREE_NONE, PROFILE_NONE };
	struct call_tree *tree = call_tree_create();
	struct stack_places *places;
	uint32_t f, g, node;

	(void)state;
	builder_event(p, "cycles");
	f = builder_add(p, 0, "a 1/1", "a`main;a`f", 1, 1);
	g = builder_add(p, 0, "a 1/1", "a`main;a`f;a`g", 1, 1);
	places = stack_places_create(p, location_of, &asked);
	node = stack_places_node(places, tree, start, f);
	assert_int_equal(asked.count, 2);
	assert_int_equal(call_tree_at(tree, stack_places_node(places, tree, start, g))->parent, node);
	assert_int_equal(asked.count, 3);
	assert_int_equal(stack_places_node(places, tree, start, f), node);
	assert_int_equal(stack_places_node(places, tree, start, profile_stack_at(p, f)->parent), 0);
	assert_int_equal(asked.count, 3);
	assert_int_equal(call_tree_node_count(tree), 3);
	stack_places_destroy(places);
	call_tree_destroy(tree);
	profile_destroy(p);
}

static void each_start_has_nodes_of_its_own(void **state)
{
	struct profile *p = profile_create();
	struct asked asked = { .profile = p };
	struct call_tree *tree = call_tree_create();
	struct stack_places *places;
	uint32_t g, one, other, from_f, f;

	(void)state;
	builder_event(p, "cycles");
	g = builder_add(p, 0, "a 1/1", "a`main;a`f;a`g", 1, 1);
	f = profile_stack_at(p, g)->parent;
	places = stack_places_create(p, location_of, &asked);
	one = call_tree_child(tree, CALL_TREE_NONE, 1000);
	other = call_tree_child(tree, CALL_TREE_NONE, 2000);
	one = stack_places_node(places, tree, (struct stack_start){ 1, one, PROFILE_NONE }, g);
	other = stack_places_node(places, tree, (struct stack_start){ 2, other, PROFILE_NONE }, g);
	from_f = stack_places_node(places, tree, (struct stack_start){ 2, CALL_TREE_NONE, f }, g);
	assert_int_equal(call_tree_node_count(tree), 2 + 3 + 3 + 2);
	assert_int_not_equal(one, other);
	assert_int_equal(call_tree_at(tree, from_f)->key, profile_stack_at(p, g)->location);
	assert_int_equal(call_tree_at(tree, call_tree_at(tree, from_f)->parent)->parent, CALL_TREE_NONE);
	assert_int_equal(asked.count, 8);
	stack_places_destroy(places);
	call_tree_destroy(tree);
	profile_destroy(p);
}

static void no_stack_ends_where_it_starts(void **state)
{
	struct profile *p = profile_create();
	struct call_tree *tree = call_tree_create();
	struct stack_places *places = stack_places_create(p, location_of, &(struct asked){ .profile = p });

	(void)state;
	assert_int_equal(
		stack_places_node(places, tree, (struct stack_start){ 1, 7, PROFILE_NONE }, PROFILE_NONE), 7);
	stack_places_destroy(places);
	call_tree_destroy(tree);
	profile_destroy(p);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(only_what_is_new_is_looked_up),
		cmocka_unit_test(each_start_has_nodes_of_its_own),
		cmocka_unit_test(no_stack_ends_where_it_starts),
	};

	return cmocka_run_group_tests_name("profile/stack_places", tests, NULL, NULL);
}
