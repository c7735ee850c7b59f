#!/usr/bin/env bash
# Options that perf's users type after report, script and diff: each option of perf is known, or refused with a sentence; the
# output with such an option is the same as perf's for the same file.
set -u
# shellcheck source=test/e2e/lib.sh
. "$(dirname "$0")/lib.sh"
need_perf

data=$tmp/perf.data
# perf 6.1 crashes now and then while it collects build-ids.
for _ in 1 2 3; do
	perf record -q -g -e cpu-clock -F 1999 -o "$data" -- "$demo" 0.5 >/dev/null 2>&1 && break
	rm -f "$data"
done
[ -s "$data" ] || skip_all "perf cannot record here"
export PAGER=cat

# --- every option -------------------------------------------------------------------------------------------------

# COMMAND: the long names, and the letters, in perf's help.
long_names() {
	perf "$1" -h 2>&1 | grep -oE '^ +(-[A-Za-z], )?--[A-Za-z0-9-]+' | grep -oE -- '--[A-Za-z0-9-]+' | sort -u
}
letters() {
	perf "$1" -h 2>&1 | grep -oE '^ +-[A-Za-z],' | grep -oE -- '-[A-Za-z]' | sort -u
}
# Options of later versions than the installed one.
later_names() {
	case $1 in
	report) echo --addr2line --addr2line-style --latency --parallelism --unwind-style ;;
	script) echo --addr2line --merge-callchains --unwind-style --demangle ;;
	esac
}
later_letters() {
	[ "$1" != report ] || echo -H
}

# COMMAND OPTION...: prints the options that xprof does not know.
unknown() {
	local command=$1 option
	shift
	for option in "$@"; do
		"$xprof" "$command" "$option" "$tmp/none" </dev/null 2>&1 | grep -E "unknown option|ambiguous"
	done
}

mkdir "$tmp/empty"
for command in report script diff; do
	# shellcheck disable=SC2046 # one word each
	{
		names=$(long_names $command)
		like "$names" "--symfs" "perf_${command}_lists_its_options"
		# With "=1" an option that takes an argument has one, and xprof recognises the others all the same.
		is "$(unknown $command $(printf '%s=1\n' $names $(later_names $command)))" "" "each_long_option_of_perf_${command}_is_known"
		is "$(cd "$tmp/empty" && for letter in $(letters $command) $(later_letters $command); do
			"$xprof" $command "$letter" /dev/null </dev/null 2>&1 | grep "unknown option"
		done)" "" "each_letter_of_perf_${command}_is_known"
	}
done

# COMMAND OPTION WORDS: is refused, with them.
refused() {
	status_is 2 "$1_$2_is_refused" "$xprof" "$1" "$2"
	like "$output" "^xprof: $2: .*$3.*; see 'xprof $1 -h'$" "$1_$2_says_what_to_use"
}
refused report --switch-on "--time START,STOP"
refused report --tui "xprof flamegraph"
refused report --latency "perf report --latency"
refused script --script "xprof report --json"
refused script --per-event-dump "--event NAME"
refused script --insn-trace "hardware traces"
refused diff --stream "branch records"
refused diff --dump-raw-trace "xprof dump"
status_is 0 "without_a_trace_--itrace_is_harmless" "$xprof" report -i "$data" --itrace=i0ns
traced=${CORPUS:-$source_root/../shared/corpus}/simpleperf/etm/perf_kernel.data
if [ -r "$traced" ]; then
	status_is 1 "with_one_--itrace_is_refused" "$xprof" report -i "$traced" --itrace=i0ns
	like "$output" "does not decode hardware traces" "with_a_sentence"
else
	skip "no corpus" "recordings with traces"
fi
status_is 0 "as_it_is_for_script" "$xprof" script -i "$data" --itrace=i0ns
status_is 0 "what_changes_nothing_here_is_accepted" "$xprof" report -i "$data" -f -m --stdio -M intel --samples 3 --percent-type local-period --no-itrace --disable-order --skip-empty
status_is 0 "as_is_what_changes_nothing_in_script" "$xprof" script -i "$data" -f -v -d --merge-callchains --addr2line /usr/bin/addr2line --show-kernel-path

