#!/usr/bin/env bash
# scripts/check_long.sh runs all tests even after failures, resumes interrupted runs, and sums the tests up.
set -u
root=$(cd "$(dirname "$0")/../.." && pwd)
# shellcheck source=test/lib/tap.sh
. "$root/test/lib/tap.sh"
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
cd "$tmp" || exit
echo 1 >xprof
export XPROF=$tmp/xprof BUILD=$tmp

# NAME COMMANDS: makes a test that adds its name to the file "ran" when it runs.
plant() {
	printf '#!/usr/bin/env bash\n. "%s/test/lib/tap.sh"\necho %s >>"%s/ran"\n%s\n' "$root" "$1" "$tmp" "$2" >"$1.t"
	chmod +x "$1.t"
}
check_long() {
	: >ran
	"$root/scripts/check_long.sh" "$tmp/long" ./*.t 2>&1
}
# The table without the seconds.
table() {
	sed '1,/^test .*figure$/d' <<<"$output" | sed -E 's/^([^ ]+ +[a-zA-Z ]+[a-zA-Z]) +[0-9]+  /\1  /'
}

plant a 'ok one true; ok two false; done_testing'
plant b 'exit 3'
plant c 'skip_all there is no such tool'
plant d 'ok one true; skip "not here" two; figure 3 of 4 frames; figure 5 more; done_testing'
plant e 'exit 124' # as timeout does
status_is 1 "a_run_with_failures_fails" check_long
is "$(table)" "a                    FAILED  2 tests, 1 failed: two
b                    FAILED  0 tests
c                    skipped  there is no such tool
d                    passed  2 tests, 1 skipped; 3 of 4 frames; 5 more
e                    too long  0 tests" "and_says_of_each_test_what_became_of_it"
is "$(cat "$tmp/long/skipped")" $'./c.t: there is no such tool\n./d.t: not here - two' "what_was_skipped_is_kept"

plant a 'ok one true; done_testing'
plant e 'ok one true; done_testing'
status_is 1 "the_next_run_has_what_has_not_passed_yet" check_long
is "$(xargs <ran)" "a b c e" "and_not_what_has"
plant b 'ok one true; done_testing'
plant c 'ok one true; done_testing'
status_is 0 "once_all_pass_the_run_does" check_long
is "$(xargs <ran)" "b c" "and_needs_no_more_than_what_was_left"
is "$(table | head -1)" "a                    passed  1 tests" "the_table_has_all"
ok "the_next_one_succeeds" check_long
is "$(xargs <ran)" "a b c d e" "and_begins_anew"
plant a 'ok one false; done_testing'
ok "a_failure" [ "$(check_long | grep -c FAILED)" -gt 0 ]
echo 2 >xprof
output=$(check_long)
is "$(xargs <ran)" "a b c d e" "another_program_has_not_passed_anything"
done_testing
