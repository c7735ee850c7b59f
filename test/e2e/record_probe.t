#!/usr/bin/env bash
# `xprof record --probe`: its answers about this machine agree with recordings on it.
set -u
# shellcheck source=test/e2e/lib.sh
. "$(dirname "$0")/lib.sh"
need_recording -e cpu-clock
data=$tmp/perf.data

cd "$tmp" || exit 1
status_is 0 "a_machine_is_probed" "$xprof" record --probe
probed=$output
is "$(grep -cvE '^(yes|no )  ' <<<"$probed")" 0 "each_line_is_an_answer"
is "$(wc -l <<<"$probed")" 23 "every_question_is_answered"
is "$(grep '^no ' <<<"$probed" | grep -cv ': ')" 0 "each_lack_has_its_cost"
ok "nothing_is_recorded" test ! -e perf.data
status_is 2 "a_command_beside_it_is_wrong_usage" "$xprof" record --probe -- true

# NAME OF A LINE COMMAND...: the command succeeds if the answer is yes, and fails if it is no
agrees() {
	local line=$1 status=0
	shift
	"$@" >"$tmp/out" 2>&1 || status=1
	case $(grep -F "  $line" <<<"$probed") in
	yes*) is "$status" 0 "yes_means_that_it_works: $line" ;;
	no*) is "$status" 1 "no_means_that_it_does_not: $line" ;;
	*) ok "there_is_a_line: $line" false ;;
	esac
}
record() { "$xprof" record -q -o "$data" "$@"; }
agrees "the kernel's part of samples" record -e cpu-clock:k -- true
agrees "the whole system (-a, -C, -G)" record -a -e cpu-clock -- true
agrees "hardware counters" record -e instructions -- true
agrees "branch records (-b, -j)" record -b -e cycles -- true
agrees "tracepoints" record -e sched:sched_switch -- true
agrees "cgroups:" record -a -e cpu-clock -G / -- true
agrees "cgroups of samples" record --all-cgroups -e cpu-clock -- true
agrees "namespaces" record --namespaces -e cpu-clock -- true
agrees "switches" record --switch-events -e cpu-clock -- true
agrees "other clocks" record -k monotonic -e cpu-clock -- true
"$xprof" record -v -g -e cpu-clock -o "$data" -- true 2>"$tmp/verbose"
if grep -q '^yes  copies of whole stacks' <<<"$probed"; then
	like "$(<"$tmp/verbose")" "stacks: copied by BPF" "stacks_are_copied_whole"
else
	like "$(<"$tmp/verbose")" "stacks: dumped by the kernel" "stacks_are_dumped_by_the_kernel"
fi
"$xprof" record -v --off-cpu -e dummy -o "$data" -- sleep 0.01 2>"$tmp/verbose"
if grep -q '^yes  time off the CPU' <<<"$probed"; then
	like "$(<"$tmp/verbose")" "time off the CPU: .* samples" "waits_are_timed"
else
	unlike "$(<"$tmp/verbose")" "time off the CPU: .* samples" "waits_are_not_timed"
fi
status_is 0 "deferred_chains_are_done_without" "$xprof" record --call-graph fp,defer -e cpu-clock -F 999 -o "$data" -- true
if grep -q '^no   deferred call chains' <<<"$probed"; then
	like "$output" "cannot defer call chains \(Linux 6.19\): user stacks are taken with each sample" "and_that_is_said"
fi

# --- a user without privileges

[ "$(id -u)" -eq 0 ] || done_testing
if command -v setpriv >/dev/null && [ "$(cat /proc/sys/kernel/perf_event_paranoid)" -eq 2 ]; then
	chmod 755 "$tmp"
	cp "$xprof" "$tmp/xprof"
	unprivileged() { (cd / && ulimit -l 64 && exec setpriv --reuid=65534 --regid=65534 --clear-groups "$tmp/xprof" "$@"); }
	status_is 0 "a_user_can_probe" unprivileged record --probe
	like "$output" "no   the whole system" "a_user_may_not_record_the_whole_system"
	like "$output" "no   the kernel's part of samples: user space alone" "nor_the_kernel"
	like "$output" "no   rings of any size: locked memory is limited to [0-9]+ KiB for each CPU and 64 KiB" \
		"the_limit_of_locked_memory_is_named"
	like "$output" "no   namespaces \(--namespaces\): they need root or CAP_PERFMON" "what_takes_a_capability_is_said"
	status_is 1 "which_the_recorder_says_too" unprivileged record --namespaces -e cpu-clock:u -o /dev/null -- true
	like "$output" "with --namespaces: the kernel shows the namespaces of processes to root" "in_its_own_words"
else
	skip "no user without privileges here" "somebody_without_privileges"
fi
done_testing
