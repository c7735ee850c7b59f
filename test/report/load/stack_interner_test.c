#include "report/load/stack_interner.h"

#include "support/cmocka.h"
#include "support/state_record.h"

enum { MOST_FRAMES = 12, STACKS = 4000, GROUP = 16 };

static const uint32_t pids[] = { 7, 8 };

static struct fixture {
	struct process_table *processes;
	struct raw_profile *profile;
	struct stack_interner *interner;
} fixture;

static void set_up_one(struct fixture *f)
{
	f->processes = process_table_create();
	f->profile = raw_profile_create();
	f->interner = stack_interner_create(f->processes, f->profile);
	for (size_t i = 0; i < sizeof(pids) / sizeof(*pids); i++)
		state_map(f->processes,
			  &(struct mmap_of){
				  .pid = pids[i], .start = 0x400000, .length = 0x10000, .path = "/bin/a" });
}

static void tear_down_one(struct fixture *f)
{
	stack_interner_destroy(f->interner);
	raw_profile_destroy(f->profile);
	process_table_destroy(f->processes);
}

static int set_up(void **state)
{
	set_up_one(&fixture);
	*state = &fixture;
	return 0;
}

static int tear_down(void **state)
{
	tear_down_one(*state);
	return 0;
}

static uint32_t begin(struct fixture *f, uint32_t pid, const struct stack_frame *frames, size_t count)
{
	const struct process_state state = process_table_state(f->processes, pid, 10);

	return stack_interner_begin(f->interner, frames, count, &state, pid, 10);
}

static const struct profile_stack *node_at(const struct fixture *f, uint32_t node)
{
	return raw_profile_stack_at(f->profile, node);
}

static uint64_t address_at(const struct fixture *f, uint32_t node)
{
	return raw_profile_location_at(f->profile, node_at(f, node)->location)->address;
}

static void a_stack_is_root_first_and_its_addresses_are_those_of_files(void **state)
{
	const struct stack_frame frames[] = { { 0x400010, FRAME_USER, FRAME_SAMPLED },
					      { 0x400020, FRAME_USER, FRAME_CFI },
					      { 0x900000, FRAME_USER, FRAME_CFI } };
	const struct fixture *f = *state;
	uint32_t leaf, caller, root;

	assert_int_equal(begin(&fixture, 7, frames, 3), 0);
	stack_interner_finish(f->interner);
	leaf = stack_interner_node(f->interner, 0);
	caller = node_at(f, leaf)->parent;
	root = node_at(f, caller)->parent;
	assert_int_equal(node_at(f, root)->parent, PROFILE_NONE);
	assert_int_equal(address_at(f, leaf), 0x10);
	assert_int_equal(address_at(f, caller), 0x20);
	assert_int_equal(address_at(f, root), 0x900000); /* nothing is mapped there */
	assert_int_equal(raw_profile_location_at(f->profile, node_at(f, root)->location)->dso, PROFILE_NONE);
	assert_int_equal(node_at(f, caller)->origin, FRAME_CFI);
}

static void a_stack_without_frames_has_no_node(void **state)
{
	struct fixture *f = *state;

	begin(f, 7, NULL, 0);
	stack_interner_finish(f->interner);
	assert_int_equal(stack_interner_node(f->interner, 0), PROFILE_NONE);
}

/* Stacks of a program that calls and returns: most of each stack equals the one before. */
static size_t next_stack(uint32_t *random, uint64_t *chain, size_t count, struct stack_frame *frames)
{
	*random = *random * 1664525 + 1013904223;
	count -= (*random >> 8) % (count + 1);
	while (count < 1 + (*random >> 16) % MOST_FRAMES) {
		chain[count] = 0x400000 + ((*random >> 12) + count * 7) % 60;
		count++;
	}
	for (size_t i = 0; i < count; i++)
		frames[i] = (struct stack_frame){ chain[count - 1 - i], FRAME_USER,
						  i ? FRAME_CFI : FRAME_SAMPLED };
	return count;
}

static void compare(const struct fixture *one, const struct fixture *other)
{
	assert_int_equal(raw_profile_stack_count(one->profile), raw_profile_stack_count(other->profile));
	assert_int_equal(raw_profile_location_count(one->profile),
			 raw_profile_location_count(other->profile));
	for (uint32_t i = 0; i < raw_profile_stack_count(one->profile); i++) {
		assert_int_equal(node_at(one, i)->parent, node_at(other, i)->parent);
		assert_int_equal(address_at(one, i), address_at(other, i));
		assert_int_equal(node_at(one, i)->origin, node_at(other, i)->origin);
	}
}

static void many_at_a_time_are_the_same_as_one_by_one(void **state)
{
	struct fixture *f = *state, single;
	uint64_t chains[2][MOST_FRAMES + 1];
	size_t counts[2] = { 0 };
	uint32_t random = 1, expected[GROUP];

	set_up_one(&single);
	for (size_t i = 0; i < STACKS; i++) {
		const size_t who = (i * 7 / 5) % 2, number = i % GROUP;
		struct stack_frame frames[MOST_FRAMES + 1];

		counts[who] = next_stack(&random, chains[who], counts[who], frames);
		begin(&single, pids[who], frames, counts[who]);
		stack_interner_finish(single.interner);
		expected[number] = stack_interner_node(single.interner, 0);
		assert_int_equal(begin(f, pids[who], frames, counts[who]), number);
		if (number + 1 < GROUP)
			continue;
		stack_interner_finish(f->interner);
		for (uint32_t j = 0; j < GROUP; j++)
			assert_int_equal(stack_interner_node(f->interner, j), expected[j]);
	}
	compare(&single, f);
	assert_true(raw_profile_stack_count(f->profile) > STACKS / 2);
	tear_down_one(&single);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(a_stack_is_root_first_and_its_addresses_are_those_of_files,
						set_up, tear_down),
		cmocka_unit_test_setup_teardown(a_stack_without_frames_has_no_node, set_up, tear_down),
		cmocka_unit_test_setup_teardown(many_at_a_time_are_the_same_as_one_by_one, set_up, tear_down),
	};

	return cmocka_run_group_tests_name("report/load/stack_interner", tests, NULL, NULL);
}
