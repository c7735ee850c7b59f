#!/usr/bin/env bash
# The scripts of flame graph pages, except the parts that need a browser.
set -u
# shellcheck source=test/e2e/lib.sh
. "$(dirname "$0")/lib.sh"
need_node

exec node "$source_root/test/web/scripts_test.js"
