#include "base/live_process.h"

#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "support/cmocka.h"

enum { NO_PROCESS = 0x7fffffff };

static void a_process_knows_its_own_number_and_user(void **state)
{
	uid_t user = (uid_t)-1;

	(void)state;
	assert_int_equal(live_process_inner_pid((uint32_t)getpid()), getpid());
	assert_true(live_process_user((uint32_t)getpid(), &user));
	assert_int_equal(user, geteuid());
}

/* The test runs for less than a minute. */
static void a_process_has_begun_a_little_while_ago(void **state)
{
	const int64_t now_s = time(NULL), started_s = live_process_started_s((uint32_t)getpid());

	(void)state;
	assert_in_range(started_s, now_s - 300, now_s + 1);
	assert_true(live_process_started_s(1) <= started_s);
}

static void a_process_that_is_not_waited_for_is_ending(void **state)
{
	siginfo_t ended;
	const pid_t child = fork();

	(void)state;
	if (child == 0)
		_exit(0);
	assert_true(child > 0);
	assert_int_equal(waitid(P_PID, (id_t)child, &ended, WEXITED | WNOWAIT), 0);
	assert_true(live_process_is_ending((uint32_t)child));
	assert_int_equal(waitpid(child, NULL, 0), child);
	assert_true(live_process_is_ending((uint32_t)child));
	assert_false(live_process_is_ending((uint32_t)getpid()));
}

static void nothing_is_known_of_a_process_that_is_not_there(void **state)
{
	uid_t user;

	(void)state;
	assert_int_equal(live_process_inner_pid(NO_PROCESS), NO_PROCESS);
	assert_false(live_process_user(NO_PROCESS, &user));
	assert_int_equal(live_process_started_s(NO_PROCESS), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_process_knows_its_own_number_and_user),
		cmocka_unit_test(a_process_has_begun_a_little_while_ago),
		cmocka_unit_test(a_process_that_is_not_waited_for_is_ending),
		cmocka_unit_test(nothing_is_known_of_a_process_that_is_not_there),
	};

	return cmocka_run_group_tests_name("base/live_process", tests, NULL, NULL);
}
