#!/usr/bin/env bash
# Keys that tell samples apart besides programs and functions: fields of tracepoints, times, memory accesses; rows below rows;
# counts of threads. Row by row the same as perf's, for the same file.
set -u
# shellcheck source=test/e2e/lib.sh
. "$(dirname "$0")/lib.sh"
need_perf
need_recording -e cpu-clock
data=$tmp/keys.data

# Without build-ids, which crash perf 6.1 now and then, and without copies of programs in the user's cache. It also crashes on
# some of its own recordings, which proves nothing.
record_by_perf() {
	local try
	for try in 1 2 3; do
		perf_quietly record -q -N -B "$@" >/dev/null && perf_quietly report -i "$data" --stdio -s comm >"$tmp/try.$try" && return 0
	done
	return 1
}

# Rows without the parts that may differ: padding, and the offsets that perf shows instead of addresses.
rows() {
	sed -E 's/[[:space:]]+$//' | tr -s ' ' | grep -v '^#\|^$' | LC_ALL=C sort
}
by_perf() {
	perf_quietly report -i "$data" --stdio --no-inline "$@" 2>/dev/null
}
by_xprof() {
	"$xprof" report --no-header --no-inline -i "$data" "$@" 2>"$tmp/err"
}
# NAME OPTION...: the same rows; rows of equal shares in any order.
same_rows() {
	local name=$1
	shift
	by_perf "$@" | rows >"$tmp/perf.rows"
	by_xprof "$@" | rows >"$tmp/xprof.rows"
	[ -s "$tmp/perf.rows" ] || echo "perf printed nothing" >>"$tmp/perf.rows"
	is "$(diff "$tmp/perf.rows" "$tmp/xprof.rows" | head -10)" "" "$name"
}

# --- tracepoints --------------------------------------------------------------------------------------------------

if record_by_perf -e sched:sched_switch,sched:sched_process_exec -e cpu-clock -F 999 -o "$data" -- \
	sh -c 'sleep 0.02; /bin/true; sleep 0.01; i=0; while [ "$i" -lt 20000 ]; do i=$((i + 1)); done'; then
	same_rows "what_a_tracepoint_says_is_a_key" -s trace
	same_rows "each_field_is_one" -s comm,prev_comm,prev_state,next_pid
	same_rows "fields_can_be_those_of_one_event" -s sched_switch.prev_prio,comm
	same_rows "all_fields_are_columns_of_their_events" -s trace_fields
	same_rows "so_are_those_of_one_event" -s 'sched_process_exec.*'
	same_rows "fields_can_be_raw" -s prev_state/raw,comm
	same_rows "all_can_be_raw" --raw-trace -s prev_state,comm
	same_rows "the_trace_can_be_raw" --raw-trace -s trace
	same_rows "a_time_is_a_key" -s time,comm
	same_rows "in_parts_of_any_length" -s time --time-quantum 5ms
	same_rows "with_nanoseconds" --ns -s time --time-quantum 1us
	same_rows "the_socket_of_a_cpu_is_a_key" -s socket,comm
	like "$(by_xprof -s prev_comm)" "prev_comm.*sh|sh" "fields_have_headings"
	like "$(by_xprof --json -s prev_comm)" '"prev_comm": "sh"' "json_has_fields_by_their_names"
	status_is 2 "a_word_that_is_no_field_is_an_error" "$xprof" report -i "$data" -s nosuchfield
	like "$output" "there is no 'nosuchfield'" "that_names_it"
else
	skip "no tracepoints here" "tracepoints"
fi

record_by_perf -e cpu-clock -o "$data" -- true
status_is 0 "without_tracepoints_there_are_no_fields" "$xprof" report -i "$data" -s trace_fields
like "$output" "xprof record -e SYSTEM:EVENT" "which_is_said"
for pair in weight:-W local_ins_lat:-W mem:-d symbol_daddr:-d data_page_size:--data-page-size phys_daddr:--phys-data transaction:--transaction; do
	status_is 1 "${pair%%:*}_needs_to_be_recorded" "$xprof" report -i "$data" -s "${pair%%:*}"
	like "$output" "column ${pair%%:*}: .*xprof record ${pair##*:}" "${pair%%:*}_says_with_which_option"
done
status_is 1 "accesses_need_to_be_recorded" "$xprof" report -i "$data" --mem-mode
like "$output" "xprof record -d -W" "and_say_how"
status_is 2 "a_time_that_is_none_is_wrong_usage" "$xprof" report -i "$data" -s time --time-quantum soon

# --- memory accesses ----------------------------------------------------------------------------------------------

