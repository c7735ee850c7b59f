#include "record/descriptor_limit.h"

#include <stdbool.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "support/cmocka.h"

/*
 * Tests in a process of its own, with these limits and without the right to raise the hard limit, whether `expected` events fit
 * if `events` are wanted.
 */
static bool fit(rlim_t soft, rlim_t hard, size_t events, size_t expected)
{
	const pid_t pid = fork();
	int status;

	if (pid == 0) {
		const struct rlimit limit = { .rlim_cur = soft, .rlim_max = hard };

		if (setrlimit(RLIMIT_NOFILE, &limit) < 0 || (geteuid() == 0 && setuid(65534) < 0))
			_exit(2);
		_exit(descriptor_limit_raise(events) == expected ? 0 : 1);
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

static void a_limit_that_suffices_stays(void **state)
{
	(void)state;
	assert_true(fit(500, 1000, 400, 500 - 64));
}

static void the_soft_limit_is_raised_up_to_the_hard_one(void **state)
{
	(void)state;
	assert_true(fit(200, 1000, 700, 700));
	assert_true(fit(200, 1000, 5000, 1000 - 64));
}

static void there_is_room_for_what_is_no_event(void **state)
{
	(void)state;
	assert_true(fit(64, 64, 1, 0));
	assert_true(fit(30, 30, 1, 0));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_limit_that_suffices_stays),
		cmocka_unit_test(the_soft_limit_is_raised_up_to_the_hard_one),
		cmocka_unit_test(there_is_room_for_what_is_no_event),
	};

	return cmocka_run_group_tests_name("record/descriptor_limit", tests, NULL, NULL);
}
