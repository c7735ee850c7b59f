#!/usr/bin/env bash
# Lint as in make lint, with clang's analyzer up to its own limit, and for tests, too.
set -u
cd "$(dirname "$0")/../.." || exit 1
. test/lib/tap.sh
ok "lint finds nothing" env ANALYZER_NODES=225000 ANALYZED=. scripts/lint.sh
done_testing
