#include "symbol/text_file.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "support/cmocka.h"

static void lines_are_cut_apart_in_place(void **state)
{
	char text[] = "one\n\nthree";
	char *next = text, *end;

	(void)state;
	assert_string_equal(text_next_line(&next, text + 10, &end), "one");
	assert_ptr_equal(end, text + 3);
	assert_string_equal(text_next_line(&next, text + 10, &end), "");
	assert_string_equal(text_next_line(&next, text + 10, &end), "three");
	assert_ptr_equal(end, text + 10);
	assert_null(text_next_line(&next, text + 10, &end));
}

static void assert_hex(const char *text, bool taken, uint64_t expected, const char *rest)
{
	uint64_t value = 0;

	assert_int_equal(text_take_hex(&text, &value), taken);
	if (taken) {
		assert_true(value == expected);
		assert_string_equal(text, rest);
	}
}

static void hexadecimal_numbers_are_taken_with_the_blank_behind_them(void **state)
{
	(void)state;
	assert_hex("ffffffff81000000 T _text", true, 0xffffffff81000000, "T _text");
	assert_hex("0x1f AB", true, 0x1f, "AB");
	assert_hex("0 x", true, 0, "x");
	assert_hex("DeadBeef ", true, 0xdeadbeef, "");
}

static void what_is_no_number_of_at_most_16_digits_is_refused(void **state)
{
	(void)state;
	assert_hex("", false, 0, NULL);
	assert_hex(" 1", false, 0, NULL);
	assert_hex("0x x", false, 0, NULL);
	assert_hex("12g4 x", false, 0, NULL);
	assert_hex("1234", false, 0, NULL);
	assert_hex("fffffffff81000000 T _text", false, 0, NULL);
}

static void pipe_is_read_to_its_end(void **state)
{
	struct text_file text;
	int pipe_fds[2];

	(void)state;
	assert_int_equal(pipe(pipe_fds), 0);
	assert_int_equal(write(pipe_fds[1], "some\ntext", 9), 9);
	close(pipe_fds[1]);
	assert_int_equal(text_file_read(&text, pipe_fds[0], "pipe", 1 << 20, NULL), 0);
	assert_int_equal(text.size, 9);
	assert_string_equal(text.bytes, "some\ntext");
	free(text.bytes);
	close(pipe_fds[0]);
}

static void file_beyond_the_limit_is_refused(void **state)
{
	char path[] = "/tmp/text_file_test.XXXXXX";
	struct text_file text;
	struct error err;
	int fd = mkstemp(path);

	(void)state;
	unlink(path);
	assert_int_equal(ftruncate(fd, (off_t)3 << 20), 0);
	assert_int_equal(text_file_read(&text, fd, "x.map", 2 << 20, &err), -1);
	assert_string_equal(err.message, "x.map is larger than 2 MiB");
	assert_int_equal(lseek(fd, 0, SEEK_SET), 0);
	assert_int_equal(text_file_read(&text, fd, "x.map", 3 << 20, &err), 0);
	assert_int_equal(text.size, 3 << 20); /* exactly the limit */
	free(text.bytes);
	close(fd);
	assert_int_equal(text_file_read(&text, -1, "x.map", 2 << 20, &err), -1);
	assert_string_equal(err.message, "cannot read x.map: Bad file descriptor");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(lines_are_cut_apart_in_place),
		cmocka_unit_test(hexadecimal_numbers_are_taken_with_the_blank_behind_them),
		cmocka_unit_test(what_is_no_number_of_at_most_16_digits_is_refused),
		cmocka_unit_test(pipe_is_read_to_its_end),
		cmocka_unit_test(file_beyond_the_limit_is_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
