#!/usr/bin/env bash
# Runs the tests that failed once more, one after the other with nothing beside them: tests that failed only on a busy machine
# pass.
#
# usage: check_again.sh BUILD   (PROVE, and the environment of tests, from make check-again)
#
# BUILD/tests.state is prove's own record of the last run. Afterwards BUILD/failed names the tests that failed twice, and
# BUILD/unstable those that passed now. Fails if one failed twice, or if there is no record. BUILD/logs keeps each test's first
# output as TEST.first.log.
set -u
build=$1
prove=${PROVE:-prove}
MOST=25 # more have a common cause, which a second run does not remove, and would take as long as all tests

# STATE: the tests that failed, one a line
failed_in() {
	prove --state=failed --statefile="$1" --dry 2>/dev/null | sort
}

if ! [ -s "$build/tests.state" ]; then
	echo "check-again: no tests have run in $build" >&2
	exit 2
fi
mapfile -t tests < <(failed_in "$build/tests.state")
printf '%s\n' "${tests[@]}" | sed '/^$/d' >"$build/failed"
: >"$build/unstable"
if [ ${#tests[@]} -eq 0 ]; then
	echo "check-again: no test of $build failed"
	exit 0
fi
if [ ${#tests[@]} -gt $MOST ]; then
	echo "check-again: ${#tests[@]} tests of $build failed, more than $MOST: not run again" >&2
	exit 1
fi

echo "check-again: ${tests[*]}"
for test in "${tests[@]}"; do
	log=$build/logs/${test#"$build/"}.log
	[ ! -f "$log" ] || mv "$log" "${log%.log}.first.log"
done
rm -f "$build/again.state"
: >"$build/skipped.again"
# shellcheck disable=SC2086 # PROVE may hold options
SKIPPED=$build/skipped.again $prove -e test/lib/run.sh --state=save --statefile="$build/again.state" "${tests[@]}"
status=$?
# Skips are counted once, though both runs may have noted them.
grep -vxF -f "$build/skipped" "$build/skipped.again" >>"$build/skipped"
# If prove itself was ended, it has written nothing.
if [ -s "$build/again.state" ]; then
	failed_in "$build/again.state" >"$build/failed"
fi
comm -23 <(printf '%s\n' "${tests[@]}") "$build/failed" >"$build/unstable"
[ ! -s "$build/unstable" ] || echo "unstable (failed beside other tests, passed alone): $(paste -sd' ' "$build/unstable")"
exit $status
