# shellcheck shell=bash
# TAP for shell tests: source it, call the checks below, end with done_testing.

tap_count=0
tap_failed=0

# To standard error, because prove does not show a failing test's standard output.
diag() {
	printf '%s\n' "$*" | sed 's/^/# /' >&2
}

# TEXT: the key figure of a test that takes long, for the last column of scripts/check_long.sh.
figure() {
	diag "figure: $*"
}

# STATUS NAME [DIAGNOSTIC]
tap_result() {
	tap_count=$((tap_count + 1))
	if [ "$1" -eq 0 ]; then
		echo "ok $tap_count - $2"
	else
		tap_failed=$((tap_failed + 1))
		echo "not ok $tap_count - $2"
		[ -z "${3-}" ] || diag "$3"
	fi
	return 0
}

# NAME COMMAND...: the command succeeds.
ok() {
	local name=$1 output status=0
	shift
	output=$("$@" 2>&1) || status=$?
	tap_result "$status" "$name" "$* -> status $status"$'\n'"$output"
}

# GOT EXPECTED NAME: two texts are equal.
is() {
	local status=0
	[ "$1" = "$2" ] || status=1
	tap_result "$status" "$3" "     got: $1"$'\n'"expected: $2"
}

# GOT REGEX NAME: an extended regular expression matches somewhere in the text.
like() {
	local status=0
	[[ "$1" =~ $2 ]] || status=1
	tap_result "$status" "$3" "     got: $1"$'\n'"expected: /$2/"
}

unlike() {
	local status=0
	[[ "$1" =~ $2 ]] && status=1
	tap_result "$status" "$3" "     got: $1"$'\n'"expected: not /$2/"
}

# EXPECTED NAME COMMAND...: the command ends with that status; its output stays in $output.
status_is() {
	local expected=$1 name=$2 status=0
	shift 2
	# shellcheck disable=SC2034 # for the caller to look into
	output=$("$@" 2>&1) || status=$?
	if [ "$status" -eq "$expected" ]; then
		tap_result 0 "$name"
	else
		tap_result 1 "$name" "$* -> status $status, expected $expected"$'\n'"$output"
	fi
}

# REASON NAME: counts as a test, and prove says why it did not run.
skip() {
	tap_count=$((tap_count + 1))
	echo "ok $tap_count - $2 # SKIP $1"
}

skip_all() {
	echo "1..0 # SKIP $*"
	exit 0
}

done_testing() {
	echo "1..$tap_count"
	[ "$tap_failed" -eq 0 ] || exit 1
	exit 0
}
