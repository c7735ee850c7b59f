#!/usr/bin/env bash
# `xprof record -z`: smaller files with the same samples, that perf and xprof read, also when
# the recorder was killed.
set -u
# shellcheck source=test/e2e/lib.sh
. "$(dirname "$0")/lib.sh"
need_perf
need_recording -e cpu-clock
"$xprof" version --build-options | grep -q '^ *libzstd  *on ' || {
	status_is 1 "without_libzstd_z_is_refused" "$xprof" record -z -o "$tmp/perf.data" -- true
	like "$output" "without libzstd" "and_says_why"
	status_is 0 "without_libzstd_stacks_are_recorded_all_the_same" "$xprof" record -q -g -o "$tmp/perf.data" -- true
	done_testing
}
data=$tmp/perf.data

# FILE: samples as xprof reads them
xprof_samples() {
	"$xprof" dump --summary "$1" | sed -n 's/.*type SAMPLE count \([0-9]*\) .*/\1/p'
}

for options in "-z" "-z9 -g" "--compression-level=3 --call-graph dwarf" "-z -e cpu-clock,page-faults,sched:sched_switch -a"; do
	rm -f "$data"
	# shellcheck disable=SC2086 # the options are words
	said=$("$xprof" record $options -F 1999 -o "$data" -- "$demo" 1 2>&1 >/dev/null)
	like "$said" "compressed \(original [0-9.]+ [KM]iB, ratio is [0-9.]+\)" "record_${options}_says_the_ratio"
	total=$(sed -nE 's/.*: ([0-9,]+) samples? in .*/\1/p' <<<"$said" | tr -d ,)
	is "$(perf_samples "$data")" "$total" "perf_reads_the_samples_of_record_$options"
	is "$(xprof_samples "$data")" "$total" "xprof_reads_the_samples_of_record_$options"
done

"$xprof" record -q -z5 -g -o "$data" -- "$demo" 1 >/dev/null
like "$(perf_quietly report --header-only -i "$data")" "# compressed : Zstd, level = 5, ratio = [1-9]" \
	"perf_shows_the_level"
plain=$("$xprof" record -z0 -g -o "$data" -- "$demo" 1 2>&1 >/dev/null)
unlike "$plain" "compressed" "level_0_is_none"
status_is 2 "level_23_does_not_exist" "$xprof" record -z23 -o "$data" -- true
like "$output" "'23' is not a compression level" "what_is_wrong_with_level_23_is_said"

# Stacks are compressed unless the user says otherwise.
for options in "-g" "--call-graph fp" "--call-graph dwarf" "-e cpu-clock/call-graph=fp/" "-g --no-bpf"; do
	# shellcheck disable=SC2086 # the options are words
	said=$("$xprof" record $options -F 1999 -o "$data" -- "$demo" 0.5 2>&1 >/dev/null)
	like "$said" "compressed \(original" "record_${options}_compresses"
	like "$(perf_quietly report --header-only -i "$data")" "# compressed : Zstd, level = 3," "$options: at level 3"
done
for options in "" "-g -z0" "--call-graph dwarf -z0"; do
	# shellcheck disable=SC2086 # the options are words
	said=$("$xprof" record $options -F 1999 -o "$data" -- "$demo" 0.5 2>&1 >/dev/null)
	unlike "$said" "compressed" "record_${options}_does_not_compress"
done
"$xprof" record -q -g -F 1999 -o - -- "$demo" 0.5 2>/dev/null >"$tmp/pipe"
unlike "$("$xprof" dump --summary - <"$tmp/pipe")" "compressed_records [1-9]" "stacks_in_a_pipe_are_not_compressed"

# The mappings of data are for readers that unwind dumps: there are hardly any if BPF copies stacks.
# FILE: how many mappings that are not executable
data_mappings() {
	"$xprof" dump "$1" | grep -c "MMAP2.*data yes"
}
"$xprof" record -q -g --evidence=all -o "$data" -- "$demo" 0.2 >/dev/null
ok "with_all_evidence_there_are_mappings_of_data" test "$(data_mappings "$data")" -gt 0
"$xprof" record -v -g -o "$data" -- "$demo" 0.2 2>"$tmp/said" >/dev/null
if grep -q "copied by BPF" "$tmp/said"; then
	is "$(data_mappings "$data")" 0 "where_stacks_are_chains_there_are_none"
else
	skip "no copies of stacks here" "where_stacks_are_chains_there_are_none"
fi

# FILE: how often this program was mapped
mapped() {
	"$xprof" dump --type MMAP2 "$1" | grep -cF "\"$tmp/brief\""
}
# Programs that take no second of CPU time, so without samples.
cp "$(type -P true)" "$tmp/brief"
# shellcheck disable=SC2016 # for that shell to expand
many=(sh -c 'i=0; while [ $i -lt 100 ]; do "$1"; i=$((i + 1)); done' sh "$tmp/brief")
"$xprof" record -q -g --evidence=all -e cpu-clock -F 1 -o "$data" -- "${many[@]}" >/dev/null
ok "with_all_evidence_programs_without_samples_have_mappings" test "$(mapped "$data")" -ge 100
"$xprof" record -v -g -e cpu-clock -F 1 -o "$data" -- "${many[@]}" 2>"$tmp/said" >/dev/null
if grep -q "copied by BPF" "$tmp/said"; then
	# A program that runs while the file is flushed keeps them.
	ok "where_stacks_are_chains_not_all_do" test "$(mapped "$data")" -lt 100
	is "$("$xprof" dump --type COMM "$data" | grep -c 'exec yes .*comm "brief"')" 100 "but_all_have_names"
else
	skip "no copies of stacks here" "where_stacks_are_chains_not_all_do"
fi

# In a pipe a record in front tells the level.
"$xprof" record -q -z -F 1999 -o - -- "$demo" 1 2>/dev/null >"$tmp/pipe"
samples=$(perf_quietly script -i - -F comm,time <"$tmp/pipe" | grep -c ":")
ok "perf_reads_a_compressed_pipe" test "${samples:-0}" -gt 100
is "$(xprof_samples - <"$tmp/pipe")" "$samples" "xprof_reads_as_many_samples_from_it"

rm -f "$data"
start "$xprof" record -q -z -a -g -F 1999 -o "$data" -- "$demo" 30 >"$tmp/truth"
wait_until 20 test -s "$data"
sleep 2
started+=("$(pgrep -P "$pid")") # the workload will outlive its recorder
kill -KILL "$pid"
wait "$pid" 2>/dev/null
samples=$(perf_samples "$data")
ok "a_killed_recorder_leaves_a_file_that_perf_reads" test "${samples:-0}" -gt 100
is "$(xprof_samples "$data")" "$samples" "xprof_reads_as_many_samples"
like "$("$xprof" dump --summary "$data")" "truncated no" "nothing_of_it_is_cut_off"
done_testing
