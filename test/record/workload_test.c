#include "record/workload.h"

#include <errno.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

#include "support/cmocka.h"

static int run(char *const *argv)
{
	struct workload workload;

	assert_int_equal(workload_prepare(&workload, argv, false, NULL), 0);
	assert_int_equal(workload_start(&workload, argv[0], NULL), 0);
	while (!workload_has_ended(&workload))
		usleep(1000);
	workload_stop(&workload);
	return workload_exit_status(&workload);
}

static void the_status_is_the_programs_or_tells_the_signal_that_killed_it(void **state)
{
	(void)state;
	assert_int_equal(run((char *[]){ "true", NULL }), 0);
	assert_int_equal(run((char *[]){ "sh", "-c", "exit 42", NULL }), 42);
	assert_int_equal(run((char *[]){ "sh", "-c", "kill -KILL $$", NULL }), 128 + SIGKILL);
}

static void the_program_does_nothing_before_it_is_started(void **state)
{
	char *const argv[] = { "sh", "-c", "exit 1", NULL };
	struct workload workload;

	(void)state;
	assert_int_equal(workload_prepare(&workload, argv, false, NULL), 0);
	usleep(20000);
	assert_false(workload_has_ended(&workload));
	workload_stop(&workload); /* it ends without having run */
	assert_true(workload.ended);
}

static void a_running_program_is_terminated(void **state)
{
	char *const argv[] = { "sleep", "60", NULL };
	struct workload workload;

	(void)state;
	assert_int_equal(workload_prepare(&workload, argv, false, NULL), 0);
	assert_int_equal(workload_start(&workload, argv[0], NULL), 0);
	workload_stop(&workload);
	assert_int_equal(workload_exit_status(&workload), 128 + SIGTERM);
}

static void what_cannot_be_run_is_said_before_anything_is_recorded(void **state)
{
	struct error err = { 0 };

	(void)state;
	assert_int_equal(workload_check("true", NULL), 0);
	assert_int_equal(workload_check("/bin/true", NULL), 0);
	assert_int_equal(workload_check("no-such-command", &err), -1);
	assert_string_equal(err.message, "no-such-command: command not found on $PATH");
	assert_int_equal(workload_check("/no/such/command", &err), -1);
	assert_string_equal(err.message, "cannot run /no/such/command: No such file or directory");
	assert_int_equal(workload_check("/tmp", &err), -1);
	assert_string_equal(err.message, "cannot run /tmp: Is a directory");
}

static void an_exec_that_fails_is_reported_with_its_reason(void **state)
{
	char *const argv[] = { "/etc/passwd", NULL };
	struct workload workload;
	struct error err = { 0 };

	(void)state;
	assert_int_equal(workload_prepare(&workload, argv, false, NULL), 0);
	assert_int_equal(workload_start(&workload, argv[0], &err), -1);
	assert_string_equal(err.message,
			    "cannot run /etc/passwd: permission denied; is it a program ('chmod +x')?");
	workload_stop(&workload);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_status_is_the_programs_or_tells_the_signal_that_killed_it),
		cmocka_unit_test(the_program_does_nothing_before_it_is_started),
		cmocka_unit_test(a_running_program_is_terminated),
		cmocka_unit_test(what_cannot_be_run_is_said_before_anything_is_recorded),
		cmocka_unit_test(an_exec_that_fails_is_reported_with_its_reason),
	};

	return cmocka_run_group_tests_name("record/workload", tests, NULL, NULL);
}
