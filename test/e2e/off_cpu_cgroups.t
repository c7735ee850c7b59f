#!/usr/bin/env bash
# xprof record --off-cpu -G: only the waits of threads in a cgroup, and below it.
# shellcheck disable=SC2317 # functions that are called by the checks
set -u
# shellcheck source=test/e2e/lib.sh
. "$(dirname "$0")/lib.sh"
# shellcheck source=test/lib/cgroups.sh
. "$(dirname "$0")/../lib/cgroups.sh"
need_recording -a -e cpu-clock
data=$tmp/perf.data

# Waits are recorded for cgroups of version 2; for version 1 perf events have others.
if grep -qE '^[^ ]+ [^ ]+ cgroup [^ ]*perf_event' /proc/mounts; then
	skip_all "perf events have cgroups of version 1 here"
fi
root=$(awk '$3 == "cgroup2" { print $2; exit }' /proc/mounts)
[ -n "$root" ] || skip_all "no cgroups of version 2 are mounted"
"$xprof" record -q --off-cpu -e dummy -o "$data" -- true 2>"$tmp/probe.err" || skip_all "no waits here: $(head -1 "$tmp/probe.err")"
group=xprof_waits_$$
# Both programs nap.
start_in_cgroups "$root" "$group" napper 'select(undef, undef, undef, 0.01)'

# OPTION...: the threads with waits: our two, and any others.
waiting() {
	rm -f "$data"
	"$xprof" record -q -a --off-cpu "$@" -o "$data" --duration 0.4 2>"$tmp/err"
	"$xprof" report -i "$data" --event offcpu-time --no-children -q -s comm 2>/dev/null | awk 'NF { print $2 }' | sort | paste -sd,
}
like ",$(waiting -e cpu-clock)," ',napper,(.*,)?other,' "without_a_cgroup_there_are_waits_of_all"
is "$(waiting -e cpu-clock -G "$group/inner")" napper "of_a_cgroup_there_are_its_own"
is "$(waiting -e cpu-clock -G "$group")" napper "and_those_of_cgroups_within"
is "$(waiting -e cpu-clock,page-faults -G "$group.other")" other "one_cgroup_is_for_all_events"
is "$(waiting -e cpu-clock,page-faults -G "$group,$group.other")" napper,other "of_events_with_cgroups_of_their_own_there_are_all"
like ",$(waiting -e cpu-clock,page-faults -G "$group,")," ',napper,(.*,)?other,' "an_event_of_any_cgroup_means_all"
is "$(waiting -e cpu-clock -G "$group" -g)" napper "with_stacks"
like "$("$xprof" report -i "$data" --folded --event offcpu-time 2>/dev/null)" '^napper;' "which_are_there"

# A thread that sleeps as the recording begins is in its cgroup, too.
nap_for_long() {
	# shellcheck disable=SC2016
	start sh -c 'echo $$ >"$0/cgroup.procs" && exec perl -e "\$0 = q(long); sleep 60"' "$root/$1"
}
nap_for_long "$group.other"
long=$pid
sleeping() { [ "$(cat "/proc/$long/comm")" = long ] && grep -q '^State:.*sleeping' "/proc/$long/status"; }
wait_until 20 sleeping
is "$(waiting -e cpu-clock -G "$group")" napper "a_thread_that_slept_before_counts_by_its_cgroup"
is "$(waiting -e cpu-clock -G "$group.other")" long,other "and_is_in_it"

ok "a_cgroup_that_is_not_there_is_an_error" sh -c "! '$xprof' record -q -a --off-cpu -e cpu-clock -G none_such_$$ -o '$data' --duration 0.1 2>/dev/null"
like "$("$xprof" record -a --off-cpu --no-bpf -e cpu-clock -G "$group" -o "$data" --duration 0.1 2>&1)" \
	'--off-cpu of cgroups \(-G\): --no-bpf was given' "switches_are_not_sampled_instead"
done_testing
