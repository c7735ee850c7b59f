#!/usr/bin/env bash
# Flame graphs in a browser, as readers use them: test/web/page_test.js.
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

timeout 300 node "$source_root/test/web/page_test.js" "$browser" "$xprof" "$tmp"
