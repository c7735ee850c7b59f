#include "report/final_stacks.h"

#include "support/cmocka.h"
#include "support/stack_paths.h"

/*
 * Raw stacks A, A;B, A;C and A;B;C, all of kernel addresses, which are only ever looked up as such. Each test says
 * what the locations A, B and C are in the final profile.
 */
enum { A, B, C, LOCATIONS };
enum { NODE_A, NODE_AB, NODE_AC, NODE_ABC, NODES };

static struct profile *raw_profile(void)
{
	struct profile *raw = profile_create();

	for (uint32_t i = 0; i < LOCATIONS; i++)
		profile_location(raw, PROFILE_NONE, 0x1000 + i, FRAME_KERNEL);
	profile_stack(raw, PROFILE_NONE, A, FRAME_KERNEL_CHAIN);
	profile_stack(raw, NODE_A, B, FRAME_KERNEL_CHAIN);
	profile_stack(raw, NODE_A, C, FRAME_SAMPLED);
	profile_stack(raw, NODE_AB, C, FRAME_SAMPLED);
	assert_int_equal(profile_stack_count(raw), NODES);
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

static void assert_node(const struct profile *profile, uint32_t node, uint32_t parent, uint32_t location,
			enum frame_origin origin)
{
	assert_int_equal(profile_stack_at(profile, node)->parent, parent);
	assert_int_equal(profile_stack_at(profile, node)->location, location);
	assert_int_equal(profile_stack_at(profile, node)->origin, origin);
}

static void different_locations_leave_the_tree_as_it_is(void **state)
{
	struct profile *raw = raw_profile(), *profile = final_profile();
	uint32_t numbers[LOCATIONS][LOOKUP_COUNT] = { [A] = { MAIN }, [B] = { WORK }, [C] = { START } };
	const struct final_locations locations = { .raw = raw, .numbers = numbers };
	struct final_stacks stacks;

	(void)state;
	final_stacks_make(&stacks, raw, &locations, profile);
	assert_int_equal(profile_stack_count(raw), 0);
	assert_int_equal(profile_stack_count(profile), NODES);
	for (uint32_t i = 0; i < NODES; i++)
		assert_int_equal(final_stacks_number(&stacks, i), i);
	assert_node(profile, NODE_A, PROFILE_NONE, MAIN, FRAME_KERNEL_CHAIN);
	assert_node(profile, NODE_AB, NODE_A, WORK, FRAME_KERNEL_CHAIN);
	assert_node(profile, NODE_AC, NODE_A, START, FRAME_SAMPLED);
	assert_node(profile, NODE_ABC, NODE_AB, START, FRAME_SAMPLED);
	assert_stack_paths(profile);
	final_stacks_fini(&stacks);
	profile_destroy(profile);
	profile_destroy(raw);
}

static void nodes_whose_locations_have_become_one_are_one(void **state)
{
	struct profile *raw = profile_create(), *profile = final_profile();
	uint32_t numbers[2][LOOKUP_COUNT] = { { START }, { START } };
	const struct final_locations locations = { .raw = raw, .numbers = numbers, .merged = true };
	struct final_stacks stacks;

	(void)state;
	for (uint32_t i = 0; i < 2; i++) {
		profile_location(raw, PROFILE_NONE, 0x1000 + i, FRAME_KERNEL);
		profile_stack(raw, PROFILE_NONE, i, FRAME_KERNEL_CHAIN);
	}
	profile_stack(raw, PROFILE_NONE, 1, FRAME_SAMPLED); /* found in another way: another node */
	final_stacks_make(&stacks, raw, &locations, profile);
	assert_int_equal(profile_stack_count(profile), 2);
	assert_int_equal(final_stacks_number(&stacks, 0), 0);
	assert_int_equal(final_stacks_number(&stacks, 1), 0);
	assert_int_equal(final_stacks_number(&stacks, 2), 1);
	assert_stack_paths(profile);
	final_stacks_fini(&stacks);
	profile_destroy(profile);
	profile_destroy(raw);
}

/* B is main(), into which work() was inlined. */
static void what_is_inlined_is_a_node_between_a_function_and_what_it_calls(void **state)
{
	struct profile *raw = raw_profile(), *profile = final_profile();
	uint32_t numbers[LOCATIONS][LOOKUP_COUNT] = { [A] = { START }, [B] = { MAIN }, [C] = { NOWHERE } };
	struct inlined_range ranges[LOCATIONS][LOOKUP_COUNT] = { [B] = { { 0, 1 } } };
	uint32_t inlined[] = { WORK };
	const struct final_locations locations = {
		.raw = raw, .numbers = numbers, .ranges = ranges, .inlined = inlined, .inlined_count = 1
	};
	struct final_stacks stacks;
	uint32_t leaf, work;

	(void)state;
	final_stacks_make(&stacks, raw, &locations, profile);
	assert_int_equal(profile_stack_count(profile), NODES + 1);
	leaf = final_stacks_number(&stacks, NODE_ABC);
	work = final_stacks_number(&stacks, NODE_AB);
	assert_node(profile, leaf, work, NOWHERE, FRAME_SAMPLED);
	assert_int_equal(profile_stack_at(profile, work)->location, WORK);
	assert_node(profile, profile_stack_at(profile, work)->parent, final_stacks_number(&stacks, NODE_A),
		    MAIN, FRAME_KERNEL_CHAIN);
	assert_node(profile, final_stacks_number(&stacks, NODE_AC), final_stacks_number(&stacks, NODE_A),
		    NOWHERE, FRAME_SAMPLED);
	assert_stack_paths(profile);
	final_stacks_fini(&stacks);
	profile_destroy(profile);
	profile_destroy(raw);
}

/* Callers are looked for among what the batches before have made. */
static void a_stack_deeper_than_a_batch_is_copied_whole(void **state)
{
	enum { DEPTH = 2 * PROFILE_BATCH + 1 };
	struct profile *raw = profile_create(), *profile = final_profile();
	uint32_t numbers[][LOOKUP_COUNT] = { { WORK } }, node = PROFILE_NONE;
	const struct final_locations locations = { .raw = raw, .numbers = numbers, .merged = true };
	struct final_stacks stacks;

	(void)state;
	profile_location(raw, PROFILE_NONE, 0x1000, FRAME_KERNEL);
	for (uint32_t i = 0; i < DEPTH; i++)
		node = profile_stack(raw, node, 0, FRAME_KERNEL_CHAIN);
	final_stacks_make(&stacks, raw, &locations, profile);
	assert_int_equal(profile_stack_count(profile), DEPTH);
	assert_int_equal(profile_stack_at(profile, final_stacks_number(&stacks, node))->depth, DEPTH - 1);
	assert_stack_paths(profile);
	final_stacks_fini(&stacks);
	profile_destroy(profile);
	profile_destroy(raw);
}

/* Of all nodes, in a tree that is moved and in one that is copied. */
static void assert_ends(const uint32_t finals[LOCATIONS], const enum stack_end ends[NODES])
{
	for (int copied = 0; copied <= 1; copied++) {
		struct profile *raw = raw_profile(), *profile = final_profile();
		uint32_t numbers[LOCATIONS][LOOKUP_COUNT] = { { finals[A] }, { finals[B] }, { finals[C] } };
		const struct final_locations locations = { .raw = raw, .numbers = numbers, .merged = copied };
		struct final_stacks stacks;

		final_stacks_make(&stacks, raw, &locations, profile);
		for (uint32_t i = 0; i < NODES; i++)
			assert_int_equal(final_stacks_end(&stacks, i, STACK_END_CHAIN), ends[i]);
		final_stacks_fini(&stacks);
		profile_destroy(profile);
		profile_destroy(raw);
	}
}

static void a_stack_ends_as_its_outermost_function_says(void **state)
{
	(void)state;
	assert_ends((const uint32_t[]){ START, MAIN, WORK },
		    (const enum stack_end[]){ STACK_END_ROOT, STACK_END_ROOT, STACK_END_ROOT,
					      STACK_END_ROOT });
	assert_ends((const uint32_t[]){ MAIN, START, WORK },
		    (const enum stack_end[]){ STACK_END_CHAIN, STACK_END_CHAIN, STACK_END_CHAIN,
					      STACK_END_CHAIN });
}

static void frames_outside_of_all_mappings_are_not_asked_why_a_stack_ends(void **state)
{
	(void)state;
	assert_ends((const uint32_t[]){ NOWHERE, START, WORK },
		    (const enum stack_end[]){ STACK_END_CHAIN, STACK_END_ROOT, STACK_END_CHAIN,
					      STACK_END_ROOT });
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(different_locations_leave_the_tree_as_it_is),
		cmocka_unit_test(nodes_whose_locations_have_become_one_are_one),
		cmocka_unit_test(what_is_inlined_is_a_node_between_a_function_and_what_it_calls),
		cmocka_unit_test(a_stack_deeper_than_a_batch_is_copied_whole),
		cmocka_unit_test(a_stack_ends_as_its_outermost_function_says),
		cmocka_unit_test(frames_outside_of_all_mappings_are_not_asked_why_a_stack_ends),
	};

	return cmocka_run_group_tests_name("report/final_stacks", tests, NULL, NULL);
}
