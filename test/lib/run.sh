#!/usr/bin/env bash
# COMMAND...: runs a test for prove's -e. cmocka up to 1.1.5 writes "not ok 2 # SKIP name" for a skipped test, which prove
# counts as a failure; TAP has "ok 2 # SKIP name". Skipped tests are appended to the file $SKIPPED, if that is set, as "TEST:
# REASON - NAME", without the parts that the test did not give. If $TEST_LOGS is set, that folder gets TEST.log: everything that
# the test printed on standard output and standard error, with its exit status in the last line if that is not 0.
test=${*: -1}
export TEST_NAME=${test#"${BUILD:-build}/"}
exec perl "$(dirname "$0")/run.pl" "$@"
