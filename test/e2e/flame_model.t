#!/usr/bin/env bash
# The script of flame graph pages, as far as it is arithmetic.
set -u
# shellcheck source=test/e2e/lib.sh
. "$(dirname "$0")/lib.sh"
command -v node >/dev/null || skip_all "node is not installed"

exec node "$source_root/test/web/flame_model_test.js"
