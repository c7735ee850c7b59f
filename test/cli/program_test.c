#include "cli/program_run.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "support/cmocka.h"
#include "support/greet_command.h"

/* The result of a run of the program: exit status and standard error. */
struct outcome {
	int status;
	char *errors; /* to be freed */
};

static struct outcome run_program(char *text)
{
	struct outcome outcome;
	size_t size;
	FILE *errors = open_memstream(&outcome.errors, &size);
	char *argv[16] = { "xprof" };
	int argc = 1;

	for (char *word = strtok(text, " "); word; word = strtok(NULL, " "))
		argv[argc++] = word;
	outcome.status = cli_program_run(&greeter, argc, argv, errors);
	fclose(errors);
	return outcome;
}

#define RUN(text) run_program((char[]){ text })

static void assert_outcome(struct outcome outcome, int status, const char *errors)
{
	assert_string_equal(outcome.errors, errors);
	assert_int_equal(outcome.status, status);
	free(outcome.errors);
}

static int reset(void **state)
{
	(void)state;
	greet_last = (struct greet_run){ .result = 0 };
	return 0;
}

static void a_command_gets_its_options_and_operands(void **state)
{
	(void)state;
	assert_outcome(RUN("greet -F 3 ls -l"), 0, "");
	assert_int_equal(greet_last.options.times, 3);
	assert_true(greet_last.options.children);
	assert_int_equal(greet_last.operand_count, 2);
	assert_string_equal(greet_last.operands[1], "-l");
	assert_null(greet_last.operands[2]);
}

static void its_exit_status_is_the_program_s(void **state)
{
	(void)state;
	greet_last.result = 137;
	assert_outcome(RUN("greet ls"), 137, "");
}

static void a_failure_is_printed_once_and_gives_1(void **state)
{
	(void)state;
	greet_last.result = CLI_FAILED;
	assert_outcome(RUN("greet ls"), 1, "xprof: nobody is there\n");
}

static void wrong_usage_gives_2_and_points_to_help(void **state)
{
	(void)state;
	assert_outcome(RUN("greet -F x ls"), 2,
		       "xprof: --freq: 'x' is not a whole number; see 'xprof greet -h'\n");
	assert_outcome(RUN("greet --frq 9 ls"), 2,
		       "xprof: unknown option '--frq', did you mean '--freq'? See 'xprof greet -h'\n");
	greet_last.result = CLI_USAGE;
	assert_outcome(RUN("greet ls"), 2, "xprof: nobody is there; see 'xprof greet -h'\n");
}

static void an_unknown_command_suggests_the_nearest(void **state)
{
	(void)state;
	assert_outcome(RUN("gret"), 2,
		       "xprof: unknown command 'gret', did you mean 'greet'? See 'xprof help'\n");
	assert_outcome(RUN("xyzzy"), 2, "xprof: unknown command 'xyzzy'; see 'xprof help'\n");
	assert_outcome(RUN("--xyzzy"), 2, "xprof: unknown option '--xyzzy'; see 'xprof help'\n");
}

static void a_command_that_is_elsewhere_is_pointed_to(void **state)
{
	(void)state;
	assert_outcome(RUN("shout"), 2,
		       "xprof: xprof has no 'shout': use 'xprof greet -a'; see 'xprof help'\n");
}

static void no_command_is_wrong_usage_that_is_answered_with_the_list(void **state)
{
	struct outcome outcome = RUN("");

	(void)state;
	assert_int_equal(outcome.status, 2);
	assert_non_null(strstr(outcome.errors, "\nCommands\n  greet   greet somebody\n"));
	free(outcome.errors);
}

static void a_full_disk_under_standard_output_is_a_failure(void **state)
{
	int saved = dup(STDOUT_FILENO), full = open("/dev/full", O_WRONLY);
	struct outcome outcome;

	(void)state;
	fflush(stdout);
	dup2(full, STDOUT_FILENO);
	outcome = RUN("greet -h");
	dup2(saved, STDOUT_FILENO);
	clearerr(stdout);
	close(saved);
	close(full);
	assert_outcome(outcome, 1, "xprof: cannot write to standard output: No space left on device\n");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(a_command_gets_its_options_and_operands, reset),
		cmocka_unit_test_setup(its_exit_status_is_the_program_s, reset),
		cmocka_unit_test_setup(a_failure_is_printed_once_and_gives_1, reset),
		cmocka_unit_test_setup(wrong_usage_gives_2_and_points_to_help, reset),
		cmocka_unit_test_setup(an_unknown_command_suggests_the_nearest, reset),
		cmocka_unit_test_setup(a_command_that_is_elsewhere_is_pointed_to, reset),
		cmocka_unit_test_setup(no_command_is_wrong_usage_that_is_answered_with_the_list, reset),
		cmocka_unit_test_setup(a_full_disk_under_standard_output_is_a_failure, reset),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
