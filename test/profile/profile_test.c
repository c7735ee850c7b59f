#include "profile/profile.h"

#include <stdio.h>

#include "support/cmocka.h"

static uint32_t thread_named(struct profile *profile, uint32_t pid, uint32_t tid, const char *comm)
{
	return profile_thread(profile, pid, tid, profile_string(profile, comm));
}

/* A location of `name`, which starts at `start`, in `dso`. */
static uint32_t location_in(struct profile *profile, const char *dso, const char *name, uint64_t start)
{
	uint32_t number = profile_dso(profile, dso, dso, "");
	uint32_t location = profile_location(profile, number, start + 4, FRAME_USER);

	profile_set_function(profile, location, profile_function(profile, number, name, start));
	return location;
}

static void equal_things_get_one_dense_number(void **state)
{
	struct profile *p = profile_create();
	uint32_t libc = profile_dso(p, "libc.so.6", "/lib/libc.so.6", "aabb");
	uint32_t name = profile_string(p, "main");

	(void)state;
	assert_int_equal(libc, 0);
	assert_int_equal(profile_dso(p, "libc.so.6", "/lib/libc.so.6", "aabb"), 0);
	assert_int_equal(profile_dso(p, "libc.so.6", "/lib/libc.so.6", "ccdd"), 1);
	assert_int_equal(profile_function(p, libc, "read", 0x100), 0);
	assert_int_equal(profile_function(p, libc, "read", 0x200), 1);
	assert_int_equal(profile_function(p, libc, "read", 0x100), 0);
	assert_int_equal(profile_location(p, libc, 0x104, FRAME_USER), 0);
	assert_int_equal(profile_location(p, libc, 0x104, FRAME_KERNEL), 1);
	assert_int_equal(profile_location(p, PROFILE_NONE, 0x104, FRAME_USER), 2);
	assert_int_equal(profile_location(p, libc, 0x104, FRAME_USER), 0);
	assert_int_equal(profile_thread(p, 1, 1, name), 0);
	assert_int_equal(profile_thread(p, 1, 2, name), 1);
	assert_int_equal(profile_thread(p, 1, 1, name), 0);
	assert_int_equal(profile_event(p, "cycles", true, 4000), 0);
	assert_int_equal(profile_event(p, "cycles", false, 4000), 1);
	assert_int_equal(profile_event(p, "cycles", true, 4000), 0);
	assert_string_equal(profile_text(p, profile_dso_at(p, 1)->build_id), "ccdd");
	profile_destroy(NULL); /* does nothing */
	profile_destroy(p);
}

static void a_frame_may_be_known_by_its_name_alone(void **state)
{
	struct profile *p = profile_create();
	uint32_t dso = profile_dso(p, "app.rb", "/srv/app.rb", "");
	uint32_t render = profile_named_location(p, dso, "render", FRAME_USER);
	uint32_t at_zero = profile_location(p, dso, 0, FRAME_USER);

	(void)state;
	assert_true(profile_location_at(p, render)->no_address);
	assert_true(profile_location_is_named(p, profile_location_at(p, render)));
	assert_int_equal(profile_named_location(p, dso, "render", FRAME_USER), render);
	assert_int_not_equal(profile_named_location(p, dso, "query", FRAME_USER), render);
	assert_int_not_equal(profile_named_location(p, PROFILE_NONE, "render", FRAME_USER), render);
	assert_int_not_equal(at_zero, render);
	assert_int_equal(profile_location(p, dso, 0, FRAME_USER), at_zero);
	profile_destroy(p);
}

static void a_location_has_no_function_until_it_is_set(void **state)
{
	struct profile *p = profile_create();
	uint32_t dso = profile_dso(p, "a.out", "/a.out", "");
	uint32_t location = profile_location(p, dso, 0x10, FRAME_USER);
	uint32_t function = profile_function(p, dso, "f", 0x8);

	(void)state;
	assert_int_equal(profile_location_at(p, location)->function, PROFILE_NONE);
	profile_set_function(p, location, function);
	assert_int_equal(profile_location_at(p, location)->function, function);
	/* Facts about a location do not make it a different one. */
	assert_int_equal(profile_location(p, dso, 0x10, FRAME_USER), location);
	profile_destroy(p);
}

