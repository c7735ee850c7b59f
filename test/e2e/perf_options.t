#!/usr/bin/env bash
# Habits from `perf record`: every option of perf's is one of xprof's, or says what to use instead; globs, filters and terms of
# events make the same recordings as perf.
set -u
# shellcheck source=test/e2e/lib.sh
. "$(dirname "$0")/lib.sh"
need_perf
need_recording -e cpu-clock
ours=$tmp/ours.data
theirs=$tmp/theirs.data

# Into a file of its own: perf's cache of build-ids belongs to the user.
record_by_perf() {
	perf record -q -N "$@" >/dev/null 2>&1
}

# --- the list of options

# "NAME" or "NAME ARGUMENT" of every option in the output of `perf record -h`, letters included.
options_of_perf() {
	PERF_CONFIG=/dev/null perf record -h 2>&1 | sed -nE 's/^ {4}(-(.), )?(    )?(--([a-z0-9-]+))?( <.*|\[=.*)?( .*)?$/\2 \5 \6/p' |
		awk '/^[a-zA-Z] [a-z]|^ [a-z]/ { if ($0 !~ /^ /) print "-" $1; name = $0 ~ /^ / ? $1 : $2; if (name) print "--" name }' | sort -u
}

# Options of perf 7.2 that 6.1 does not have.
newer_options='--data-mmap --latency --off-cpu-thresh --sample-mem-info --setup-filter'

# An argument that perf accepts for the option; nothing for one without an argument.
argument_of() {
	case $1 in
	-c | --count) echo 1000 ;;
	-C | --cpu) echo 0 ;;
	-D | --delay) echo 1 ;;
	-e | --event) echo cpu-clock ;;
	-F | --freq) echo 99 ;;
	-j | --branch-filter) echo any ;;
	-k | --clockid) echo monotonic ;;
	-m | --mmap-pages) echo 16 ;;
	-o | --output) echo "$tmp/listed.data" ;;
	-p | --pid | -t | --tid) echo $$ ;;
	-u | --uid) echo 0 ;;
	-r | --realtime) echo 1 ;;
	--call-graph) echo fp ;;
	--affinity) echo cpu ;;
	--synth) echo all ;;
	--filter | --setup-filter) echo pin ;;
	--mmap-flush | --proc-map-timeout | --num-thread-synthesize | --off-cpu-thresh) echo 1 ;;
	-G | --cgroup | --control | --clang-opt | --clang-path | --max-size | --switch-max-files | --switch-output-event | --vmlinux) echo x ;;
	esac
}

listed=0 unknown='' silent=''
for option in $(options_of_perf) $newer_options; do
	argument=$(argument_of "$option")
	[ "$option" != --call-graph ] || argument=fp
	# shellcheck disable=SC2086 # no argument is no word
	said=$("$xprof" record --dry-run -e sched:sched_switch -o "$ours" "$option" $argument -- true 2>&1)
	status=$?
	listed=$((listed + 1))
	case $said in *unknown\ option*) unknown+=" $option" ;; esac
	[ $status -eq 0 ] || [[ "$said" =~ ^xprof:\ -.*:\ .+ ]] || [ "$option" = -j ] || silent+=" $option: $said"
done
ok "perf_lists_its_options" test "$listed" -gt 80
is "$unknown" "" "every_option_of_perf_record_is_known"
is "$silent" "" "an_option_that_is_refused_says_why_with_its_name"
status_is 2 "a_refused_option_is_wrong_usage" "$xprof" record --setup-filter=pin -- true
like "$output" "--setup-filter: .*--filter" "it_names_what_to_use"
status_is 2 "letters_are_refused_as_their_names_are" "$xprof" record -S true
like "$output" "--snapshot: .*perf record" "they_name_what_to_use"
status_is 0 "options_that_change_nothing_are_accepted" "$xprof" record -q -T -B -N --buildid-all --aio=2 --affinity cpu \
	--mmap-flush 64 --threads --synth all --no-buffering --tail-synthesize -e cpu-clock -o "$ours" -- true
like "$("$xprof" help record)" "--buildid-all +the build-ids" "the_long_help_says_why"
unlike "$("$xprof" record -h)" "--buildid-all|--setup-filter|--phys-data" "the_short_help_stays_short"
status_is 0 "names_may_be_cut_short_as_in_perf" "$xprof" record -q --phys --all-u -e cpu-clock --outp "$ours" -- true

# --- the fields of samples

# The sample_type and the attributes that the options change.
attributes() {
	perf_quietly evlist -v -i "$1" | grep -v '^#' | sed -E 's/exclude_idle: 1, //' |
		grep -oE 'sample_type: [A-Z_|]+|(inherit_stat|mmap_data|context_switch|namespaces|cgroup|exclude_user|exclude_kernel): 1|sample_regs_[a-z]+: 0x[0-9a-f]+|read_format: [A-Z_|]+' |
		sort -u | paste -sd' '
}

