#include "cli/terminal.h"

#include "support/cmocka.h"
#include "support/pty.h"

static unsigned columns_of_terminal(unsigned short columns)
{
	struct pty pty;
	unsigned found;

	pty_open(&pty, columns);
	found = terminal_columns(pty.slave_fd, 80);
	pty_close(&pty);
	return found;
}

static void a_terminal_is_as_wide_as_it_says(void **state)
{
	(void)state;
	assert_int_equal(columns_of_terminal(132), 132);
}

static void one_that_does_not_say_has_the_fallback(void **state)
{
	(void)state;
	assert_int_equal(columns_of_terminal(0), 80);
	assert_int_equal(terminal_columns(-1, 100), 100);
}

static void none_is_narrower_than_a_word(void **state)
{
	(void)state;
	assert_int_equal(columns_of_terminal(3), 20);
	assert_int_equal(terminal_columns(-1, 0), 20);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_terminal_is_as_wide_as_it_says),
		cmocka_unit_test(one_that_does_not_say_has_the_fallback),
		cmocka_unit_test(none_is_narrower_than_a_word),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
