#!/usr/bin/env bash
# The unwinder beside the truth: programs are followed instruction by instruction, calls and returns alone tell the callers, and
# at thousands of instructions the stack is unwound.
set -u
# shellcheck source=test/e2e/lib.sh
. "$(dirname "$0")/lib.sh"

truth=$build/test/truth/truth
[ "$(uname -m)" = x86_64 ] || skip_all "only x86-64 programs are followed"
[ -x "$truth" ] || skip_all "$truth is not built"
"$truth" <<<"probe start 10 /bin/sh -c :" >"$tmp/probe" || skip_all "following a program needs ptrace"

list=$("$source_root/test/truth/programs/build.sh" "$tmp" "${TRUTH_PROGRAMS:-short}")
status=0
table=$(timeout "${TRUTH_SECONDS:-300}" "$truth" --differences="${TRUTH_DIFFERENCES:-3}" <<<"$list") || status=$?
diag "$(grep '^#' <<<"$list")"
# The differences are only of interest if there were too many.
[ "$status" -ne 0 ] || table=$(grep -v '^#' <<<"$table")
diag "$table"
figure "$(grep -v '^#' <<<"$table" | tail -1 | xargs -0)"
is "$status" 0 "wrong frames at most 1 in 2,000, missing ones at most 1 in 200"
done_testing
