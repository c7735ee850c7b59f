#!/usr/bin/env bash
# Every number on a flame graph's page equals the one that xprof report prints for the same choice: the test runs the command
# that the page offers, and reads both tables. test/web/agreement_test.js.
set -u
# shellcheck source=test/e2e/lib.sh
. "$(dirname "$0")/lib.sh"
need_browser
need_recording -g --sample-cpu

# Of one program: files of others may change between the page and the report.
"$xprof" record -q -g --sample-cpu -e cpu-clock,page-faults -F 999 -o "$tmp/perf.data" -- "$demo" 4 >/dev/null 2>&1
timeout 300 node "$source_root/test/web/agreement_test.js" "$browser" "$xprof" "$tmp/perf.data" "$tmp"
