#include "report/names/final_stacks.h"

#include <stdlib.h>

#include "support/cmocka.h"

/*
 * Raw stacks A, A;B, A;C and A;B;C, all of kernel addresses, which are only ever looked up as such. Each test says
 * what the locations A, B and C are in the final profile.
 */
enum { A, B, C, LOCATIONS };
enum { NODE_A, NODE_AB, NODE_AC, NODE_ABC, NODES };

static struct raw_profile *four_nodes(void)
{
	struct raw_profile *raw = raw_profile_create();

	for (uint32_t i = 0; i < LOCATIONS; i++)
		raw_profile_location(raw, PROFILE_NONE, 0x1000 + i, FRAME_KERNEL);
	raw_profile_stack(raw, PROFILE_NONE, A, FRAME_KERNEL_CHAIN);
	raw_profile_stack(raw, NODE_A, B, FRAME_KERNEL_CHAIN);
	raw_profile_stack(raw, NODE_A, C, FRAME_SAMPLED);
	raw_profile_stack(raw, NODE_AB, C, FRAME_SAMPLED);
	assert_int_equal(raw_profile_stack_count(raw), NODES);
	return raw;
}

/* Locations of the final profile, by number: those of functions, and one in no mapping. */
enum { START, MAIN, WORK, NOWHERE };

static struct profile *final_profile(void)
{
	static const char *const names[] = { "ret_from_fork", "main", "work" };
	struct profile *profile = profile_create();
	const uint32_t dso = profile_dso(profile, "[k]", "[k]", "");

	for (uint32_t i = START; i <= WORK; i++) {
		profile_location(profile, dso, 0x1000 * i, FRAME_KERNEL);
		profile_set_function(profile, i, profile_function(profile, dso, names[i], 0x1000 * i));
	}
	assert_int_equal(profile_location(profile, PROFILE_NONE, 1, FRAME_KERNEL), NOWHERE);
	return profile;
}

struct fixture {
	struct raw_profile *raw;
	struct profile *profile;
	struct final_stacks stacks;
};

static int set_up(void **state)
{
	struct fixture *fixture = calloc(1, sizeof(*fixture));

	fixture->raw = four_nodes();
	fixture->profile = final_profile();
	*state = fixture;
	return 0;
}

static int tear_down(void **state)
{
	struct fixture *fixture = *state;

	final_stacks_fini(&fixture->stacks);
	profile_destroy(fixture->profile);
	raw_profile_destroy(fixture->raw);
	free(fixture);
	return 0;
}

/* Makes the stacks, with these final numbers of the locations A, B and C. */
static void make(struct fixture *fixture, const uint32_t finals[LOCATIONS], bool merged)
{
	uint32_t numbers[LOCATIONS][LOOKUP_COUNT] = { { finals[A] }, { finals[B] }, { finals[C] } };
	const struct final_locations locations = { .raw = fixture->raw,
						   .numbers = numbers,
						   .merged = merged };

	final_stacks_make(&fixture->stacks, fixture->raw, &locations, fixture->profile);
}

static void assert_node(const struct fixture *fixture, uint32_t node, uint32_t parent, uint32_t location,
			enum frame_origin origin)
{
	const struct profile_stack *stack = profile_stack_at(fixture->profile, node);

	assert_int_equal(stack->parent, parent);
	assert_int_equal(stack->location, location);
	assert_int_equal(stack->origin, origin);
}

static void different_locations_leave_the_tree_as_it_is(void **state)
{
	struct fixture *fixture = *state;

	make(fixture, (const uint32_t[]){ MAIN, WORK, START }, false);
	assert_int_equal(raw_profile_stack_count(fixture->raw), 0);
	assert_int_equal(profile_stack_count(fixture->profile), NODES);
	for (uint32_t i = 0; i < NODES; i++)
		assert_int_equal(final_stacks_number(&fixture->stacks, i), i);
	assert_node(fixture, NODE_A, PROFILE_NONE, MAIN, FRAME_KERNEL_CHAIN);
	assert_node(fixture, NODE_AB, NODE_A, WORK, FRAME_KERNEL_CHAIN);
	assert_node(fixture, NODE_AC, NODE_A, START, FRAME_SAMPLED);
	assert_node(fixture, NODE_ABC, NODE_AB, START, FRAME_SAMPLED);
}

