#!/usr/bin/env bash
# Programs in a cgroup: -G samples them alone, --all-cgroups records the cgroup of every sample; both as perf does.
# shellcheck disable=SC2317 # functions that are called by the checks
set -u
# shellcheck source=test/e2e/lib.sh
. "$(dirname "$0")/lib.sh"
# shellcheck source=test/lib/cgroups.sh
. "$(dirname "$0")/../lib/cgroups.sh"
need_perf
need_recording -a -e cpu-clock
data=$tmp/perf.data
theirs=$tmp/theirs.data

# The place where perf looks for cgroups: version 1 with perf_event, else version 2.
root=$(awk '$3 == "cgroup" && $4 ~ /perf_event/ { print $2; exit }' /proc/mounts)
root=${root:-$(awk '$3 == "cgroup2" { print $2; exit }' /proc/mounts)}
[ -n "$root" ] || skip_all "no cgroups are mounted"
group=xprof_test_$$
# Neither program sleeps.
start_in_cgroups "$root" "$group" spinner ''

# FILE FIELD: its values over all samples, each once.
values() {
	perf_quietly script -i "$1" -F "$2" | sed 's/^ *//; s/: *$//; s/ *$//' | sort -u | paste -sd,
}
# OPTION...: the commands that perf and xprof sample
both() {
	"$xprof" record -q -a -F 499 -o "$data" "$@" -- sleep 0.3 2>&1
	ours_status=$?
	perf record -q -a -F 499 -o "$theirs" "$@" -- sleep 0.3 2>/dev/null
	theirs_status=$?
}
# NAME OPTION...: both sample the same commands by the same events
same() {
	local name=$1
	shift
	both "$@"
	is "$(values "$data" comm,event)" "$(values "$theirs" comm,event)" "$name"
	is "$ours_status" "$theirs_status" "${name}_and_end_with_the_same_status"
}

same "a_cgroup_is_recorded_with_those_within" -e cpu-clock -G "$group"
is "$(values "$data" comm)" spinner "and_nothing_else"
same "a_cgroup_for_each_event" -e cpu-clock,task-clock -G "$group,$group.other"
same "one_cgroup_for_all_events_in_front" -e cpu-clock,task-clock -G "$group/inner"
same "a_group_of_events_in_a_cgroup" -e '{cpu-clock,page-faults}' -G "$group,$group"
both -e cpu-clock -G ,
like ",$(values "$data" comm)," ",other,(.*,)?spinner," "an_empty_name_is_any_cgroup"
is "$ours_status" "$theirs_status" "an_empty_name_ends_with_perfs_status"
"$xprof" record -q -a -e cpu-clock,page-faults -G "$group.other" -g -F 499 -o "$data" -- sleep 0.3
is "$(values "$data" comm)" other "stacks_are_recorded_in_a_cgroup"
"$xprof" record -q -G "$group.other" -F 499 -o "$data" --duration 0.3 2>/dev/null
is "$(values "$data" comm)" other "the_default_event_can_have_a_cgroup"
"$xprof" record -q -C 0 -e cpu-clock -G "$root/$group.other" -F 499 -o "$data" --duration 0.3
like ",$(values "$data" comm)," "^,(other)?,$" "a_cgroup_on_one_cpu_by_its_whole_path"

# A program mapped its code elsewhere and was then moved into the cgroup: its names must be there all the same.
"${CC:-cc}" -O1 -o "$tmp/mover" -x c - <<'C' || skip_all "no C compiler for the program that is recorded"
static volatile unsigned long sum;
__attribute__((noinline)) static void work_inside(void)
{
	for (;;)
		sum++;
}
int main(void)
{
	work_inside();
}
C
start "$xprof" record -q -a -e cpu-clock:u -G "$group.other" -F 499 -o "$data" --duration 2.5
recorder=$pid
wait_until 20 test -s "$data"
start "$tmp/mover"
mapped() { grep -q mover "/proc/$pid/maps"; }
wait_until 20 mapped
echo "$pid" >"$root/$group.other/cgroup.procs"
wait "$recorder"
like "$(perf_quietly report -i "$data" --stdio -g none -s comm,sym)" "mover +\[\.\] work_inside" \
	"a_process_that_was_moved_into_the_cgroup_has_its_mappings"
kill -9 "$pid"
wait "$pid" 2>/dev/null

# --- wrong usage

status_is 1 "a_cgroup_that_is_not_there_is_an_error" "$xprof" record -a -e cpu-clock -G "$group.none" -o "$data" -- true
like "$output" "-G $group.none: there is no cgroup $root/$group.none" "which_is_named_with_its_path"
status_is 2 "cgroups_are_of_whole_cpus" "$xprof" record -e cpu-clock -G "$group" -o "$data" -- true
like "$output" "-G records cgroups on whole CPUs: add -a" "and_a_command_alone_is_not"
status_is 2 "nor_is_a_process" "$xprof" record -p $$ -e cpu-clock -G "$group" -o "$data" --duration 0.1
status_is 1 "more_cgroups_than_events_are_an_error" "$xprof" record -a -e cpu-clock -G "$group,$group" -o "$data" -- true
status_is 1 "events_of_different_cgroups_are_no_group" "$xprof" record -a -e '{cpu-clock,page-faults}' \
	-G "$group,$group.other" -o "$data" -- true
like "$output" "different PMUs or cgroups" "and_that_is_said"

# --- the cgroup of every sample

both --all-cgroups -e cpu-clock
# FILE: "CGROUP COMMAND" of the two programs, by perf's report
cgroups_of() {
	perf_quietly report -i "$1" --stdio -g none -s cgroup,comm | awk '/ (spinner|other) *$/ { print $2, $3 }' | sort
}
expected="/$group.other other
/$group/inner spinner"
is "$(cgroups_of "$theirs")" "$expected" "perf_knows_the_cgroups_of_its_own_recording"
is "$(cgroups_of "$data")" "$expected" "perf_reads_the_same_names_from_ours"
is "$("$xprof" report -i "$theirs" --stdio -g none -s cgroup,comm | awk '/ (spinner|other) *$/ { print $2, $3 }' | sort)" \
	"$expected" "xprof_reads_the_same_names_from_perfs"
is "$("$xprof" report -i "$data" --stdio -g none -s cgroup,comm --cgroups "/$group.other" | awk '/^ *[0-9.]+%/ { print $2, $3 }')" \
	"/$group.other other" "a_cgroup_can_be_chosen"
# FILE: the names of cgroups in it
named() {
	perf_quietly script -i "$1" --show-cgroup-events | sed -nE 's/.*PERF_RECORD_CGROUP cgroup: ([0-9]+ .*)/\1/p' | sort -u
}
is "$(named "$data" | grep "$group")" "$(named "$theirs" | grep "$group")" "cgroups_from_before_have_perfs_ids_and_names"

# A cgroup that is made while the recording runs.
start "$xprof" record -q -a --all-cgroups -e cpu-clock -o "$data" --duration 1
recorder=$pid
wait_until 20 test -s "$data"
mkdir "$root/$group/late"
wait "$recorder"
rmdir "$root/$group/late"
like "$(named "$data")" "/$group/late" "a_cgroup_that_is_made_meanwhile_is_named"
done_testing
