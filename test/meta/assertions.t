#!/usr/bin/env bash
# Every unit test asserts something.
set -u
cd "$(dirname "$0")/../.." || exit
# shellcheck source=test/lib/tap.sh
. test/lib/tap.sh
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT

cat >"$tmp/noun_test.c" <<'END'
#define CHECK(x) check(x)
static void check(int x)
{
	assert_true(x);
}

static int by_another(void)
{
	check(1);
}

static void directly(void **state)
{
	assert_int_equal(1, 1);
}

static void by_what_it_calls(void **state)
{
	by_another();
}

static void by_a_macro(void **state)
{
	CHECK(2);
}

/* Not by what a comment says: assert_true(). */
static void not_at_all(void **state)
{
	if (state)
		free(state);
}
END
is "$(test/lib/assertions.pl "$tmp/noun_test.c")" "$tmp/noun_test.c: not_at_all" "a_test_without_an_assertion_is_named"

mapfile -t tests < <(find test -name '*_test.c')
is "$(test/lib/assertions.pl "${tests[@]}")" "" "each_of_${#tests[@]}_files_tests_asserts"

# A script has a check, or hands its tests to another program.
is "$(grep -LE '\b(ok|is|like|unlike|status_is|tap_result|races_not)\b|\bexec |\bnode "' test/*/*.t)" "" "so_does_each_script"
done_testing