# Each sort key that perf's help lists is known, or refused with a sentence.
for key in $(perf report -h 2>&1 | awk '/sort by key/ { on = 1; sub(/.*:/, "") } /^ +-S,/ { on = 0 } on'); do
	"$xprof" report -i "$data" --no-children -g none -s "$key" 2>&1 >/dev/null | grep -E "there is no"
done >"$tmp/keys.txt"
is "$(cat "$tmp/keys.txt")" "" "each_sort_key_of_perf_is_known"

# --- their output -------------------------------------------------------------------------------------------------

# A report without the parts that may differ: see report_views.t.
normalized() {
	sed -E 's/[[:space:]]+$//; s/([^ ]+\+)?0x[0-9a-f]+( \([^)]*\))?/0xADDRESS/g; s/\[unknown\]  +/[unknown]  /; /^$/d' |
		awk '/^# (Overhead|Children)/ { gsub(/ +/, " ") } 1' |
		grep -Ev '^# (\(Tip|To display|Total Lost)|^#$|^# \.'
}
# NAME OPTION...: the same lines of report; rows of equal shares in any order.
same_report() {
	local name=$1
	shift
	perf_quietly report -i "$data" --stdio --no-inline "$@" | normalized | LC_ALL=C sort >"$tmp/perf.txt"
	"$xprof" report --no-header --no-inline -i "$data" "$@" 2>/dev/null | normalized | LC_ALL=C sort >"$tmp/xprof.txt"
	[ -s "$tmp/perf.txt" ] || echo "perf printed nothing" >>"$tmp/perf.txt"
	is "$(diff "$tmp/perf.txt" "$tmp/xprof.txt" | head -20)" "" "$name"
}
# NAME COMMAND OPTION...: the same output to the byte, except for perf's lines about BPF programs that ran meanwhile.
same_output() {
	local name=$1 command=$2
	shift 2
	perf_quietly "$command" -i "$data" "$@" | grep -Ev '^# (bpf_prog_info |	sub_prog |btf info of)' >"$tmp/perf.txt"
	"$xprof" "$command" -i "$data" "$@" >"$tmp/xprof.txt" 2>&1
	[ -s "$tmp/perf.txt" ] || echo "perf printed nothing" >>"$tmp/perf.txt"
	is "$(diff "$tmp/perf.txt" "$tmp/xprof.txt" | head -20)" "" "$name"
}

same_report "-F_+period_adds_a_column" --no-children -g none -F +period
same_report "-F_+cpu_adds_a_key" --no-children -g none -F +cpu,sample
same_report "-p_adds_a_column_with_the_parent" --no-children -g none -p 'deep_c|shallow_c'
same_report "which_is_the_outermost_with_children" -g none -s parent -p 'deep|shallow|middle'
same_report "and_the_innermost_without" -g none -s parent,comm --no-children -p 'deep|shallow|middle'
same_report "-x_hides_what_has_no_parent" --no-children -g none -x -p deep_c
same_report "-x_hides_it_from_children_too" --percent-limit 5 -g none -x -p deep_c -s sym
same_report "--symbol-filter_takes_a_part_of_a_name" --no-children -g none --symbol-filter c_
same_report "-U_leaves_out_what_has_no_name" --no-children -g none -U
same_report "--ignore-callees_gives_time_to_the_caller" --no-children -g callee --percent-limit 5 --ignore-callees deep_c
# Which line a call is on is another question, see source_lines.t.
normalized_before=$(declare -f normalized)
eval "${normalized_before/normalized/normalized_lines}"
normalized() {
	normalized_lines | sed -E '/burn\.h/!s/ (\+[0-9]+|[a-z_]+\.[ch]:[0-9]+)$//'
}
same_report "graphs_by_address_are_those_of_perf" --no-children -S shallow_c -g callee,address
same_report "graphs_by_line_are_those_of_perf" --no-children -S shallow_c -g callee,srcline
like "$("$xprof" report -i "$data" --no-children --no-inline -S shallow_c -g callee,srcline)" "shallow_c burn\.h:[0-9]+" \
	"lines_stand_behind_the_names"

