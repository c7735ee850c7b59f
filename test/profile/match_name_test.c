#include "profile/match_name.h"

#include <stdio.h>

#include "support/cmocka.h"

static void assert_matched(const char *name, const char *expected)
{
	char cut[256];

	snprintf(cut, sizeof(cut), "%.*s", (int)match_function_length(name), name);
	assert_string_equal(cut, expected);
}

static void marks_of_compilers_are_left_out(void **state)
{
	(void)state;
	assert_matched("inflate", "inflate");
	assert_matched("inflate.constprop.0", "inflate");
	assert_matched("inflate.isra.0.cold", "inflate");
	assert_matched("finish_task_switch.isra.0", "finish_task_switch");
	assert_matched("read.part.12.lto_priv.3", "read");
	assert_matched("swap.llvm.1234567890", "swap");
	assert_matched("ns::f(int) [clone .part.0]", "ns::f(int)");
	assert_matched("f() [clone .isra.0] [clone .cold]", "f()");
	assert_matched("core::fmt::write::h0123456789abcdef", "core::fmt::write");
}

static void names_that_only_look_like_marks_stay(void **state)
{
	(void)state;
	assert_matched("", "");
	assert_matched("parse.1", "parse.1");
	assert_matched(".cold", ".cold");
	assert_matched("is.cold.", "is.cold.");
	assert_matched("f::h0123456789abcdeg", "f::h0123456789abcdeg");
	assert_matched("::h0123456789abcdef", "::h0123456789abcdef");
	assert_matched("operator[]", "operator[]");
	assert_matched("]", "]");
	assert_matched(" [clone .x]", " [clone .x]");
	assert_matched("0.0", "0.0");
}

static void numbers_of_processes_are_left_out_of_dso_names(void **state)
{
	char buffer[32];

	(void)state;
	assert_string_equal(match_dso_name("libc.so.6", buffer, sizeof(buffer)), "libc.so.6");
	assert_string_equal(match_dso_name("perf-1234.map", buffer, sizeof(buffer)), "perf-*.map");
	assert_string_equal(match_dso_name("jitted-1234-17.so", buffer, sizeof(buffer)), "jitted-*.so");
	assert_string_equal(match_dso_name("[JIT] tid 1234", buffer, sizeof(buffer)), "[JIT]");
	assert_string_equal(match_dso_name("perf-tool", buffer, sizeof(buffer)), "perf-tool");
	assert_string_equal(match_dso_name("perf-1", buffer, sizeof(buffer)), "perf-1");
	assert_string_equal(match_dso_name("perf-1.a-name-much-longer-than-the-buffer", buffer,
					   sizeof(buffer)),
			    "perf-*.a-name-much-longer-than-");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(marks_of_compilers_are_left_out),
		cmocka_unit_test(names_that_only_look_like_marks_stay),
		cmocka_unit_test(numbers_of_processes_are_left_out_of_dso_names),
	};

	return cmocka_run_group_tests_name("profile/match_name", tests, NULL, NULL);
}
