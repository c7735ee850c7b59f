#include "base/thread_pair.h"

#include <stdint.h>

#include "support/cmocka.h"

struct part {
	uint64_t first, end, sum;
};

static void add_up(void *context)
{
	struct part *part = context;

	for (uint64_t i = part->first; i < part->end; i++)
		part->sum += i;
}

static void both_parts_are_done_when_it_returns(void **state)
{
	(void)state;
	for (unsigned round = 0; round < 50; round++) {
		struct part one = { 0, 1000, 0 }, other = { 1000, 2001, 0 };

		thread_pair_run(add_up, &one, &other);
		assert_int_equal(one.sum, 499500);
		assert_int_equal(one.sum + other.sum, 2001000);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(both_parts_are_done_when_it_returns),
	};

	return cmocka_run_group_tests_name("base/thread_pair", tests, NULL, NULL);
}