/* A;B and A;C are main() called by the start, but one was found in another way. */
static void nodes_whose_locations_have_become_one_are_one_if_they_were_found_alike(void **state)
{
	struct fixture *fixture = *state;
	const uint32_t another = raw_profile_stack(fixture->raw, NODE_A, C, FRAME_KERNEL_CHAIN);

	make(fixture, (const uint32_t[]){ START, MAIN, MAIN }, true);
	assert_int_equal(profile_stack_count(fixture->profile), NODES);
	assert_int_equal(final_stacks_number(&fixture->stacks, another),
			 final_stacks_number(&fixture->stacks, NODE_AB));
	assert_int_not_equal(final_stacks_number(&fixture->stacks, NODE_AC),
			     final_stacks_number(&fixture->stacks, NODE_AB));
}

/* B is main(), into which work() was inlined. */
static void what_is_inlined_is_a_node_between_a_function_and_what_it_calls(void **state)
{
	struct fixture *fixture = *state;
	uint32_t numbers[LOCATIONS][LOOKUP_COUNT] = { [A] = { START }, [B] = { MAIN }, [C] = { NOWHERE } };
	struct inlined_range ranges[LOCATIONS][LOOKUP_COUNT] = { [B] = { { 0, 1 } } };
	uint32_t inlined[] = { WORK };
	const struct final_locations locations = { .raw = fixture->raw,
						   .numbers = numbers,
						   .ranges = ranges,
						   .inlined = inlined,
						   .inlined_count = 1 };
	uint32_t root, work, main_node;

	final_stacks_make(&fixture->stacks, fixture->raw, &locations, fixture->profile);
	assert_int_equal(raw_profile_stack_count(fixture->raw), 0);
	assert_int_equal(profile_stack_count(fixture->profile), NODES + 1);
	root = final_stacks_number(&fixture->stacks, NODE_A);
	work = final_stacks_number(&fixture->stacks, NODE_AB);
	main_node = profile_stack_at(fixture->profile, work)->parent;
	assert_node(fixture, root, PROFILE_NONE, START, FRAME_KERNEL_CHAIN);
	assert_node(fixture, main_node, root, MAIN, FRAME_KERNEL_CHAIN);
	assert_node(fixture, work, main_node, WORK, FRAME_KERNEL_CHAIN);
	assert_node(fixture, final_stacks_number(&fixture->stacks, NODE_ABC), work, NOWHERE, FRAME_SAMPLED);
	assert_node(fixture, final_stacks_number(&fixture->stacks, NODE_AC), root, NOWHERE, FRAME_SAMPLED);
}

/* B;C is the stack of a waker: B what it called last, C its caller main(), into which work() was inlined. */
static void in_the_stack_of_a_waker_what_is_inlined_comes_first(void **state)
{
	struct fixture *fixture = *state;
	uint32_t numbers[LOCATIONS][LOOKUP_COUNT] = { [A] = { NOWHERE }, [B] = { START }, [C] = { MAIN } };
	struct inlined_range ranges[LOCATIONS][LOOKUP_COUNT] = { [C] = { { 0, 1 } } };
	uint32_t inlined[] = { WORK };
	const struct final_locations locations = { .raw = fixture->raw,
						   .numbers = numbers,
						   .ranges = ranges,
						   .inlined = inlined,
						   .inlined_count = 1 };
	const uint32_t called = raw_profile_stack(fixture->raw, NODE_A, B, FRAME_WAKER),
		       caller = raw_profile_stack(fixture->raw, called, C, FRAME_WAKER);
	uint32_t main_node, work;

	final_stacks_make(&fixture->stacks, fixture->raw, &locations, fixture->profile);
	main_node = final_stacks_number(&fixture->stacks, caller);
	work = profile_stack_at(fixture->profile, main_node)->parent;
	assert_node(fixture, main_node, work, MAIN, FRAME_WAKER);
	assert_node(fixture, work, final_stacks_number(&fixture->stacks, called), WORK, FRAME_WAKER);
}

