#!/usr/bin/env bash
# Lists the skipped tests, and says whether each was expected to be skipped.
#
# usage: skipped.sh [--expected=FILE] BUILD...
#
# test/lib/run.sh writes the skipped tests of a run to BUILD/skipped. If a line there matches no line of test/skips.expected,
# the script prints it and fails; it also fails for a build whose tests have not run. The last line counts all and names them.
set -eu
expected=$(dirname "$0")/../test/skips.expected
case ${1-} in --expected=*) expected=${1#*=} && shift ;; esac
[ $# -gt 0 ] || { echo "usage: skipped.sh [--expected=FILE] BUILD..." >&2; exit 2; }

status=0 counts='' names=$(mktemp)
trap 'rm -f "$names"' EXIT
for build in "$@"; do
	if ! [ -f "$build/skipped" ]; then
		echo "skipped: no tests have run in $build"
		status=1
		continue
	fi
	while IFS= read -r line; do
		echo "skipped, which test/skips.expected does not have ($build): $line"
		status=1
	done < <(grep -vxE -f <(grep -vE '^(#|$)' "$expected") "$build/skipped" || true)
	counts+="${counts:+, }$(wc -l <"$build/skipped") in $build"
	cat "$build/skipped" >>"$names"
done
[ $status -eq 0 ] && verdict="all expected" || verdict="not all expected"
echo "skipped tests: $counts; $verdict$(sort -u "$names" | awk '{ printf "%s%s", NR == 1 ? ": " : "; ", $0 }')"
exit $status
