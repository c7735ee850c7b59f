#!/usr/bin/env bash
# Single-steps programs and compares each unwound stack with the frames that their calls and returns left.
cd "$(dirname "$0")/../.." || exit 1
. test/lib/tap.sh

for command in "ls -l /usr" "git --version" "python3 --version" "xz --version" "openssl version" "$BUILD/demo/workload 1"; do
	program=${command%% *}
	command -v "$program" >/dev/null || continue
	ok "stacks of $command" timeout 900 env GROUND_TRUTH_PROGRAMS="$command" GROUND_TRUTH_STEPS=400000 \
		"$BUILD/test/unwind/ground_truth_test"
done
done_testing
