#include "process/lifetimes.h"

#include "support/cmocka.h"

static void an_unknown_id_has_no_owner(void **state)
{
	struct lifetimes lifetimes = { 0 };

	(void)state;
	assert_int_equal(lifetimes_at(&lifetimes, 7, 0), LIFETIME_NONE);
	lifetimes_fini(&lifetimes);
}

static void the_first_reaches_back_to_the_beginning(void **state)
{
	struct lifetimes lifetimes = { 0 };
	uint32_t number;

	(void)state;
	number = lifetimes_at_or_new(&lifetimes, 7, 100);
	assert_int_equal(lifetimes_at(&lifetimes, 7, 0), number);
	assert_int_equal(lifetimes_at_or_new(&lifetimes, 7, 5), number);
	lifetimes_fini(&lifetimes);
}

static void a_fork_gives_the_id_to_somebody_new(void **state)
{
	struct lifetimes lifetimes = { 0 };
	uint32_t first, second, split_from;

	(void)state;
	first = lifetimes_at_or_new(&lifetimes, 7, 0);
	second = lifetimes_fork(&lifetimes, 7, LIFETIME_NONE, 50, 0, &split_from);
	assert_int_not_equal(first, second);
	assert_int_equal(split_from, first);
	assert_int_equal(lifetimes_at(&lifetimes, 7, 49), first);
	assert_int_equal(lifetimes_at(&lifetimes, 7, 50), second);
	lifetimes_fini(&lifetimes);
}

static void who_is_known_only_from_later_is_the_one_that_was_forked(void **state)
{
	struct lifetimes lifetimes = { 0 };
	uint32_t child, parent, forked, split_from;

	(void)state;
	child = lifetimes_at_or_new(&lifetimes, 7, 60); /* its exec arrived first, from another CPU's ring */
	parent = lifetimes_at_or_new(&lifetimes, 3, 0);
	forked = lifetimes_fork(&lifetimes, 7, parent, 50, 60, &split_from);
	assert_int_equal(forked, child);
	assert_int_equal(split_from, LIFETIME_NONE);
	assert_int_equal(lifetimes.items[child].parent, parent);
	assert_int_equal(lifetimes.items[child].start_ns, 50);
	lifetimes_fini(&lifetimes);
}

static void forks_may_arrive_out_of_order(void **state)
{
	struct lifetimes lifetimes = { 0 };
	uint32_t late, early, split_from;

	(void)state;
	late = lifetimes_fork(&lifetimes, 7, LIFETIME_NONE, 80, UINT64_MAX, &split_from);
	early = lifetimes_fork(&lifetimes, 7, LIFETIME_NONE, 40, 80, &split_from);
	assert_int_not_equal(late, early);
	assert_int_equal(split_from, LIFETIME_NONE);
	assert_int_equal(lifetimes_at(&lifetimes, 7, 79), early);
	assert_int_equal(lifetimes_at(&lifetimes, 7, 80), late);
	lifetimes_fini(&lifetimes);
}

/*
 * Adds lifetimes in the order that `stride` gives; 1 is the order of time. At each time the id belongs to the lifetime that began
 * last.
 */
static void check_many_lifetimes(uint64_t stride)
{
	enum { COUNT = 1009 }; /* a prime, so that each stride visits all */
	struct lifetimes lifetimes = { 0 };
	uint32_t numbers[COUNT], split_from;

	for (uint64_t i = 0; i < COUNT; i++) {
		const uint64_t at = (i * stride + 1) % COUNT;

		numbers[at] = lifetimes_fork(&lifetimes, 7, LIFETIME_NONE, 10 + 10 * at, 0, &split_from);
	}
	for (uint64_t time_ns = 0; time_ns < 10 * (COUNT + 1); time_ns++)
		assert_int_equal(lifetimes_at(&lifetimes, 7, time_ns),
				 numbers[time_ns < 10 ? 0 : time_ns / 10 - 1]);
	lifetimes_fini(&lifetimes);
}

static void many_processes_can_have_had_an_id(void **state)
{
	(void)state;
	check_many_lifetimes(1);
	check_many_lifetimes(1008); /* backwards */
	check_many_lifetimes(7);
	check_many_lifetimes(400);
}

static void the_same_fork_twice_is_one(void **state)
{
	struct lifetimes lifetimes = { 0 };
	uint32_t first, split_from;

	(void)state;
	first = lifetimes_fork(&lifetimes, 7, LIFETIME_NONE, 80, UINT64_MAX, &split_from);
	assert_int_equal(lifetimes_fork(&lifetimes, 7, LIFETIME_NONE, 80, 80, &split_from), first);
	assert_int_equal(lifetimes.count, 1);
	lifetimes_fini(&lifetimes);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_unknown_id_has_no_owner),
		cmocka_unit_test(the_first_reaches_back_to_the_beginning),
		cmocka_unit_test(a_fork_gives_the_id_to_somebody_new),
		cmocka_unit_test(who_is_known_only_from_later_is_the_one_that_was_forked),
		cmocka_unit_test(forks_may_arrive_out_of_order),
		cmocka_unit_test(many_processes_can_have_had_an_id),
		cmocka_unit_test(the_same_fork_twice_is_one),
	};

	return cmocka_run_group_tests_name("process/lifetimes", tests, NULL, NULL);
}
