#!/usr/bin/env bash
# xprof report of files that perf wrote, next to perf report: tables with their columns and order, call graphs line by line,
# filters, spans of time; folded stacks next to perf script's; JSON next to the table.
set -u
# shellcheck source=test/e2e/lib.sh
. "$(dirname "$0")/lib.sh"
need_perf

data=$tmp/perf.data
# perf 6.1 crashes now and then while it collects build-ids.
for _ in 1 2 3; do
	perf record -q -g -e cpu-clock -F 1999 -o "$data" -- "$demo" 1 >/dev/null 2>&1 && break
	rm -f "$data"
done
[ -s "$data" ] || skip_all "perf cannot record here"

# A report without the parts that may differ: blanks at the ends of lines and in headings, the dots below them (perf makes
# columns wide enough for names that are not shown), tips, and the addresses of unknown functions (perf shows callers' addresses
# as they were mapped, xprof as they are in the file).
normalized() {
	sed -E 's/[[:space:]]+$//; s/([^ ]+\+)?0x[0-9a-f]+( \([^)]*\))?/0xADDRESS/g; s/\[unknown\]  +/[unknown]  /; /^$/d' |
		awk '/^# (Overhead|Children)/ { gsub(/ +/, " ") } 1' |
		grep -Ev '^# (\(Tip|To display|Total Lost)|^#$|^# \.'
}

# Rows with their call graphs, each as one line, in byte order: rows of equal shares have no defined order.
blocks() {
	awk '/^ *[0-9.]+%/ && !/--/ { if (block) print block; block = $0; next } /^#/ { next } { block = block "~" $0 }
		END { if (block) print block }' | LC_ALL=C sort
}

# NAME OPTION...: the reports are equal, line by line.
equal_text() {
	local name=$1
	shift
	perf_quietly report -i "$data" --stdio --no-inline "$@" | normalized >"$tmp/perf.txt"
	"$xprof" report --no-header --no-inline -i "$data" "$@" 2>&1 | normalized >"$tmp/xprof.txt"
	[ -s "$tmp/perf.txt" ] || echo "perf printed nothing" >>"$tmp/perf.txt"
	is "$(diff "$tmp/perf.txt" "$tmp/xprof.txt" | head -20)" "" "$name"
}

# NAME OPTION...: the same rows with the same call graphs, in any order.
equal_blocks() {
	local name=$1
	shift
	perf_quietly report -i "$data" --stdio --no-inline "$@" | normalized | blocks >"$tmp/perf.txt"
	"$xprof" report --no-header --no-inline -i "$data" "$@" 2>&1 | normalized | blocks >"$tmp/xprof.txt"
	[ -s "$tmp/perf.txt" ] || echo "perf printed nothing" >>"$tmp/perf.txt"
	is "$(diff "$tmp/perf.txt" "$tmp/xprof.txt" | head -20 | cut -c1-300)" "" "$name"
}

equal_text the_table_without_children_is_that_of_perf --no-children -g none
equal_text the_table_by_comm_is_that_of_perf -s comm -g none
equal_text the_table_by_thread_is_that_of_perf -s pid --no-children -g none
equal_text samples_and_periods_are_those_of_perf --no-children -n --show-total-period -s dso,sym -g none
equal_text chosen_fields_are_those_of_perf --no-children -F overhead,sample,dso,sym -g none
equal_text kernel_and_user_shares_are_those_of_perf --no-children --showcpuutilization -s comm,dso -g none
equal_text a_percent_limit_leaves_what_perf_leaves --no-children --percent-limit 2 -g none
equal_text a_symbol_filter_keeps_the_total --no-children -S shallow_c -g none
equal_text a_dso_filter_keeps_the_total --no-children -d workload -g none
equal_text relative_shares_are_those_of_perf --no-children -d workload --percentage relative -g none
equal_text two_symbols_pass --no-children -S shallow_c,deep_c_leaf -g none
equal_text a_span_in_percent_is_that_of_perf --no-children --time 20%/2 -g none
equal_text spans_in_percent_are_those_of_perf --no-children --time 0%-10%,50%-60% -g none

first=$(perf_quietly script -i "$data" -F time | head -1 | tr -d ' :')
equal_text a_span_in_seconds_is_that_of_perf --no-children \
	--time "$(awk -v t="$first" 'BEGIN { printf "%.6f,%.6f", t + 0.1, t + 0.4 }')" -g none

equal_blocks shares_with_children_are_those_of_perf --percent-limit 3 -g none
equal_blocks callers_first_graphs_are_those_of_perf --percent-limit 3 -g caller
equal_blocks callees_first_graphs_are_those_of_perf --percent-limit 3 --no-children -g callee
equal_blocks graphs_of_callers_by_symbol_are_those_of_perf --percent-limit 5 -s sym -g caller
equal_blocks limited_graphs_are_those_of_perf --percent-limit 5 -g graph,5,1,caller
equal_blocks folded_graphs_are_those_of_perf --no-children --percent-limit 5 -g folded,5,caller,count

# --- folded stacks -----------------------------------------------------------------------------------------

