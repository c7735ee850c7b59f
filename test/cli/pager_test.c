#include "cli/pager.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "support/cmocka.h"
#include "support/pty.h"

/* Makes standard output a terminal during a test. */
struct screen {
	struct pty pty;
	int saved_fd;
};

static int screen_open(void **state)
{
	static struct screen screen;

	fflush(stdout);
	pty_open(&screen.pty, 80);
	screen.saved_fd = dup(STDOUT_FILENO);
	dup2(screen.pty.slave_fd, STDOUT_FILENO);
	*state = &screen;
	unsetenv("PAGER");
	unsetenv("XPROF_PAGER");
	return 0;
}

static int screen_close(void **state)
{
	struct screen *screen = *state;

	fflush(stdout);
	dup2(screen->saved_fd, STDOUT_FILENO);
	close(screen->saved_fd);
	pty_close(&screen->pty);
	return 0;
}

static void output_goes_through_the_pager_and_then_to_the_terminal_again(void **state)
{
	struct screen *screen = *state;
	struct pager *pager;
	char text[256];

	setenv("XPROF_PAGER", "sed s/a/b/", 1);
	setenv("PAGER", "false", 1);
	pager = pager_start(true);
	assert_non_null(pager);
	printf("a\n");
	pager_finish(pager);
	printf("a\n");
	fflush(stdout);
	assert_string_equal(pty_read(&screen->pty, text, sizeof(text)), "b\r\na\r\n");
}

static void a_single_word_needs_no_shell(void **state)
{
	struct screen *screen = *state;
	struct pager *pager;
	char text[256];

	setenv("PAGER", "rev", 1);
	pager = pager_start(true);
	assert_non_null(pager);
	printf("abc\n");
	pager_finish(pager);
	assert_string_equal(pty_read(&screen->pty, text, sizeof(text)), "cba\r\n");
}

static void a_pager_that_does_not_exist_is_none(void **state)
{
	(void)state;
	setenv("XPROF_PAGER", "/proc/nonexistent", 1);
	assert_null(pager_start(true));
}

static void an_empty_value_or_cat_means_none(void **state)
{
	(void)state;
	setenv("PAGER", "cat", 1);
	assert_null(pager_start(true));
	setenv("XPROF_PAGER", "", 1);
	setenv("PAGER", "rev", 1);
	assert_null(pager_start(true));
}

static void none_is_started_when_not_wanted(void **state)
{
	(void)state;
	setenv("PAGER", "rev", 1);
	assert_null(pager_start(false));
	pager_finish(NULL);
}

static void leaving_the_pager_early_is_no_error(void **state)
{
	struct screen *screen = *state;
	struct pager *pager;
	char text[256];

	setenv("XPROF_PAGER", "head -n 1", 1);
	pager = pager_start(true);
	assert_non_null(pager);
	for (int i = 0; i < 100000; i++)
		printf("%d\n", i);
	pager_finish(pager);
	assert_false(ferror(stdout));
	assert_string_equal(pty_read(&screen->pty, text, sizeof(text)), "0\r\n");
}

static void signals_are_handled_again_as_before(void **state)
{
	struct sigaction now, interrupt = { .sa_handler = SIG_DFL };
	struct pager *pager;

	(void)state;
	sigaction(SIGINT, &interrupt, NULL); /* a shell starts background jobs with SIGINT ignored */
	setenv("XPROF_PAGER", "true", 1);
	pager = pager_start(true);
	sigaction(SIGINT, NULL, &now);
	assert_true(now.sa_handler == SIG_IGN);
	pager_finish(pager);
	sigaction(SIGINT, NULL, &now);
	assert_true(now.sa_handler == SIG_DFL);
	sigaction(SIGPIPE, NULL, &now);
	assert_true(now.sa_handler == SIG_DFL);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, screen_open, screen_close)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(output_goes_through_the_pager_and_then_to_the_terminal_again),
		TEST(a_single_word_needs_no_shell),
		TEST(a_pager_that_does_not_exist_is_none),
		TEST(an_empty_value_or_cat_means_none),
		TEST(none_is_started_when_not_wanted),
		TEST(leaving_the_pager_early_is_no_error),
		TEST(signals_are_handled_again_as_before),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