static void stacks_share_the_nodes_of_common_callers(void **state)
{
	struct profile *p = profile_create();
	uint32_t main_ = location_in(p, "a.out", "main", 0x100);
	uint32_t f = location_in(p, "a.out", "f", 0x200);
	uint32_t g = location_in(p, "a.out", "g", 0x300);
	uint32_t root = profile_stack(p, PROFILE_NONE, main_, FRAME_KERNEL_CHAIN);
	uint32_t main_f = profile_stack(p, root, f, FRAME_SAMPLED);
	uint32_t main_g = profile_stack(p, root, g, FRAME_SAMPLED);

	(void)state;
	assert_int_equal(profile_stack_count(p), 3);
	assert_int_equal(profile_stack(p, PROFILE_NONE, main_, FRAME_KERNEL_CHAIN), root);
	assert_int_equal(profile_stack(p, root, g, FRAME_SAMPLED), main_g);
	assert_int_equal(profile_stack_count(p), 3);
	assert_int_equal(profile_stack_at(p, root)->parent, PROFILE_NONE);
	assert_int_equal(profile_stack_at(p, root)->depth, 0);
	assert_int_equal(profile_stack_at(p, main_f)->parent, root);
	assert_int_equal(profile_stack_at(p, main_f)->depth, 1);
	assert_int_equal(profile_stack_at(p, main_f)->origin, FRAME_SAMPLED);
	/* Found by another method: another node. */
	assert_int_not_equal(profile_stack(p, root, g, FRAME_CFI), main_g);
	profile_destroy(p);
}

static void equal_samples_add_up_in_one_entry(void **state)
{
	struct profile *p = profile_create();
	uint32_t stack = profile_stack(p, PROFILE_NONE, location_in(p, "a", "f", 1), FRAME_SAMPLED);
	struct profile_sample sample = {
		.event = profile_event(p, "cycles", true, 99),
		.thread = thread_named(p, 1, 1, "a"),
		.cpu = 3,
		.stack = stack,
		.end = STACK_END_ROOT,
		.count = 1,
		.weight = 1000,
	};
	unsigned int i;

	(void)state;
	for (i = 0; i < 100000; i++)
		profile_add(p, &sample);
	assert_int_equal(profile_sample_count(p), 1);
	assert_int_equal(profile_sample_at(p, 0)->count, 100000);
	assert_int_equal(profile_sample_at(p, 0)->weight, 100000000);
	assert_int_equal(profile_event_at(p, 0)->samples, 100000);
	assert_int_equal(profile_event_at(p, 0)->weight, 100000000);
	sample.cpu = 4;
	profile_add(p, &sample);
	assert_int_equal(profile_sample_count(p), 2);
	profile_destroy(p);
}

static void each_event_has_totals_of_its_own(void **state)
{
	struct profile *p = profile_create();
	uint32_t stack = profile_stack(p, PROFILE_NONE, location_in(p, "a", "f", 1), FRAME_SAMPLED);
	uint32_t thread = thread_named(p, 1, 1, "a");
	uint32_t cycles = profile_event(p, "cycles", true, 99);
	uint32_t faults = profile_event(p, "page-faults", false, 1);

	(void)state;
	profile_add(p, &(struct profile_sample){
			       .event = cycles, .thread = thread, .stack = stack, .count = 2, .weight = 70 });
	profile_add(p, &(struct profile_sample){
			       .event = faults, .thread = thread, .stack = stack, .count = 1, .weight = 1 });
	assert_int_equal(profile_event_at(p, cycles)->samples, 2);
	assert_int_equal(profile_event_at(p, cycles)->weight, 70);
	assert_int_equal(profile_event_at(p, faults)->samples, 1);
	assert_int_equal(profile_event_at(p, faults)->weight, 1);
	profile_destroy(p);
}

