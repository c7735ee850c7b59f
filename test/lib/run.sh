#!/usr/bin/env bash
# COMMAND...: runs a test as prove's -e does. cmocka's TAP says of a skipped test "not ok 2 # SKIP name" up to 1.1.5, which
# prove counts as a failure; TAP's way is "ok 2 # SKIP name".
set -o pipefail
"$@" | sed -u 's/^not ok \([0-9]* # SKIP\)/ok \1/'
