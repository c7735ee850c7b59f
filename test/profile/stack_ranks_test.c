#include "profile/stack_ranks.h"

#include <stdlib.h>

#include "support/cmocka.h"
#include "support/profile_builder.h"

static void what_a_node_leads_to_follows_right_behind_it(void **state)
{
	struct profile *p = profile_create();
	uint32_t main, f, g, h, k, *ranks;

	(void)state;
	builder_event(p, "cycles");
	main = builder_add(p, 0, "a 1/1", "a`main", 1, 1);
	h = builder_add(p, 0, "a 1/1", "a`main;a`h", 1, 1);
	f = builder_add(p, 0, "a 1/1", "a`main;a`f", 1, 1);
	k = builder_add(p, 0, "a 1/1", "a`main;a`h;a`k", 1, 1);
	g = builder_add(p, 0, "a 1/1", "a`main;a`f;a`g", 1, 1);
	ranks = stack_ranks_make(p);
	assert_int_equal(ranks[main], 0);
	assert_int_equal(ranks[f], 1); /* of two callees the newest comes first */
	assert_int_equal(ranks[g], 2);
	assert_int_equal(ranks[h], 3);
	assert_int_equal(ranks[k], 4);
	free(ranks);
	profile_destroy(p);
}

static bool is_caller(const struct profile *profile, uint32_t caller, uint32_t stack)
{
	while (stack != PROFILE_NONE && stack != caller)
		stack = profile_stack_at(profile, stack)->parent;
	return stack != PROFILE_NONE;
}

/* A node and all that it leads to have consecutive ranks. */
static void assert_depth_first(const struct profile *p, const uint32_t *ranks, const uint32_t *by_rank)
{
	const uint32_t count = profile_stack_count(p);

	for (uint32_t rank = 0; rank < count; rank++) {
		uint32_t next = rank;

		assert_int_equal(ranks[by_rank[rank]], rank);
		while (next < count && is_caller(p, by_rank[rank], by_rank[next]))
			next++;
		for (; next < count; next++)
			assert_false(is_caller(p, by_rank[rank], by_rank[next]));
	}
}

static void trees_of_any_shape_have_such_an_order(void **state)
{
	enum { NODES = 300 };
	struct profile *p = profile_create();
	uint32_t by_rank[NODES], random = 1, *ranks;
	uint32_t dso = profile_dso(p, "x", "/x", "");

	(void)state;
	for (uint32_t i = 0; i < NODES; i++) {
		uint32_t parent;

		random = random * 1664525u + 1013904223u;
		parent = i % 50 ? (random >> 8) % i : PROFILE_NONE;
		profile_stack(p, parent, profile_location(p, dso, i, FRAME_USER), FRAME_CFI);
	}
	ranks = stack_ranks_make(p);
	for (uint32_t i = 0; i < NODES; i++) {
		assert_true(ranks[i] < NODES);
		by_rank[ranks[i]] = i;
	}
	assert_depth_first(p, ranks, by_rank);
	free(ranks);
	profile_destroy(p);
}

static void no_nodes_have_no_ranks(void **state)
{
	struct profile *p = profile_create();
	uint32_t *ranks = stack_ranks_make(p);

	(void)state;
	assert_int_equal(profile_stack_count(p), 0);
	assert_non_null(ranks); /* to be freed like others */
	free(ranks);
	profile_destroy(p);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_a_node_leads_to_follows_right_behind_it),
		cmocka_unit_test(trees_of_any_shape_have_such_an_order),
		cmocka_unit_test(no_nodes_have_no_ranks),
	};

	return cmocka_run_group_tests_name("profile/stack_ranks", tests, NULL, NULL);
}