static void sums_stop_at_the_largest_number(void **state)
{
	struct profile *p = profile_create();
	struct profile_sample sample = {
		.event = profile_event(p, "cycles", true, 99),
		.thread = thread_named(p, 1, 1, "a"),
		.stack = profile_stack(p, PROFILE_NONE, location_in(p, "a", "f", 1), FRAME_SAMPLED),
		.count = 1,
		.weight = UINT64_MAX - 1,
	};

	(void)state;
	profile_add(p, &sample);
	profile_add(p, &sample);
	assert_true(profile_sample_at(p, 0)->weight == UINT64_MAX);
	assert_true(profile_event_at(p, 0)->weight == UINT64_MAX);
	assert_int_equal(profile_event_at(p, 0)->samples, 2);
	profile_destroy(p);
}

static void depth_stops_at_65535_but_the_stack_goes_on(void **state)
{
	struct profile *p = profile_create();
	uint32_t location = location_in(p, "a", "f", 1);
	uint32_t node = PROFILE_NONE;
	unsigned int i;

	(void)state;
	for (i = 0; i < 70000; i++)
		node = profile_stack(p, node, location, FRAME_CFI);
	assert_int_equal(profile_stack_count(p), 70000);
	assert_int_equal(profile_stack_at(p, 65535)->depth, 65535);
	assert_int_equal(profile_stack_at(p, node)->depth, 65535);
	assert_int_equal(profile_stack_at(p, node)->parent, 69998);
	profile_destroy(p);
}

static void stacks_and_samples_are_taken_over_under_their_numbers(void **state)
{
	struct profile *from = profile_create(), *p = profile_create();
	const uint32_t f = location_in(from, "a", "f", 1), g = location_in(from, "a", "g", 2);
	const uint32_t root = profile_stack(from, PROFILE_NONE, f, FRAME_CFI),
		       leaf = profile_stack(from, root, g, FRAME_SAMPLED);
	const uint32_t now_g = location_in(p, "b", "g", 2), now_f = location_in(p, "b", "f", 1), text = 1;

	(void)state;
	profile_event(from, "0", false, 0);
	profile_event(p, "cycles", true, 99);
	profile_add(from, &(struct profile_sample){
				  .stack = leaf, .end = STACK_END_CHAIN, .count = 2, .weight = 6 });
	profile_take_stacks(p, from);
	profile_take_samples(p, from);
	assert_int_equal(profile_stack_count(from), 0);
	assert_int_equal(profile_sample_count(from), 0);
	assert_int_equal(profile_stack_count(p), 2);
	profile_set_stack(p, root, PROFILE_NONE, now_f, FRAME_CFI);
	profile_set_stack(p, leaf, root, now_g, FRAME_SAMPLED);
	profile_set_sample(p, 0, STACK_END_ROOT, text);
	assert_int_equal(profile_stack_at(p, root)->location, now_f);
	assert_int_equal(profile_stack_at(p, leaf)->location, now_g);
	assert_int_equal(profile_stack_at(p, leaf)->parent, root);
	assert_int_equal(profile_sample_count(p), 1);
	assert_int_equal(profile_sample_at(p, 0)->stack, leaf);
	assert_int_equal(profile_sample_at(p, 0)->end, STACK_END_ROOT);
	assert_int_equal(profile_sample_at(p, 0)->cgroup, text);
	assert_int_equal(profile_sample_at(p, 0)->weight, 6);
	assert_int_equal(profile_event_at(p, 0)->samples, 2);
	assert_int_equal(profile_event_at(p, 0)->weight, 6);
	assert_true(profile_event_at(p, 0)->weight_squares == 18);
	profile_destroy(p);
	profile_destroy(from);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(equal_things_get_one_dense_number),
		cmocka_unit_test(a_frame_may_be_known_by_its_name_alone),
		cmocka_unit_test(a_location_has_no_function_until_it_is_set),
		cmocka_unit_test(stacks_share_the_nodes_of_common_callers),
		cmocka_unit_test(equal_samples_add_up_in_one_entry),
		cmocka_unit_test(each_event_has_totals_of_its_own),
		cmocka_unit_test(sums_stop_at_the_largest_number),
		cmocka_unit_test(depth_stops_at_65535_but_the_stack_goes_on),
		cmocka_unit_test(stacks_and_samples_are_taken_over_under_their_numbers),
	};

	return cmocka_run_group_tests_name("profile/profile", tests, NULL, NULL);
}
