#!/usr/bin/env bash
# The stacks of stock programs, cut to 256 bytes to 64 KiB of their dumps: the result is the beginning of the whole stack, or
# marked as joined or guessed; and joins are right.
set -u
# shellcheck source=test/e2e/lib.sh
. "$(dirname "$0")/../e2e/lib.sh"

sweep=$build/test/sweep/sweep
[ -x "$sweep" ] || skip_all "$sweep is not built"
need_recording -e cpu-clock --call-graph dwarf,65528

"$xprof" record -q -e cpu-clock -F 2999 -m 16M --call-graph dwarf,65528 -o "$tmp/mixed.data" -- "$source_root/demo/mixed.sh"
status=0
table=$("$sweep" --most-wrong-joins=1000 "$tmp/mixed.data") || status=$?
diag "$table"
figure "$(tail -1 <<<"$table")"
is "$status" 0 "no frame is wrong and not marked, and of the joined stacks at most one in 1,000"
done_testing