# NAME OPTION...: perf and xprof ask the kernel for the same.
same_attributes() {
	local name=$1
	shift
	record_by_perf -o "$theirs" -e cpu-clock "$@" -- true
	"$xprof" record -q -o "$ours" -e cpu-clock "$@" -- true 2>/dev/null
	is "$(attributes "$ours")" "$(attributes "$theirs")" "$name"
}

same_attributes "data_addresses_are_sampled_as_by_perf" -d
same_attributes "physical_addresses_and_page_sizes_are_sampled_as_by_perf" --phys-data --data-page-size --code-page-size
same_attributes "weights_and_identifiers_are_sampled_as_by_perf" -W --sample-identifier
same_attributes "counts_of_threads_are_recorded_as_by_perf" -s
same_attributes "switches_and_namespaces_are_recorded_as_by_perf" --switch-events --namespaces
same_attributes "cgroups_are_recorded_as_by_perf" --all-cgroups
same_attributes "registers_are_sampled_as_by_perf" --user-regs=ip,sp -I
same_attributes "user_space_alone_is_sampled_as_by_perf" --all-user

"$xprof" record -q -g -d -W -e cpu-clock -F 1999 -o "$ours" -- "$demo" 0.3 >/dev/null
chains=$(perf_quietly script -i "$ours" -F weight,ip,sym --comms workload | grep -c start_thread)
ok "fields_behind_the_stack_do_not_keep_it_from_being_unwound" test "$chains" -gt 10
"$xprof" record -q -n -e cpu-clock -o "$ours" -- true
is "$("$xprof" dump --summary -i "$ours" | grep -c SAMPLE)" 0 "without_samples_there_are_none"
like "$("$xprof" dump --summary -i "$ours")" "COMM" "without_samples_there_is_what_processes_did"
"$xprof" record -q -s -e page-faults -c 1 -o "$ours" -- sh -c '/bin/true; /bin/true; :'
is "$("$xprof" dump --type READ -i "$ours" | grep -c 'READ  size')" \
	"$(perf_quietly script -D -i "$ours" | grep -c 'PERF_RECORD_READ')" "perf_reads_the_counts_of_threads"
like "$(perf_quietly script --show-switch-events -i "$theirs" >/dev/null; "$xprof" record -q --switch-events --namespaces -e cpu-clock -o "$ours" -- sleep 0.01
	"$xprof" script --show-switch-events --show-namespace-events -i "$ours")" "PERF_RECORD_NAMESPACES.*PERF_RECORD_SWITCH" \
	"switches_and_namespaces_are_in_the_file"
"$xprof" record -q --timestamp-filename -e cpu-clock -o "$tmp/stamped" -- true
like "$(echo "$tmp"/stamped.*)" "stamped\.20[0-9]{14}$" "the_time_can_be_in_the_name"
status_is 1 "a_strict_frequency_is_not_lowered" "$xprof" record --strict-freq -F 100000000 -e cpu-clock -o "$ours" -- true
status_is 0 "a_dry_run_records_nothing" "$xprof" record --dry-run -e cpu-clock -o "$tmp/dry.data" -- true
ok "a_dry_run_leaves_no_file" test ! -e "$tmp/dry.data"
status_is 1 "a_dry_run_checks_events" "$xprof" record --dry-run -e cpu-clok -- true

# --- events

# An event without the fields for how its samples are written.
events() {
	perf_quietly evlist -v -i "$1" | grep -v '^#' | sed -E 's/, exclude_idle: 1//; s/\|IDENTIFIER//' |
		grep -oE '(type: [0-9]|config: 0x[0-9a-f]+|\{ sample_period, sample_freq \}: [0-9]+|exclude_[a-z]+: 1)' | sort
}
depths() {
	perf_quietly evlist -v -i "$1" | grep -oE 'sample_max_stack: [0-9]+|sample_stack_user: [0-9]+|CALLCHAIN' | sort | uniq -c
}
same_events() {
	local name=$1
	shift
	record_by_perf -o "$theirs" "$@" -- true
	"$xprof" record -q -o "$ours" "$@" -- true 2>/dev/null
	is "$(events "$ours")" "$(events "$theirs")" "$name"
	is "$(depths "$ours")" "$(depths "$theirs")" "${name}_with_their_stacks"
}

