#include "record/stop_signals.h"

#include <signal.h>
#include <unistd.h>

#include "support/cmocka.h"

static struct stop_signals taken(void)
{
	struct stop_signals signals = { .fd = -1 };

	assert_int_equal(stop_signals_take(&signals, NULL), 0);
	return signals;
}

static void the_first_signal_that_asks_to_stop_is_remembered(void **state)
{
	struct stop_signals signals = taken();

	(void)state;
	assert_false(stop_signals_read(&signals));
	raise(SIGUSR1);
	assert_true(stop_signals_read(&signals));
	raise(SIGTERM);
	assert_true(stop_signals_read(&signals));
	assert_int_equal(signals.asked, SIGUSR1);
	stop_signals_release(&signals);
}

static void a_signal_is_pending_until_it_is_read(void **state)
{
	struct stop_signals signals = taken();

	(void)state;
	raise(SIGCHLD);
	assert_false(stop_signals_are_pending(&signals));
	raise(SIGALRM);
	assert_true(stop_signals_are_pending(&signals));
	assert_true(stop_signals_read(&signals));
	assert_false(stop_signals_are_pending(&signals));
	stop_signals_release(&signals);
}

static void a_child_that_ends_asks_nothing(void **state)
{
	struct stop_signals signals = taken();

	(void)state;
	raise(SIGCHLD);
	assert_false(stop_signals_read(&signals));
	assert_int_equal(signals.asked, 0);
	stop_signals_release(&signals);
}

static void some_signals_do_nothing(void **state)
{
	struct stop_signals signals = taken();

	(void)state;
	raise(SIGUSR2);
	raise(SIGPIPE);
	raise(SIGXFSZ);
	assert_false(stop_signals_read(&signals));
	stop_signals_release(&signals);
}

static void what_was_ignored_stays_so_but_for_those_that_scripts_send(void **state)
{
	struct stop_signals signals;

	(void)state;
	signal(SIGHUP, SIG_IGN);
	signal(SIGINT, SIG_IGN);
	signals = taken();
	raise(SIGHUP);
	assert_false(stop_signals_read(&signals));
	raise(SIGINT);
	assert_true(stop_signals_read(&signals));
	stop_signals_release(&signals);
	signal(SIGHUP, SIG_DFL);
	signal(SIGINT, SIG_DFL);
}

static volatile sig_atomic_t caught;

static void catch (int number)
{
	caught = number;
}

static void signals_do_what_they_did_when_they_are_released(void **state)
{
	struct stop_signals signals;

	(void)state;
	signal(SIGTERM, catch);
	signal(SIGUSR2, catch);
	signals = taken();
	raise(SIGTERM);
	assert_int_equal(caught, 0);
	stop_signals_release(&signals); /* it was not read, so it arrives now */
	assert_int_equal(caught, SIGTERM);
	raise(SIGUSR2);
	assert_int_equal(caught, SIGUSR2);
	signal(SIGTERM, SIG_DFL);
	signal(SIGUSR2, SIG_DFL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_first_signal_that_asks_to_stop_is_remembered),
		cmocka_unit_test(a_signal_is_pending_until_it_is_read),
		cmocka_unit_test(a_child_that_ends_asks_nothing),
		cmocka_unit_test(some_signals_do_nothing),
		cmocka_unit_test(what_was_ignored_stays_so_but_for_those_that_scripts_send),
		cmocka_unit_test(signals_do_what_they_did_when_they_are_released),
	};

	return cmocka_run_group_tests_name("record/stop_signals", tests, NULL, NULL);
}
