#include "cli/color.h"

#include <stdlib.h>
#include <unistd.h>

#include "support/cmocka.h"
#include "support/pty.h"

static bool enabled_on_a_terminal(enum color_mode mode)
{
	struct pty pty;
	struct color color;
	FILE *out;

	pty_open(&pty, 80);
	out = fdopen(dup(pty.slave_fd), "w");
	color = color_init(mode, out);
	fclose(out);
	pty_close(&pty);
	return color.enabled;
}

static int plain_environment(void **state)
{
	(void)state;
	unsetenv("NO_COLOR");
	return setenv("TERM", "xterm", 1);
}

static void a_terminal_has_colours_unless_told_otherwise(void **state)
{
	(void)state;
	assert_true(enabled_on_a_terminal(COLOR_AUTO));
	assert_false(enabled_on_a_terminal(COLOR_NEVER));
}

static void no_color_in_the_environment_turns_them_off(void **state)
{
	(void)state;
	setenv("NO_COLOR", "1", 1);
	assert_false(enabled_on_a_terminal(COLOR_AUTO));
	assert_true(enabled_on_a_terminal(COLOR_ALWAYS));
	setenv("NO_COLOR", "", 1);
	assert_true(enabled_on_a_terminal(COLOR_AUTO));
}

static void a_dumb_terminal_has_none(void **state)
{
	(void)state;
	setenv("TERM", "dumb", 1);
	assert_false(enabled_on_a_terminal(COLOR_AUTO));
}

static void a_file_has_none_unless_asked_for(void **state)
{
	FILE *out = tmpfile();

	(void)state;
	assert_false(color_init(COLOR_AUTO, out).enabled);
	assert_true(color_init(COLOR_ALWAYS, out).enabled);
	fclose(out);
}

static void sequences_are_empty_when_off(void **state)
{
	(void)state;
	assert_string_equal(color_on((struct color){ false }, COLOR_HOT), "");
	assert_string_equal(color_off((struct color){ false }), "");
	assert_string_equal(color_on((struct color){ true }, COLOR_HEADING), "\033[1m");
	assert_string_equal(color_off((struct color){ true }), "\033[0m");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(a_terminal_has_colours_unless_told_otherwise, plain_environment),
		cmocka_unit_test_setup(no_color_in_the_environment_turns_them_off, plain_environment),
		cmocka_unit_test_setup(a_dumb_terminal_has_none, plain_environment),
		cmocka_unit_test_setup(a_file_has_none_unless_asked_for, plain_environment),
		cmocka_unit_test(sequences_are_empty_when_off),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