/* Callers are looked up among the nodes of earlier batches. */
static void a_stack_deeper_than_a_batch_is_copied_whole(void **state)
{
	enum { DEPTH = 2 * PROFILE_BATCH + 1 };
	struct fixture *fixture = *state;
	uint32_t node = PROFILE_NONE;

	for (uint32_t i = 0; i < DEPTH; i++)
		node = raw_profile_stack(fixture->raw, node, B, FRAME_KERNEL_CHAIN);
	make(fixture, (const uint32_t[]){ START, MAIN, WORK }, true);
	assert_int_equal(profile_stack_count(fixture->profile), NODES + DEPTH);
	node = final_stacks_number(&fixture->stacks, node);
	assert_int_equal(profile_stack_at(fixture->profile, node)->depth, DEPTH - 1);
}

/* Expects these ends of the nodes, where a chain just ends. */
static void assert_ends(const struct fixture *fixture, enum stack_end a, enum stack_end ab, enum stack_end ac,
			enum stack_end abc)
{
	const enum stack_end expected[NODES] = { a, ab, ac, abc };

	for (uint32_t i = 0; i < NODES; i++)
		assert_int_equal(final_stacks_end(&fixture->stacks, i, STACK_END_CHAIN), expected[i]);
}

static void a_stack_that_begins_at_a_root_is_complete(void **state)
{
	struct fixture *fixture = *state;

	make(fixture, (const uint32_t[]){ START, MAIN, WORK }, false);
	assert_ends(fixture, STACK_END_ROOT, STACK_END_ROOT, STACK_END_ROOT, STACK_END_ROOT);
}

static void a_root_that_something_called_is_none(void **state)
{
	struct fixture *fixture = *state;

	make(fixture, (const uint32_t[]){ MAIN, START, WORK }, false);
	assert_ends(fixture, STACK_END_CHAIN, STACK_END_CHAIN, STACK_END_CHAIN, STACK_END_CHAIN);
}

static void frames_outside_of_all_mappings_are_not_asked_why_a_stack_ends(void **state)
{
	struct fixture *fixture = *state;

	make(fixture, (const uint32_t[]){ NOWHERE, START, WORK }, false);
	assert_ends(fixture, STACK_END_CHAIN, STACK_END_ROOT, STACK_END_CHAIN, STACK_END_ROOT);
}

static void in_a_tree_that_is_copied_stacks_end_as_in_one_that_is_moved(void **state)
{
	struct fixture *fixture = *state;

	make(fixture, (const uint32_t[]){ NOWHERE, START, WORK }, true);
	assert_ends(fixture, STACK_END_CHAIN, STACK_END_ROOT, STACK_END_CHAIN, STACK_END_ROOT);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(different_locations_leave_the_tree_as_it_is),
		TEST(nodes_whose_locations_have_become_one_are_one_if_they_were_found_alike),
		TEST(what_is_inlined_is_a_node_between_a_function_and_what_it_calls),
		TEST(in_the_stack_of_a_waker_what_is_inlined_comes_first),
		TEST(a_stack_deeper_than_a_batch_is_copied_whole),
		TEST(a_stack_that_begins_at_a_root_is_complete),
		TEST(a_root_that_something_called_is_none),
		TEST(frames_outside_of_all_mappings_are_not_asked_why_a_stack_ends),
		TEST(in_a_tree_that_is_copied_stacks_end_as_in_one_that_is_moved),
	};

	return cmocka_run_group_tests_name("report/names/final_stacks", tests, NULL, NULL);
}
