#!/usr/bin/env bash
# The tests' output is kept, failed tests run once more (scripts/check_again.sh), and failures are summed up in few lines
# (scripts/failed_tests.sh).
set -u
root=$(cd "$(dirname "$0")/../.." && pwd)
# shellcheck source=test/lib/tap.sh
. "$root/test/lib/tap.sh"
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT

# The scripts find their files beside them and in the directory they are started from.
mkdir -p "$tmp/test/lib" "$tmp/scripts" "$tmp/build"
cp "$root"/test/lib/{run.sh,run.pl,tap.sh} "$tmp/test/lib/"
cp "$root"/scripts/{check_again,failed_tests}.sh "$tmp/scripts/"
cd "$tmp" || exit

# NAME COMMANDS: a test
plant() {
	printf '#!/usr/bin/env bash\n. "%s/test/lib/tap.sh"\n%s\n' "$root" "$2" >"test/$1.t"
	chmod +x "test/$1.t"
}
# As make check calls prove.
run() {
	rm -rf build/logs build/tests.state
	: >build/skipped
	BUILD=$tmp/build SKIPPED=$tmp/build/skipped TEST_LOGS=$tmp/build/logs \
		prove -e test/lib/run.sh --state=save --statefile=build/tests.state test/*.t >build/check.log 2>&1
}
again() {
	BUILD=$tmp/build SKIPPED=$tmp/build/skipped TEST_LOGS=$tmp/build/logs scripts/check_again.sh build 2>&1
}

status_is 2 "without_tests_there_is_nothing_to_run_again" again
status_is 1 "nor_to_sum_up" scripts/failed_tests.sh build
is "$output" "build: its tests have not run
failed: build" "which_is_a_failure"

plant good 'ok one true; done_testing'
plant skips 'skip "there is no perf" one; done_testing'
ok "tests_that_pass" run
status_is 0 "are_summed_up" scripts/failed_tests.sh build=build/check.log
like "$output" $'^Files=2, Tests=2, [^\n]*\nResult: PASS$' "by_the_closing_lines_of_prove"
is "$(cat build/logs/test/good.t.log)" $'ok 1 - one\n1..1' "what_a_test_prints_is_kept"
status_is 0 "none_of_them_is_run_again" again
is "$output" "check-again: no test of build failed" "which_it_says"
status_is 1 "a_step_that_failed_beside_them_fails" scripts/failed_tests.sh --step=lint=build/check.log build=build/check.log
like "$output" $'^lint \\(build/check.log\\)\n.*    \\| Result: PASS\nfailed: lint$' "with_the_end_of_its_output"

# One passes when it runs alone, the others do not.
plant unstable "skip 'there is no perf' one; [ -e '$tmp/second' ]; tap_result \$? two; touch '$tmp/second'; done_testing"
plant bad 'ok one true; for i in 1 2 3 4 5 6 7; do is "got $i" "$i" "check $i"; done; done_testing'
plant short 'ok one true; echo "the cause" >&2; exit 3'
plant killed 'ok one true; echo 1..2; kill -9 $$'
status_is 1 "tests_that_fail" run
status_is 1 "of_all_of_them_the_names_are_in_the_last_line" scripts/failed_tests.sh build=build/check.log
is "${output##*$'\n'}" "failed: test/bad.t test/killed.t test/short.t test/unstable.t" "and_nothing_else"
like "$output" "test/bad.t \(build\)
    not ok: check 1
    not ok: check 2
    not ok: check 3
    not ok: check 4
    not ok: check 5
    not ok: 2 more
    \| # expected: 3
    \| #      got: got 4
.*    \| # expected: 7
    \| # exit status 1
" "checks_that_failed_are_named_and_the_last_diagnostics_stand_below"
like "$output" "test/short.t \(build\)
    ended after 1 checks, without a plan
    \| the cause
    \| # exit status 3
" "a_test_that_ends_too_early_gives_its_last_words"
like "$output" "test/killed.t \(build\)
    ran 1 of 2 checks
    \| # exit status 137
" "a_signal_is_an_exit_status"

status_is 1 "run_again_they_fail_if_one_does" again
like "$output" $'\nunstable \\(failed beside other tests, passed alone\\): test/unstable.t$' "those_that_pass_now_are_unstable"
is "$(cat build/failed)" $'test/bad.t\ntest/killed.t\ntest/short.t' "those_that_fail_again_are_not"
is "$(cat build/skipped)" $'test/skips.t: there is no perf - one\ntest/unstable.t: there is no perf - one' \
	"what_both_runs_skip_counts_once"
ok "what_was_printed_at_first_is_kept" grep -q '^not ok 2 - two' build/logs/test/unstable.t.first.log
ok "beside_the_second" grep -q '^ok 2 - two' build/logs/test/unstable.t.log
status_is 1 "the_second_run_counts" scripts/failed_tests.sh build=build/check.log
is "${output##*$'\n'}" "failed: test/bad.t test/killed.t test/short.t" "for_the_last_line"

rm test/{bad,short,killed}.t second
status_is 1 "a_failure_by_chance" run
status_is 0 "is_no_failure_when_the_second_run_passes" again
status_is 0 "nor_for_the_sum" scripts/failed_tests.sh build=build/check.log
like "$output" $'unstable .*: test/unstable.t\nFiles=3, Tests=4, [^\n]*\nResult: PASS$' "that_names_what_is_unstable"
rm second
status_is 1 "a_later_run" run
status_is 1 "is_not_judged_by_an_earlier_second_run" scripts/failed_tests.sh build=build/check.log

for i in $(seq 26); do plant "many$i" 'ok one false; done_testing'; done
status_is 1 "many_failures" run
status_is 1 "have_one_reason" again
is "$output" "check-again: 26 tests of build failed, more than 25: not run again" "and_are_not_run_again"

# The whole of it, with a make that runs these tests for every build, and lint with a given result.
rm -rf build test/*.t
mkdir -p bin .ci
cp "$root/.ci/run" .ci/
printf '#!/bin/sh\nexit 0\n' >scripts/setup.sh
cat >bin/make <<'END'
#!/usr/bin/env bash
for argument in "$@"; do
	case $argument in
	BUILD=*) export BUILD=${argument#BUILD=} && continue ;;
	lint) echo "lint: shellcheck: $LINT" && [ "$LINT" = ok ] ;;
	check-again) SKIPPED=/dev/null TEST_LOGS=$PWD/$BUILD/logs scripts/check_again.sh "$BUILD" ;;
	check-skips) echo "skipped tests: none" ;;
	check*)
		export BUILD=build${argument#check}
		BUILD=${BUILD/-//}
		mkdir -p "$BUILD" && : >"$BUILD/skipped"
		[ -z "${COMPILES-yes}" ] && echo "x.c:1: error: no such thing" && exit 2
		TEST_LOGS=$PWD/$BUILD/logs prove -e test/lib/run.sh --state=save --statefile="$BUILD/tests.state" test/*.t
		;;
	esac
	exit
done
END
chmod +x bin/make scripts/setup.sh
export PATH=$tmp/bin:$PATH LINT=ok
plant good 'ok one true; done_testing'
plant unstable "case \$TEST_LOGS in */tsan/*) [ -e '$tmp/third' ]; tap_result \$? two; touch '$tmp/third' ;; *) ok two true ;; esac; done_testing"
status_is 0 "ci_passes_if_the_second_run_does" .ci/run
like "$output" $'\n== check-tsan: FAILED, [0-9]+ s, build/check-tsan.log\n' "says_what_failed_at_first"
like "$output" $'\nunstable \\(failed beside other tests, passed alone; build/tsan/logs/TEST.first.log\\): test/unstable.t
Files=2, Tests=2, [^\n]*\nResult: PASS$' "and_ends_with_what_is_unstable_and_proves_closing_lines"
is "$(cd build && echo *.log)" "check-asan.log check-skips.log check-tsan-again.log check-tsan.log check.log lint.log setup.log" \
	"each_step_has_its_log"
LINT=FAILED status_is 1 "ci_fails_if_lint_does" .ci/run
like "$output" $'\nlint \\(build/lint.log\\)\n    \\| lint: shellcheck: FAILED\nfailed: lint$' "and_ends_with_why"
like "$output" $'\n== check-skips: ok, ' "after_all_steps_have_run"
plant bad 'ok one false; done_testing'
status_is 1 "ci_fails_if_a_test_does_twice" .ci/run
is "${output##*$'\n'}" "failed: test/bad.t test/bad.t test/bad.t" "in_each_build"
COMPILES='' status_is 1 "ci_fails_if_nothing_compiles" .ci/run
like "$output" $'\ncheck \\(build/check.log\\)\n    \\| x.c:1: error: no such thing\n' "and_says_what"
done_testing
