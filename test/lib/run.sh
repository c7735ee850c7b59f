#!/usr/bin/env bash
# COMMAND...: runs a test as prove's -e does. cmocka's TAP says of a skipped test "not ok 2 # SKIP name" up to 1.1.5, which
# prove counts as a failure; TAP's way is "ok 2 # SKIP name". What is skipped is added to the file $SKIPPED, if that is set:
# "TEST: REASON - NAME", or what of these there is.
set -o pipefail
test=${*: -1}
test=${test#"${BUILD:-build}/"}
"$@" | sed -u 's/^not ok \([0-9]* # SKIP\)/ok \1/' | tee >(
	sed -nE -e 's/^ok [0-9]+ - (.*) # SKIP (.*)/\2 - \1/p; t' -e 's/^(ok [0-9]+|1\.\.0) # SKIP (.*)/\2/p' |
		sed "s|^|$test: |" >>"${SKIPPED:-/dev/null}"
)
