#!/usr/bin/env bash
# Flame graphs in a browser, as readers use them: test/web/page_test.js.
set -u
# shellcheck source=test/e2e/lib.sh
. "$(dirname "$0")/lib.sh"
need_browser

timeout 300 node "$source_root/test/web/page_test.js" "$browser" "$xprof" "$tmp"