same_events "terms_are_perfs" -e cpu-clock/max-stack=2,freq=99/ -e page-faults/period=3,name=mine/
same_events "terms_of_call_graphs_are_perfs" -e cpu-clock/call-graph=fp,max-stack=5/ -e page-faults/call-graph=no/
same_events "modifiers_stand_behind_terms" -e cpu-clock/period=1000000/u
"$xprof" record -q -g -e cpu-clock/max-stack=2/ -F 1999 -o "$ours" -- "$demo" 0.3 >/dev/null
deepest=$(perf_quietly script -i "$ours" -F ip | awk 'NF { n++; if (n > d) d = n } !NF { n = 0 } END { print d + 0 }')
ok "call_chains_end_at_the_depth_that_was_asked_for" test "$deepest" -gt 0 -a "$deepest" -le 4
"$xprof" record -q -e '{cpu-clock,page-faults}:S' -F 1999 -o "$ours" -- "$demo" 0.3 >/dev/null 2>&1
like "$(perf_quietly script -i "$ours" -F event | sort -u | paste -sd' ')" "cpu-clock.*page-faults" \
	"samples_of_a_group_carry_the_counts_of_the_others"
status_is 0 "a_weak_group_is_given_up_where_it_cannot_be" "$xprof" record -e '{cpu-clock,cycles}:W' -o "$ours" -- true

if ! "$xprof" record -q -e sched:sched_process_exec -o "$ours" -- true 2>/dev/null; then
	skip "no tracepoints here" "globs_and_filters"
	done_testing
fi

# NAME OPTION... -- COMMAND...: the same events, and as many samples of each.
same_samples() {
	local name=$1
	shift
	record_by_perf -o "$theirs" "$@"
	"$xprof" record -q -o "$ours" "$@"
	is "$(perf_quietly evlist -i "$ours" | sort)" "$(perf_quietly evlist -i "$theirs" | sort)" "${name}_are_the_same_events"
	is "$(perf_quietly script -i "$ours" -F event | sort | uniq -c)" \
		"$(perf_quietly script -i "$theirs" -F event | sort | uniq -c)" "${name}_have_the_same_samples"
}

execs='/bin/true; /bin/true; exit 3'
same_samples "globs_of_a_system" -e 'sched:sched_process_e*' -- sh -c "$execs"
same_samples "globs_of_names" -e 'syscalls:sys_enter_*open*' -e 'syscalls:sys_exit_mma?' -- /bin/true
same_samples "globs_of_systems" -e 'sched*:sched_process_exe?' -- sh -c "$execs"
same_samples "filters_by_number" -e syscalls:sys_enter_openat --filter 'flags == 0x80000' -e syscalls:sys_enter_mmap --filter 'prot != 1 && len > 4096' -- /bin/true
same_samples "filters_of_globs" -e 'sched:sched_process_e*' --filter 'common_pid > 1' -- sh -c "$execs"
same_samples "filters_twice" -e syscalls:sys_enter_mmap --filter 'prot != 1' --filter 'len > 4096' -- /bin/true
start "$xprof" record -q -a --exclude-perf -e 'syscalls:sys_enter_p*' -o "$ours" -- sleep 0.3
recorder=$pid
wait "$recorder"
pids=$(perf_quietly script -i "$ours" -F pid | sort -u | tr -d ' ' | paste -sd' ')
like " $pids " " [0-9]+ " "others_are_recorded"
unlike " $pids " " $recorder " "the_recorder_can_leave_itself_out"
for _ in 1 2 3 4 5 6 7 8; do
	rm -f "$theirs"
	# Of several events perf 6.1 filters the last one alone.
	start env perf record -q -a -e syscalls:sys_enter_write --exclude-perf -o "$theirs" -- sh -c 'echo; sleep 0.3; echo' >/dev/null 2>&1
	recorder=$pid
	wait "$recorder"
	[ $? -eq 134 ] || break
done
pids=$(perf_quietly script -i "$theirs" -F pid | sort -u | tr -d ' ' | paste -sd' ')
like " $pids " " [0-9]+ " "perf_records_others"
unlike " $pids " " $recorder " "perf_leaves_itself_out_in_the_same_way"
status_is 1 "a_field_that_is_not_there_is_an_error" "$xprof" record -e sched:sched_switch --filter 'prev_prioo > 1' -o "$ours" -- true
like "$output" "no field 'prev_prioo'; did you mean prev_prio" "the_field_is_named_with_the_nearest"
status_is 1 "a_filter_that_the_kernel_refuses_is_an_error" "$xprof" record -e sched:sched_switch --filter 'prev_prio >' -o "$ours" -- true
like "$output" "filter 'prev_prio >' of sched:sched_switch" "the_filter_is_named"
status_is 2 "a_filter_without_an_event_is_wrong_usage" "$xprof" record --filter 'a == 1' -- true
status_is 1 "a_glob_that_matches_nothing_is_an_error" "$xprof" record -e 'sched:nothing*' -o "$ours" -- true
done_testing