cat >"$tmp/touch.c" <<'END'
static char zeros[1 << 20], ones[1 << 20] = { 1 };
int main(void)
{
	for (unsigned i = 0; i < sizeof(ones); i += 4096)
		zeros[i] = ones[i]++;
	return zeros[4096];
}
END
if gcc -O1 -g -o "$tmp/touch" "$tmp/touch.c" && record_by_perf -d -W --data-page-size --code-page-size --phys-data \
	-e page-faults -c 1 -o "$data" -- "$tmp/touch"; then
	# xprof also finds data that the kernel accesses on behalf of a program, and if a place has two names perf shows another
	# one.
	rows_of_touch() {
		rows | grep ' \[\.\].*ones\|anon.*\[\.\]'
	}
	columns=overhead,dso_daddr,locked,mem,tlb,snoop,local_weight,weight,symbol_daddr
	by_perf --mem-mode -F $columns | rows_of_touch >"$tmp/perf.rows"
	by_xprof --mem-mode -F $columns | rows_of_touch >"$tmp/xprof.rows"
	ok "variables_are_named" grep -q 'ones+0x' "$tmp/xprof.rows"
	is "$(diff "$tmp/perf.rows" "$tmp/xprof.rows" | head -5)" "" "what_was_accessed_is_what_perf_says"
	same_rows "sizes_of_pages_are_keys" --mem-mode -F overhead,data_page_size,code_page_size,comm
	# 0, for addresses without a page, is one row in perf for all programs that accessed it.
	physical() {
		rows | grep -v ' 0*x*0000000000000000'
	}
	is "$(by_xprof --mem-mode -F overhead,phys_daddr | physical)" "$(by_perf --mem-mode -F overhead,phys_daddr | physical)" \
		"and_physical_addresses"
	like "$(by_xprof --mem-mode)" "Local Weight  Memory access +Symbol +Shared Object +Data Symbol" "--mem-mode_has_perfs_columns"
else
	skip "perf cannot record page faults with addresses here" "memory accesses"
fi

# --- rows below rows, and counts of threads -----------------------------------------------------------------------

record_by_perf -g -e cpu-clock -F 1999 -o "$data" -- "$demo" 0.3
# Dots are as wide as rows that may be hidden, whose functions without names have another address in perf; so are 0s.
same_tree() {
	local name=$1
	shift
	by_perf --hierarchy "$@" | sed -E 's/ +$//' | sed -E 's/--0$/--0x0/' | grep -v '^# (Tip\|^#$\|Lost\|To display\|^$\|^# \.' >"$tmp/perf.rows"
	by_xprof --hierarchy "$@" | sed -E 's/ +$//' | grep -v '^#$\|^$\|^# \.' >"$tmp/xprof.rows"
	ok "${name}_is_in_perf" grep -q ' / ' "$tmp/perf.rows"
	is "$(diff "$tmp/perf.rows" "$tmp/xprof.rows" | head -10)" "" "$name"
}
same_tree "rows_are_below_those_of_the_key_before" -g none -s comm,dso --percent-limit 1
same_tree "with_other_columns" -g none -n --show-total-period -s comm,sym --percent-limit 2
same_tree "keys_in_braces_are_one_level" -g none -s '{comm,dso},sym' --percent-limit 5
same_tree "a_level_says_that_nothing_is_above_the_limit" -g none -s comm,cpu,sym --percent-limit 60
same_tree "a_filter_leaves_its_level" -g none --comms workload --percent-limit 5
same_tree "graphs_are_below_the_last_level" -g caller -s comm,sym --comms workload --percent-limit 20
unlike "$(by_xprof --hierarchy)" "Children" "there_are_no_shares_of_children"

record_by_perf -s -e cpu-clock,page-faults -o "$data" -- sh -c '/bin/true; /bin/true; :'
by_perf -T -s comm | sed -n '/# *PID/,$p' >"$tmp/perf.rows"
by_xprof -T -s comm | sed -n '/# *PID/,$p' >"$tmp/xprof.rows"
like "$(cat "$tmp/perf.rows")" "PID +TID +cpu-clock +page-faults" "perf_counts_threads"
is "$(diff "$tmp/perf.rows" "$tmp/xprof.rows")" "" "counts_of_threads_are_those_of_perf"
like "$(by_xprof -T --pretty raw)" "PID +TID +Name +Raw +Count.* cpu-clock +0 +[0-9]+" "in_rows_of_their_own_with_--pretty_raw"
"$xprof" record -q -s -e page-faults -o "$data" -- /bin/true
is "$(by_xprof -T | sed -n '/# *PID/,$p')" "$(by_perf -T | sed -n '/# *PID/,$p')" "of_files_of_xprof_too"
"$xprof" record -q -e page-faults -o "$data" -- /bin/true
like "$("$xprof" report -i "$data" -T 2>&1 >/dev/null)" "xprof record -s" "without_-s_there_are_none"
done_testing
