#!/usr/bin/env bash
# Every number on a flame graph's page is the one that xprof report prints for the same choice:
# the command that the page offers is run, and both tables are read. test/web/agreement_test.js.
set -u
# shellcheck source=test/e2e/lib.sh
. "$(dirname "$0")/lib.sh"

case $build in
*/asan | */ubsan | */tsan) skip_all "pages are the same whatever xprof was built with" ;;
esac
browser=$(command -v chromium || command -v chromium-browser || command -v google-chrome) ||
	skip_all "chromium is not installed"
command -v node >/dev/null || skip_all "node is not installed"
export NODE_PATH=$source_root/build/npm/node_modules
[ -d "$NODE_PATH/playwright-core" ] || skip_all "playwright-core is not installed: scripts/setup.sh --for=test"
need_recording -g --sample-cpu

# Of one program: files of others may change between the page and the report.
"$xprof" record -q -g --sample-cpu -e cpu-clock,page-faults -F 999 -o "$tmp/perf.data" -- "$demo" 4 >/dev/null 2>&1
timeout 300 node "$source_root/test/web/agreement_test.js" "$browser" "$xprof" "$tmp/perf.data" "$tmp"
