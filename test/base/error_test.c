#include "base/error.h"

#include <errno.h>
#include <string.h>

#include "support/cmocka.h"

static void error_set_formats_and_returns_minus_one(void **state)
{
	struct error err = { .errno_value = 5 };

	(void)state;
	assert_int_equal(error_set(&err, "perf.data: size %d at 0x%x", 4, 0x1f40), -1);
	assert_string_equal(err.message, "perf.data: size 4 at 0x1f40");
	assert_int_equal(err.errno_value, 0);
}

static void error_set_errno_appends_the_reason(void **state)
{
	struct error err;

	(void)state;
	assert_int_equal(error_set_errno(&err, ENOENT, "cannot open %s", "a"), -1);
	assert_string_equal(err.message, "cannot open a: No such file or directory");
	assert_int_equal(err.errno_value, ENOENT);
}

static void error_wrap_puts_context_in_front_and_keeps_errno(void **state)
{
	struct error err;

	(void)state;
	error_set_errno(&err, EACCES, "open");
	assert_int_equal(error_wrap(&err, "thread %d", 7), -1);
	assert_string_equal(err.message, "thread 7: open: Permission denied");
	assert_int_equal(err.errno_value, EACCES);
}

static void error_may_be_null(void **state)
{
	(void)state;
	assert_int_equal(error_set(NULL, "x"), -1);
	assert_int_equal(error_set_errno(NULL, EIO, "x"), -1);
	assert_int_equal(error_wrap(NULL, "x"), -1);
}

static void error_set_cuts_long_messages(void **state)
{
	struct error err;
	char text[3000];

	(void)state;
	memset(text, 'a', sizeof(text) - 1);
	text[sizeof(text) - 1] = '\0';
	error_set_errno(&err, EIO, "%s", text);
	assert_int_equal(strlen(err.message), sizeof(err.message) - 1);
	error_wrap(&err, "%s", text);
	assert_int_equal(strlen(err.message), sizeof(err.message) - 1);
}

static void error_set_may_quote_its_own_message(void **state)
{
	struct error err;

	(void)state;
	error_set(&err, "inner");
	error_set(&err, "outer (%s)", err.message);
	assert_string_equal(err.message, "outer (inner)");
}

static void error_set_replaces_control_characters(void **state)
{
	struct error err;

	(void)state;
	error_set(&err, "cannot open %s", "a\nb\033[31m\x7f\xc3\xa9");
	assert_string_equal(err.message, "cannot open a?b?[31m?\xc3\xa9");
	error_set(&err, "cannot open %s", "C1 \xc2\x9b, \x9b, bidi \xe2\x80\xae");
	assert_string_equal(err.message, "cannot open C1 ?, ?, bidi ?");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(error_set_formats_and_returns_minus_one),
		cmocka_unit_test(error_set_errno_appends_the_reason),
		cmocka_unit_test(error_wrap_puts_context_in_front_and_keeps_errno),
		cmocka_unit_test(error_may_be_null),
		cmocka_unit_test(error_set_cuts_long_messages),
		cmocka_unit_test(error_set_may_quote_its_own_message),
		cmocka_unit_test(error_set_replaces_control_characters),
	};

	return cmocka_run_group_tests_name("base/error", tests, NULL, NULL);
}