# perf script -> folded, as stackcollapse-perf.pl does it: SAMPLES or PERIOD.
collapse() {
	perf_quietly script -i "$data" --no-inline -F comm,period,ip,sym,dso | awk -v what="$1" '
		function emit() { if (comm) sum[comm stack] += what == "samples" ? 1 : period; comm = stack = "" }
		/^[^\t ]/ { emit(); period = $NF; sub(/ +[0-9]+ *$/, ""); gsub(/ /, "_"); comm = $0; next }
		NF {
			dso = $NF; gsub(/[()]/, "", dso)
			sub(/^[ \t]*[0-9a-f]+ /, ""); sub(/ \([^()]*\)$/, "")
			if ($0 == "[unknown]") { name = dso; sub(/.*\//, "", name); gsub(/\[|\]/, "", name); $0 = "[" name "]" }
			gsub(/;/, ":")
			stack = ";" $0 stack
		}
		END { emit(); for (line in sum) printf "%s %.0f\n", line, sum[line] }' | LC_ALL=C sort
}

for weight in period samples; do
	collapse "$weight" >"$tmp/perf.txt"
	"$xprof" report --no-inline -i "$data" --folded --weight="$weight" >"$tmp/xprof.txt"
	is "$(awk '{ sum += $NF } END { print (NR > 0), sum }' "$tmp/xprof.txt")" \
		"$(awk '{ sum += $NF } END { print (NR > 0), sum }' "$tmp/perf.txt")" "folded_stacks_add_up_to_all_${weight}"
	# perf names a caller after the address behind the call, which may be in the next function. Threads of the demo have no such
	# callers.
	is "$(diff <(grep ';start_thread;' "$tmp/perf.txt" | LC_ALL=C sort) \
		<(grep ';start_thread;' "$tmp/xprof.txt" | LC_ALL=C sort) | head)" "" "folded_stacks_with_${weight}_are_those_of_perf_script"
done
is "$(cut -d' ' -f1 "$tmp/xprof.txt" | LC_ALL=C sort -c 2>&1)" "" "folded_stacks_are_in_byte_order"
is "$(sed -E 's/ [0-9]+$//' "$tmp/xprof.txt" | uniq -d)" "" "no_folded_stack_comes_twice"
like "$("$xprof" report -i "$data" --folded --annotate)" '_\[k\]' "kernel_frames_are_annotated"

# --- JSON --------------------------------------------------------------------------------------------------

"$xprof" report -i "$data" --json --no-children -s dso,sym >"$tmp/report.json"
if perl -MJSON::PP -e 1 2>/dev/null; then
	perl -MJSON::PP -0777 -ne '
		my $report = decode_json($_);
		my $event = $report->{events}[0];
		my ($rows, $stacks) = (0, 0);
		$rows += $_->{self}{period} for @{$event->{rows}};
		for my $stack (@{$event->{stacks}}) {
			$stacks += $stack->{period};
			defined $report->{frames}[$_] or die "frame $_" for @{$stack->{frames}};
		}
		print "$report->{format} $report->{version}\n";
		print $rows == $event->{total}{period} ? "rows add up\n" : "rows: $rows\n";
		print $stacks == $event->{total}{period} ? "stacks add up\n" : "stacks: $stacks\n";
		' "$tmp/report.json" >"$tmp/json.txt" 2>&1
	is "$(cat "$tmp/json.txt")" "$(printf 'xprof report 1\nrows add up\nstacks add up')" "json_has_rows_and_stacks_that_add_up"
	is "$(perl -MJSON::PP -0777 -ne 'print decode_json($_)->{events}[0]{total}{samples}' "$tmp/report.json")" \
		"$(perf_samples "$data")" "json_has_all_samples"
else
	skip "perl has no JSON::PP" json_has_rows_and_stacks_that_add_up
fi

# --- the command line --------------------------------------------------------------------------------------

is "$("$xprof" report "$data" -g callee --percent-limit 5)" "$("$xprof" report -i "$data" -gcallee --percent-limit 5)" \
	"a_file_may_stand_alone_and_a_call_graph_order_may_be_a_word_of_its_own"
is "$("$xprof" report -i - <"$data" | grep -v '^#')" "$("$xprof" report -i "$data" | grep -v '^#')" \
	"standard_input_is_read_as_a_file_is"
is "$("$xprof" report -q -C workload -s sym "$data")" "$("$xprof" report -q --comms workload -s sym "$data")" \
	"names_after_C_are_comms"
is "$("$xprof" report --top 3 -q "$data" | wc -l)" 3 "top_limits_the_rows"
status_is 2 "folded_and_json_at_once_are_wrong_usage" "$xprof" report --folded --json -i "$data"
status_is 2 "two_recordings_are_wrong_usage" "$xprof" report "$data" "$data"
status_is 2 "a_call_graph_of_a_kind_that_does_not_exist_is_wrong_usage" "$xprof" report -gsideways -i "$data"
status_is 1 "an_event_that_was_not_recorded_fails" "$xprof" report --event nonsense -i "$data"
like "$output" "nonsense.*cpu-clock" "an_event_that_was_not_recorded_is_named_with_those_that_were"
report_to_full_disk() {
	# shellcheck disable=SC2317 # status_is calls it
	"$xprof" report -i "$data" >/dev/full
}
status_is 1 "a_report_that_cannot_be_written_fails" report_to_full_disk

perf record -q -e cpu-clock -o "$tmp/flat.data" -- true >/dev/null 2>&1
status_is 1 "call_graphs_of_a_file_without_call_chains_fail" "$xprof" report -g -i "$tmp/flat.data"
like "$output" "xprof record -g" "call_graphs_of_a_file_without_call_chains_come_with_the_command_that_records_them"
unlike "$("$xprof" report -i "$tmp/flat.data")" "Children" "a_file_without_call_chains_has_no_children"

done_testing