same_output "--header-only_is_that_of_perf" report --header-only
same_output "with_-I_at_length" report --header-only -I
same_output "--stats_is_that_of_perf" report --stats
is "$("$xprof" report -i "$data" --tasks | LC_ALL=C sort)" "$(perf_quietly report -i "$data" --tasks | LC_ALL=C sort)" \
	"--tasks_is_that_of_perf"
# perf keeps mappings that exec has removed.
is "$("$xprof" report -i "$data" --mmaps | grep -vxF -f <(perf_quietly report -i "$data" --mmaps))" "" "--mmaps_has_no_line_that_perf_has_not"
like "$("$xprof" report -i "$data" --mmaps)" "r-xp [0-9a-f]{8} [0-9]+ .*/workload" "and_has_the_program"
is "$("$xprof" report -i "$data" -D)" "$("$xprof" dump --records "$data")" "-D_is_xprof_dump"
is "$("$xprof" script -i "$data" -D)" "$("$xprof" dump --records "$data")" "of_script_too"
like "$("$xprof" report -i "$data" --stdio-color always)" $'\e\\[' "--stdio-color_colours"
like "$("$xprof" report -i "$data" --no-children --no-header -g none -w 12,4,9 | grep -m1 deep)" '^  +[0-9.]+%  w\.\.\.  workload ' \
	"-w_makes_columns_as_wide_as_it_says"
like "$("$xprof" report -I -i "$data")" "# pmu mappings.*# Overhead|# pmu mappings" "-I_has_the_header_above_the_table"

same_output "script_--header_is_that_of_perf" script --header --no-inline -F comm,tid,time,period
same_output "script_--header-only_is_that_of_perf" script --header-only
same_output "script_--dsos_is_that_of_perf" script --no-inline --dsos workload -G
same_output "script_--stop-bt_is_that_of_perf" script --no-inline -S shallow_c --stop-bt shallow_middle,main
address=0x$(perf_quietly script -i "$data" -G -F ip -S shallow_c | head -1 | tr -d ' ')
same_output "script_-S_takes_an_address" script -G -S "$address"
same_output "script_--addr-range_makes_it_a_range" script -G -S "$address" --addr-range 16
is "$("$xprof" script -i "$data" --event cpu-clock | wc -l)" "$("$xprof" script -i "$data" | wc -l)" "script_--event_takes_an_event"

# --- filters that leave nothing, and paths that are not there -----------------------------------------------------

for command in report script diff flamegraph; do
	case $command in
	diff) run=("$xprof" diff "$data" "$data") ;;
	flamegraph) run=("$xprof" flamegraph -o - -i "$data") ;;
	*) run=("$xprof" "$command" -i "$data") ;;
	esac
	# OPTION VALUE WORDS: nothing is left, and a message says so.
	empty() {
		like "$("${run[@]}" "$1" "$2" 2>&1 >/dev/null)" "$1: no sample .*$3" "${command}_$1_that_matches_nothing_says_what_there_is"
	}
	empty --comms nosuch "recorded: workload \([0-9.]+%\)"
	empty --dsos nosuch "recorded: .*workload \([0-9.]+%\)"
	empty --symbols nosuch "recorded: .*deep_c_leaf \([0-9.]+%\)"
	empty --pid 1 "recorded: [0-9]+ workload"
	empty --tid 1 "recorded: [0-9]+ workload"
	[ $command = diff ] || empty --time 1,2 "they are from [0-9.]+ to [0-9.]+"
	case $command in report | flamegraph) empty --stack 'nosuch;...' "recorded: [^ ]*;[^ ]*" ;; esac
	is "$("${run[@]}" --comms workload 2>&1 >/dev/null | grep -v beware)" "" "${command}_says_nothing_where_some_are_left"
	for option in --vmlinux --kallsyms --symfs --debug-dir --buildid-dir; do
		status_is 1 "${command}_${option}_has_to_exist" "${run[@]}" $option "$tmp/none"
		like "$output" "^xprof: $option: $tmp/none: No such file or directory: name " "${command}_${option}_says_what_it_wants"
	done
done
like "$("$xprof" report -i "$data" --comms workload --symbols nosuch --dsos workload 2>&1)" "--symbols: no sample matches" "of_several_filters_the_one_that_empties_is_named"

done_testing
