#include "report/diff/diff_folded.h"

#include "support/cmocka.h"

static void assert_joined(const char *before, const char *after, double factor, const char *expected)
{
	struct strbuf out;

	strbuf_init(&out);
	diff_folded_add(&out, before, after, factor);
	assert_string_equal(out.bytes, expected);
	strbuf_fini(&out);
}

static void stacks_of_both_texts_stand_side_by_side(void **state)
{
	(void)state;
	assert_joined("a;b 10\na;b;c 20\nz 1\n", "a;b;c 30\na;d 5\n", 1,
		      "a;b 10 0\na;b;c 20 30\na;d 0 5\nz 1 0\n");
	assert_joined("", "", 1, "");
	assert_joined("a 1\n", "", 1, "a 1 0\n");
	assert_joined("", "a 1\n", 1, "a 0 1\n");
}

static void weights_before_are_scaled_and_rounded(void **state)
{
	(void)state;
	assert_joined("a 10\nb with blanks 3\n", "b with blanks 4\n", 1.25, "a 13 0\nb with blanks 4 4\n");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(stacks_of_both_texts_stand_side_by_side),
		cmocka_unit_test(weights_before_are_scaled_and_rounded),
	};

	return cmocka_run_group_tests_name("report/diff/diff_folded", tests, NULL, NULL);
}
