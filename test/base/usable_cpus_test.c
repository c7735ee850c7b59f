#include "base/usable_cpus.h"

#include <sched.h>

#include "support/cmocka.h"

static void a_process_that_is_kept_to_one_cpu_has_one(void **state)
{
	cpu_set_t all, one;
	int first = 0;

	(void)state;
	assert_int_equal(sched_getaffinity(0, sizeof(all), &all), 0);
	assert_int_equal(usable_cpus(), CPU_COUNT(&all));
	while (!CPU_ISSET(first, &all))
		first++;
	CPU_ZERO(&one);
	CPU_SET(first, &one);
	assert_int_equal(sched_setaffinity(0, sizeof(one), &one), 0);
	assert_int_equal(usable_cpus(), 1);
	assert_int_equal(sched_setaffinity(0, sizeof(all), &all), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_process_that_is_kept_to_one_cpu_has_one),
	};

	return cmocka_run_group_tests_name("base/usable_cpus", tests, NULL, NULL);
}
