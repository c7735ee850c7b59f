#include "record/own_priority.h"

#include <sched.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "support/cmocka.h"

/* In a child, because a lowered priority cannot always be raised again. */
static int status_of(bool (*check)(void))
{
	pid_t child = fork();
	int status = -1;

	if (child == 0)
		_exit(!check());
	assert_int_equal(waitpid(child, &status, 0), child);
	return status;
}

/* The test itself may have been started with nice. */
static bool is_raised_as_far_as_allowed(void)
{
	bool is_nice = getpriority(PRIO_PROCESS, 0) > 0 && setpriority(PRIO_PROCESS, 0, 0) < 0;
	bool raised = own_priority_raise();

	return raised == (getpriority(PRIO_PROCESS, 0) == -20) && (raised || is_nice || geteuid() != 0);
}

static bool stays_when_lowered(void)
{
	return setpriority(PRIO_PROCESS, 0, 19) == 0 && !own_priority_raise() &&
	       getpriority(PRIO_PROCESS, 0) == 19;
}

static bool is_realtime_or_says_why_not(void)
{
	struct error err;

	if (own_priority_set_realtime(1, &err) == 0)
		return sched_getscheduler(0) == SCHED_FIFO;
	return err.message[0] != '\0';
}

static void the_recorder_comes_first_where_it_may(void **state)
{
	(void)state;
	assert_int_equal(status_of(is_raised_as_far_as_allowed), 0);
}

static void who_started_it_with_nice_meant_it(void **state)
{
	(void)state;
	assert_int_equal(status_of(stays_when_lowered), 0);
}

static void real_time_is_given_or_refused_with_a_reason(void **state)
{
	(void)state;
	assert_int_equal(status_of(is_realtime_or_says_why_not), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_recorder_comes_first_where_it_may),
		cmocka_unit_test(who_started_it_with_nice_meant_it),
		cmocka_unit_test(real_time_is_given_or_refused_with_a_reason),
	};

	return cmocka_run_group_tests_name("record/own_priority", tests, NULL, NULL);
}
