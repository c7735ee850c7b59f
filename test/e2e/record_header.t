#!/usr/bin/env bash
# `perf report --header-only -I` for a recording of xprof and for one that perf made of the same command: the same lines, except
# for the differences that are evened out here, each with its reason.
set -u
# shellcheck source=test/e2e/lib.sh
. "$(dirname "$0")/lib.sh"
need_perf
need_recording -e cpu-clock

# FILE
header_of() {
	perf_quietly report --header-only -I -i "$1" | sed -E '
		# Its time, its places in the file, its program.
		s/^(# (captured on|data offset|data size|feat offset|perf version|cmdline) *:).*/\1/
		s/^(# (time of (first|last) sample|sample duration) :).*/\1/
		s/^(# reference time:).*\(([a-z_]+)\)$/\1 \2/
		s/(ratio =) [0-9]+/\1/; s/(free =) [0-9]+/\1/
		# Ids differ. Idle time is left out, and build-ids come with the mappings. With several events perf uses ID in place of
		# IDENTIFIER.
		/^# event :/s/TIME\|ID(\|PERIOD)?,/TIME\1|IDENTIFIER,/
		/^# event :/s/, id = \{[^}]*\}//; /^# event :/s/, (exclude_idle|build_id) = 1//g
		# perf lists these without any contents, and with -z or -a leaves build-ids out.
		/^# missing features:/s/ (BPF_PROG_INFO|BPF_BTF|PMU_CAPS|CPU_PMU_CAPS|BUILD_ID)\>//g
		# Programs for BPF come and go while other recorders run.
		/^# (bpf_prog_info|btf info of id|	sub_prog) /d
		s/ +$//' | grep -vE "${event_lines:-^$}"
}

event_lines=

memory_there_is() {
	grep -h MemTotal /proc/meminfo /sys/devices/system/node/node*/meminfo 2>/dev/null
	ls -d /sys/devices/system/memory/memory* 2>/dev/null
}

record_with_both() { # OPTION...
	local try
	# perf 6.1 aborts now and then, above all while others load programs for BPF, and leaves half a file.
	for try in {1..12}; do
		! perf_quietly record -q "$@" -o "$tmp/perf.data" -- "$demo" 0.3 >/dev/null || break
		diag "try $try: perf has failed"
	done
	# perf compresses only if -z is among the options, which then comes last.
	"$xprof" record -q -z0 "$@" -o "$tmp/xprof.data" -- "$demo" 0.3 >/dev/null
}

# NAME OPTION...: records with both.
same_header() {
	local name=$1 try memory
	shift
	# A virtual machine may get memory while it runs: both have to see the same.
	for try in 1 2 3 4 5; do
		memory=$(memory_there_is)
		record_with_both "$@"
		[ "$memory" != "$(memory_there_is)" ] || break
		diag "try $try: the machine's memory has changed"
	done
	header_of "$tmp/perf.data" >"$tmp/expected"
	header_of "$tmp/xprof.data" >"$tmp/got"
	tap_result "$(cmp -s "$tmp/expected" "$tmp/got"; echo $?)" "$name: $(wc -l <"$tmp/expected") lines" \
		"$(diff "$tmp/expected" "$tmp/got")"
}

same_header "one_event" -e cpu-clock -F 999
ok "there_are_lines_to_compare" test "$(grep -cE '^# (sibling|CPU cache|node0|pmu mappings|memory nodes)' "$tmp/got")" -ge 3
same_header "call_stacks" -e cpu-clock -F 999 --call-graph fp
# perf lists its sideband event; xprof's sideband is the first sampler's.
event_lines='^# event :'
same_header "the_whole_system_by_count" -e cpu-clock -c 1000000 -a
event_lines=
same_header "a_group_of_events" -e '{cpu-clock,page-faults,cs}' -F 999
like "$(cat "$tmp/got")" "group: \{cpu-clock,page-faults,cs\}" "the_group_is_shown"
like "$(perf_quietly report --stdio -i "$tmp/xprof.data")" "anon group \{ cpu-clock, page-faults, cs \}" \
	"perf_report_shows_its_events_side_by_side"
same_header "events_and_a_group_with_modifiers" -e 'cs,{cpu-clock:u,page-faults:u}' -c 1000
for clock in mono monotonic_raw CLOCK_BOOTTIME real tai; do
	same_header "clock_$clock" -e cpu-clock -F 999 -k $clock
	like "$(cat "$tmp/got")" "reference time: (monotonic|monotonic_raw|boottime|realtime|(clock)?tai)" \
		"and_its_time_of_day_is_said"
done
if "$xprof" version --build-options | grep -q '^ *libzstd  *on '; then
	same_header "compressed" -e cpu-clock -F 999 -z1
fi

"$xprof" record -q -z0 -e cpu-clock -F 999 -k boot -g -o "$tmp/xprof.data" -- "$demo" 1 >/dev/null
uptime=$(cut -d' ' -f1 /proc/uptime)
is "$(perf_quietly script -F time -G -i "$tmp/xprof.data" | awk -v now="$uptime" \
	'{ sub(":", ""); n++ } $1 > now + 1 || $1 < now - 30 { print "out of range: " $1 } END { if (n < 100) print n " samples" }')" "" \
	"times_are_of_the_clock_that_was_asked_for"
status_is 2 "a_clock_that_there_is_not_is_wrong_usage" "$xprof" record -k cpu -o "$tmp/xprof.data" -- true
like "$output" "'cpu' is not a clock" "which_is_said"

# FILE: the names of its features.
features_of() {
	"$xprof" dump --json --header "$1" | sed -nE 's/^\{"kind":"feature","name":"([A-Z_]+)".*/\1/p' | sort
}

# A pipe has all of it in front, except the features that perf does not accept there, and those known only at the end.
"$xprof" record -q -e cpu-clock -F 999 -k boot -g -o - -- "$demo" 1 2>/dev/null >"$tmp/pipe"
is "$(comm -23 <(features_of "$tmp/xprof.data") <(features_of "$tmp/pipe") | tr '\n' ' ')" \
	"BUILD_ID CACHE SAMPLE_TIME " "a_pipe_says_the_same"
like "$(perf_quietly report --header-only -I -i "$tmp/pipe")" "pmu mappings" "and_perf_reads_it_there"
done_testing
