#include "cli/progress.h"

#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "support/cmocka.h"
#include "support/pty.h"

/* A line on a terminal of its own, which the runner closes. */
static struct progress progress;
static struct pty pty;

static void begin(unsigned short columns, bool quiet)
{
	pty_open(&pty, columns);
	progress_init(&progress, pty.slave_fd, quiet);
}

static int end(void **state)
{
	(void)state;
	pty_close(&pty);
	return 0;
}

/* The text drawn since the last call. */
static const char *drawn(void)
{
	static char text[256];

	return pty_read(&pty, text, sizeof(text));
}

static void a_line_is_drawn_in_place_and_erased(void **state)
{
	(void)state;
	begin(80, false);
	progress_draw(&progress, "%d samples", 7);
	assert_string_equal(drawn(), "\r\033[K7 samples");
	progress_erase(&progress);
	assert_string_equal(drawn(), "\r\033[K");
	progress_erase(&progress);
	assert_string_equal(drawn(), "");
}

static void a_line_is_cut_to_one_column_less_than_the_terminal(void **state)
{
	(void)state;
	begin(20, false);
	progress_draw(&progress, "abcdefghijklmnopqrstuvwxyz");
	assert_string_equal(drawn(), "\r\033[Kabcdefghijklmnopqrs");
}

static void control_characters_do_not_reach_the_terminal(void **state)
{
	(void)state;
	begin(80, false);
	progress_draw(&progress, "a\033[2Jb\n");
	assert_string_equal(drawn(), "\r\033[Ka?[2Jb?");
}

static void it_is_due_at_once_and_then_not_before_a_tenth_of_a_second(void **state)
{
	(void)state;
	begin(80, false);
	assert_true(progress_due(&progress));
	progress_draw(&progress, "x");
	assert_false(progress_due(&progress));
	progress.last_drawn_ns -= 100 * 1000 * 1000;
	assert_true(progress_due(&progress));
}

static void nothing_is_written_when_quiet_or_to_no_terminal(void **state)
{
	int ends[2];
	char byte;

	(void)state;
	assert_int_equal(pipe2(ends, O_NONBLOCK), 0);
	progress_init(&progress, ends[1], false);
	assert_false(progress_due(&progress));
	progress_draw(&progress, "x");
	progress_erase(&progress);
	assert_int_equal(read(ends[0], &byte, 1), -1);
	close(ends[0]);
	close(ends[1]);
}

static void quiet_is_quiet_on_a_terminal_too(void **state)
{
	(void)state;
	begin(80, true);
	progress_draw(&progress, "x");
	assert_string_equal(drawn(), "");
}

static void sizes_have_three_digits_that_count(void **state)
{
	char text[PROGRESS_TEXT_SIZE];

	(void)state;
	assert_string_equal(progress_format_size(text, 0), "0 B");
	assert_string_equal(progress_format_size(text, 999), "999 B");
	assert_string_equal(progress_format_size(text, 1000), "0.98 KiB");
	assert_string_equal(progress_format_size(text, 1536), "1.50 KiB");
	assert_string_equal(progress_format_size(text, 15 << 20), "15.0 MiB");
	assert_string_equal(progress_format_size(text, 999 << 20), "999 MiB");
	assert_string_equal(progress_format_size(text, UINT64_MAX), "16.0 EiB");
}

static void elapsed_time_grows_units(void **state)
{
	const uint64_t second_ns = 1000000000;
	char text[PROGRESS_TEXT_SIZE];

	(void)state;
	assert_string_equal(progress_format_elapsed(text, 0), "0.0s");
	assert_string_equal(progress_format_elapsed(text, 12390000000), "12.3s");
	assert_string_equal(progress_format_elapsed(text, 245 * second_ns), "4m05s");
	assert_string_equal(progress_format_elapsed(text, 3725 * second_ns), "1h02m");
}

static void counts_are_grouped_by_thousands(void **state)
{
	char text[PROGRESS_TEXT_SIZE];

	(void)state;
	assert_string_equal(progress_format_count(text, 0), "0");
	assert_string_equal(progress_format_count(text, 999), "999");
	assert_string_equal(progress_format_count(text, 1234567), "1,234,567");
	assert_string_equal(progress_format_count(text, UINT64_MAX), "18,446,744,073,709,551,615");
}

#define ON_TERMINAL(name) cmocka_unit_test_teardown(name, end)

int main(void)
{
	const struct CMUnitTest tests[] = {
		ON_TERMINAL(a_line_is_drawn_in_place_and_erased),
		ON_TERMINAL(a_line_is_cut_to_one_column_less_than_the_terminal),
		ON_TERMINAL(control_characters_do_not_reach_the_terminal),
		ON_TERMINAL(it_is_due_at_once_and_then_not_before_a_tenth_of_a_second),
		cmocka_unit_test(nothing_is_written_when_quiet_or_to_no_terminal),
		ON_TERMINAL(quiet_is_quiet_on_a_terminal_too),
		cmocka_unit_test(sizes_have_three_digits_that_count),
		cmocka_unit_test(elapsed_time_grows_units),
		cmocka_unit_test(counts_are_grouped_by_thousands),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
