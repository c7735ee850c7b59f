#!/usr/bin/env bash
# Runs tests that take long one after the other, even after failures, and sums them up in a table: result, seconds, key figure
# ("figure" of test/lib/tap.sh). Fails if a test did.
#
# usage: check_long.sh DIRECTORY TEST...
#
# DIRECTORY keeps each test's log and result. Tests that have passed are not run again by the next call, so that an interrupted
# run resumes; all run again once all have passed or xprof has changed.
set -u
directory=$1
shift
mkdir -p "$directory" || exit 1
export SKIPPED=$directory/skipped

# The result of TEST, from its log: "RESULT|SECONDS|FIGURE".
result_of() { # LOG STATUS SECONDS
	awk -v status="$2" -v seconds="$3" '
		/^ok / { passed++ }
		/^ok .* # SKIP/ { skipped++ }
		/^not ok / { failed++; if (failed == 1) { sub(/^not ok [0-9]+ - /, ""); first = $0 } }
		/^1\.\.0 # SKIP/ { sub(/^1\.\.0 # SKIP */, ""); why = $0 }
		/^1\.\.[0-9]+/ { planned = 1 }
		/^# figure: / { sub(/^# figure: */, ""); figures = figures (figures ? "; " : "") $0 }
		END {
			if (why) result = "skipped"
			else if (status == 124) result = "too long"
			else result = status || failed || !planned ? "FAILED" : "passed"
			tests = (passed + failed) " tests" (skipped ? ", " skipped " skipped" : "") (failed ? ", " failed " failed" : "")
			if (failed) tests = tests ": " first
			print result "|" seconds "|" (why ? why : tests (figures ? "; " figures : ""))
		}' "$1"
}

passed_all() {
	local test
	for test in "$@"; do
		grep -q '^passed' "$directory/$(basename "$test" .t).result" 2>/dev/null || return 1
	done
}

program=$(cksum <"${XPROF:-/dev/null}")
if [ "$program" != "$(cat "$directory/program" 2>/dev/null)" ] || passed_all "$@"; then
	rm -f "$directory"/*.result "$SKIPPED"
fi
printf '%s\n' "$program" >"$directory/program"

for test in "$@"; do
	name=$(basename "$test" .t)
	if grep -q '^passed' "$directory/$name.result" 2>/dev/null; then
		echo "$name: has passed before"
		continue
	fi
	echo "$name ..."
	begin=$SECONDS ended=0
	timeout -k 60 "${LONG_TEST_SECONDS:-14400}" "$(dirname "$0")/../test/lib/run.sh" "$test" >"$directory/$name.log" 2>&1 || ended=$?
	result_of "$directory/$name.log" $ended $((SECONDS - begin)) >"$directory/$name.result"
	echo "$name: $(cut -d'|' -f1 "$directory/$name.result"), $directory/$name.log"
done

# In the order of the arguments. Fails if a test did.
summary() {
	local test name result seconds figure failed=0
	printf '\n%-20s %-9s %7s  %s\n' test result seconds 'key figure'
	for test in "$@"; do
		name=$(basename "$test" .t)
		IFS='|' read -r result seconds figure <"$directory/$name.result"
		printf '%-20s %-9s %7s  %s\n' "$name" "$result" "$seconds" "$figure"
		case $result in passed | skipped) ;; *) failed=1 ;; esac
	done
	return $failed
}
summary "$@" | tee "$directory/summary"
exit "${PIPESTATUS[0]}"
