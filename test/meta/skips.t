#!/usr/bin/env bash
# test/lib/run.sh notes a skipped test, and scripts/skipped.sh fails for it unless it is expected by name.
set -u
root=$(cd "$(dirname "$0")/../.." && pwd)
# shellcheck source=test/lib/tap.sh
. "$root/test/lib/tap.sh"
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
cd "$tmp" || exit

# LINE...: prints the output of a test that prints these lines, as run.sh passes it on; the skipped tests are in
# $tmp/build/skipped.
run() {
	mkdir -p build
	: >build/skipped
	printf 'cat <<"END"\n%s\nEND\n' "$(printf '%s\n' "$@")" >build/noun_test
	BUILD=build SKIPPED=$tmp/build/skipped "$root/test/lib/run.sh" bash build/noun_test
}
skipped() {
	"$root/scripts/skipped.sh" --expected=expected "$@" 2>&1
}

is "$(run 'ok 1 - one' 'not ok 2 - two' 'not ok 3 # SKIP three' '1..3')" $'ok 1 - one\nnot ok 2 - two\nok 3 # SKIP three\n1..3' \
	"a_test_that_cmocka_skips_does_not_fail_and_all_else_stays"
is "$(cat build/skipped)" "noun_test: three" "it_is_written_down_by_its_name"
run 'ok 1 - it works # SKIP there is no perf' '1..1' >out
is "$(cat build/skipped)" "noun_test: there is no perf - it works" "a_script_that_skips_a_test_says_why"
run 'ok 1 - it works # SKIP' '1..1' >out
is "$(cat build/skipped)" "noun_test: it works" "or_not"
run '1..0 # SKIP there is no perf' >out
is "$(cat build/skipped)" "noun_test: there is no perf" "so_does_one_that_skips_all"
run 'ok 1 - nothing here to # SKIPPY' '1..1' >out
is "$(cat build/skipped)" "" "what_only_looks_like_it_is_none"
printf 'exit 3\n' >build/fails
BUILD=build "$root/test/lib/run.sh" bash build/fails
is $? 3 "the_status_is_that_of_the_test"

printf '# why\n\nnoun_test: there is no (perf|node)( - .*)?\n' >expected
run '1..0 # SKIP there is no perf' >out
status_is 0 "a_skip_that_is_expected_is_none_to_fail_for" skipped build
is "$output" "skipped tests: 1 in build; all expected: noun_test: there is no perf" "it_is_counted_and_named"
mkdir other
run '1..0 # SKIP there is no perfection' >out
cp build/skipped other/
status_is 1 "one_that_is_not_expected_fails" skipped build other
is "$output" "skipped, which test/skips.expected does not have (build): noun_test: there is no perfection
skipped, which test/skips.expected does not have (other): noun_test: there is no perfection
skipped tests: 1 in build, 1 in other; not all expected: noun_test: there is no perfection" "it_is_named_with_its_build_and_once_at_the_end"
: >build/skipped
is "$(skipped build)" "skipped tests: 0 in build; all expected" "where_none_was_skipped_there_are_none"
rm other/skipped
status_is 1 "tests_that_have_not_run_are_not_those_that_were_not_skipped" skipped build other
like "$output" "skipped: no tests have run in other" "which_is_said"
done_testing
