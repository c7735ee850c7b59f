#!/usr/bin/env bash
# The scripts of flame graph pages, as far as they are arithmetic and words.
set -u
# shellcheck source=test/e2e/lib.sh
. "$(dirname "$0")/lib.sh"
need_node

exec node "$source_root/test/web/scripts_test.js"
