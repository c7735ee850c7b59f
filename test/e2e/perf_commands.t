#!/usr/bin/env bash
# perf's other commands: evlist, buildid-list and list print the same as perf's; all others say what to use instead.
set -u
# shellcheck source=test/e2e/lib.sh
. "$(dirname "$0")/lib.sh"
need_perf
need_recording -e cpu-clock
data=$tmp/perf.data

silent='' known=" $("$xprof" help --commands | paste -sd' ') "
# 7.2 has check beside 6.1's.
for command in $(perf --list-cmds) check; do
	[[ "$known" == *" $command "* ]] && continue
	said=$("$xprof" "$command" 2>&1)
	status=$?
	[ $status -eq 2 ] && [[ "$said" == "xprof: xprof has no '$command': "?* ]] || silent+=" $command: $said"
done
is "$silent" "" "every_command_of_perf_is_one_here_or_says_what_to_use"
for command in evlist buildid-list data list record report script diff archive version help; do
	[[ "$known" == *" $command "* ]]
	tap_result $? "${command}_is_a_command"
done
status_is 2 "help_of_a_command_that_is_elsewhere_says_so" "$xprof" help top
like "$output" "xprof record -a -g --duration 5" "with_what_to_use"

# perf's output, without its advice; newer versions print more about each number.
evlist_of_perf() {
	perf_quietly evlist "$@" -i "$data" | grep -v '^#' | sed -E 's/ \(PERF_[A-Z_]+\)//g; s/ config: 0,//'
}

# Into a file of its own: perf's cache of build-ids belongs to the user.
record_by_perf() {
	perf record -q -N "$@" >/dev/null 2>&1
}
record_by_xprof() {
	"$xprof" record -q "$@" >/dev/null
}

for name in xprof perf; do
	"record_by_$name" -g -o "$data" -e cpu-clock:u -e '{page-faults,context-switches}' -d -W -- true
	for option in '' -v -F -g; do
		# shellcheck disable=SC2086 # no option is no word
		is "$("$xprof" evlist $option -i "$data")" "$(evlist_of_perf $option)" "evlist${option}_of_a_file_of_${name}_is_perfs"
	done
	"record_by_$name" -F 1999 -o "$data" -e cpu-clock -- "$demo" 0.3
	is "$("$xprof" buildid-list -i "$data" | sort)" "$(perf_quietly buildid-list -i "$data" | sort)" \
		"build_ids_of_a_file_of_${name}_are_perfs"
	is "$("$xprof" buildid-list -H -i "$data" | sort)" "$(perf_quietly buildid-list -H -i "$data" | sort)" \
		"build_ids_with_hits_of_a_file_of_${name}_are_perfs"
done
is "$("$xprof" evlist -i - <"$data")" "cpu-clock" "evlist_reads_a_pipe"
is "$("$xprof" record -q -o - -e page-faults -- true | "$xprof" evlist -F -i -)" \
	"page-faults: sample_freq=4000" "evlist_reads_a_recording_that_comes_through_a_pipe"
is "$("$xprof" buildid-list -k)" "$(perf_quietly buildid-list -k)" "the_kernels_build_id_is_perfs"
status_is 1 "a_file_that_is_no_recording_is_an_error" "$xprof" evlist -i /dev/null
status_is 2 "two_forms_exclude_each_other" "$xprof" evlist -F -v -i "$data"

names() {
	sed -nE 's/^  ([^ ]+).*\[.*\]$/\1/p' | sort
}
is "$("$xprof" list sw | names)" \
	"$(perf_quietly list sw | names | grep -vE '^(duration|user|system)_time')" "software_events_are_perfs"
missing=
for event in $("$xprof" list sw | names; "$xprof" list hw 2>/dev/null | names); do
	"$xprof" record --dry-run -e "$event" -- true 2>/dev/null || missing+=" $event"
done
is "$missing" "" "events_that_are_listed_can_be_named"
if "$xprof" list tracepoint >"$tmp/tracepoints" 2>&1; then
	is "$(names <"$tmp/tracepoints" | grep '^sched:')" "$(perf_quietly list 'sched:*' | names)" "tracepoints_are_perfs"
	is "$("$xprof" list 'sched:sched_swi*' | names)" "sched:sched_switch" "a_pattern_lists_what_matches"
	like "$("$xprof" list -v sched_switch)" "prev_comm prev_pid" "fields_of_a_tracepoint_are_listed"
else
	skip "no tracepoints here" "tracepoints_are_perfs"
fi
status_is 1 "a_word_that_no_event_has_is_an_error" "$xprof" list nosuchevent
status_is 1 "metrics_are_perfs_alone" "$xprof" list metric
like "$output" "perf list metric" "that_names_perf"

# The contents of perf's JSON for a recording, member by member.
"record_by_perf" -g -e cpu-clock -F 999 -o "$data" -- "$demo" 0.2
if perf_quietly data convert --to-json "$tmp/perf.json" -i "$data" >/dev/null && [ -s "$tmp/perf.json" ]; then
	status_is 0 "data_convert_writes_json" "$xprof" data convert --to-json "$tmp/xprof.json" -i "$data"
	is "$(python3 -c 'import json, sys
ours, theirs = (json.load(open(name)) for name in sys.argv[1:])
print(len(theirs["samples"]) > 50, ours == theirs)' "$tmp/xprof.json" "$tmp/perf.json")" "True True" "which_is_perfs"
	status_is 1 "a_file_that_is_there_is_kept" "$xprof" data convert --to-json "$tmp/xprof.json" -i "$data"
	status_is 0 "but_with_-f" "$xprof" data convert -f --to-json "$tmp/xprof.json" -i "$data"
else
	skip "perf writes no JSON here" "data convert"
fi
status_is 2 "ctf_is_refused" "$xprof" data convert --to-ctf "$tmp/ctf" -i "$data"
like "$output" "--to-json FILE" "with_what_to_use"
status_is 2 "data_needs_to_be_told_what_to_do" "$xprof" data -i "$data"
done_testing
