#!/usr/bin/env bash
# `xprof report --branch-history` draws the same as perf report: for recordings of other CPUs, and for one made here of a
# program with symbols and source lines.
#
# Intended differences are evened out, and checked separately: perf 6.1 leaves out as many of the outermost callers as a sample
# has branches; it divides iterations by one sample too few; in caller order it puts the branches in front of the callers, each
# with its target first; and it draws nothing if the header does not name branch stacks.
set -u
# shellcheck source=test/e2e/lib.sh
. "$(dirname "$0")/lib.sh"
need_perf
here=$(cd "$(dirname "$0")" && pwd)
corpus=${CORPUS:-$source_root/../shared/corpus}
trap '' PIPE # perf ends by this signal if its addr2line does not find a file
cd "$tmp" || exit 1

# FILE OPTION...
perf_graphs() {
	local file=$1
	shift
	perf_quietly report -f --stdio --no-itrace --branch-history --no-children --no-demangle --ignore-vmlinux \
		--kallsyms=/dev/null "$@" -i "$file" | sed -E 's/ +$//; /^#/d; /^$/d'
}

xprof_graphs() {
	local file=$1
	shift
	"$xprof" report -q --branch-history --no-children --no-demangle "$@" -i "$file" | sed -E 's/ +$//; /^$/d'
}

# Graphs without iterations, which perf divides differently.
without_iterations() {
	sed -E 's/ ?iter:[0-9]+ avg_cycles:[0-9]+//; s/ \(\)$//'
}

# Paths as their samples and length, because for code without a name perf shows the process's address, xprof the file's.
shapes() {
	grep -E '^ *[0-9]+ +(0x)?[0-9a-z]' | awk '{ n = split($0, frames, ";"); print $1, n }' | sort -n
}

# The texts of graphs about branches, each with its number.
remarks() {
	without_iterations | grep -oE '\([^()]*:[0-9.]+%?[^()]*\)$|\([A-Z0-9_ ]+\)$' | sort | uniq -c
}

# --- recordings of other CPUs ---------------------------------------------------------------------------

if [ -f "$corpus/INDEX.tsv" ]; then
	for file in autofdo/perf-kernel.data autofdo/propeller_sample_1.perfdata1 quipper/perf.data.branch_stack_spec \
		quipper/perf.data.branch_stack_hw_index; do
		name=${file##*/}
		perf_graphs "$corpus/$file" -s comm -g folded,0,callee,count | shapes >perf.shapes
		xprof_graphs "$corpus/$file" -s comm -g folded,0,callee,count | shapes >xprof.shapes
		[ -s xprof.shapes ] || echo "no paths" >xprof.shapes
		ok "the_paths_of_${name}_are_perfs ($(wc -l <xprof.shapes))" diff perf.shapes xprof.shapes
		perf_graphs "$corpus/$file" -s comm -g graph,0,callee | remarks >perf.remarks
		xprof_graphs "$corpus/$file" -s comm -g graph,0,callee | remarks >xprof.remarks
		ok "the_remarks_of_${name}_are_perfs ($(wc -l <xprof.remarks))" diff perf.remarks xprof.remarks
	done
	# If there are callers, too, by perf's rules, applied to perf's own output of the records.
	file=quipper/perf.data.callgraph_and_branch-3.8
	perf_quietly report -D -f -i "$corpus/$file" | python3 "$here/branch_history.py" >expected.lengths
	[ -s expected.lengths ] || echo "perf prints no samples" >expected.lengths
	xprof_graphs "$corpus/$file" -s comm -g folded,0,callee,count | shapes |
		awk '{ sum[$2] += $1 } END { for (length_ in sum) print length_, sum[length_] }' | sort -n >xprof.lengths
	ok "callers_stand_behind_the_branches ($(wc -l <xprof.lengths) lengths)" diff expected.lengths xprof.lengths
else
	skip "no corpus in $corpus" "the_paths_of_other_peoples_recordings_are_perfs"
fi

# --- one made here -------------------------------------------------------------------------------------

if [ "$(uname -m)" != x86_64 ] || ! command -v gcc >/dev/null; then
	skip "gcc and x86-64 are needed" "the_graphs_of_a_program_with_symbols_are_perfs"
	done_testing
	exit
fi
cp "$source_root/test/e2e/programs/loop.c" .
gcc -g -O1 -fcf-protection=none -nostdlib -static -o loop loop.c || exit 1
add=$(nm loop | awk '$3 == "add" { print $1 }')
start=$(nm loop | awk '$3 == "_start" { print $1 }')
call=$(objdump -d --no-show-raw-insn loop | awk '$2 == "call" { sub(":", "", $1); print $1; exit }')
back=$(printf %x $((0x$call + 5)))
return_=$(objdump -d --no-show-raw-insn loop | awk '/<add>:/ { inside = 1 } inside && $2 ~ /^ret/ { sub(":", "", $1); print $1; exit }')

# Turns of the loop along the same path, one along another, different flags, a sample without branches.
{
	turn="$call/$add/P/5/4 $return_/$back/P/7/6"
	for _ in 1 2 3; do
		echo "$add $turn $turn $turn $start/$start/M/2/1"
	done
	echo "$add $call/$add/M/9/4 $return_/$back/PA/3/6 $add/$start/P/1/1"
	echo "$start"
	echo "$add $call/$add/P/5/4 $call/$add/P/5/4 $return_/$back/P/3/6"
} >lines
python3 "$here/branch_data.py" loop.data loop <lines || exit 1
for options in "-s comm -g graph,0,callee" "-s dso,sym -g graph,0,callee,count" "-s comm -g graph,20,callee" \
	"-s srcline,sym -g graph,0,callee" "-s comm -g graph,0,callee,period" "-s comm --max-stack 2 -g graph,0,callee" \
	"-s comm --full-source-path -g graph,0,callee"; do
	# shellcheck disable=SC2086
	perf_graphs loop.data $options | without_iterations >perf.graphs
	# shellcheck disable=SC2086
	xprof_graphs loop.data $options | without_iterations >xprof.graphs
	ok "graphs_by_${options// /_}_are_perfs" diff perf.graphs xprof.graphs
done
like "$(cat perf.graphs xprof.graphs)" "predicted:.*RET|RET.*abort" "kinds_and_predictions_are_among_them"

graph=$(xprof_graphs loop.data -s comm -g graph,0,callee)
like "$graph" "_start loop.c:[0-9]+ \(cycles:5 iter:1 avg_cycles:12\)" "a_turn_of_a_loop_is_counted_with_its_cycles"
xprof_graphs loop.data >with.defaults
xprof_graphs loop.data -s srcline,symbol,dso -g callee,address >spelled_out
ok "rows_are_by_source_line_and_graphs_by_address_unless_told_otherwise" cmp with.defaults spelled_out
unlike "$("$xprof" report -q --branch-history -g none -i loop.data)" "--" "without_a_graph_there_is_only_the_table"

# Root first, the latest branch is last. The chain has the call, and among the branches the call stands for it.
begun=$(printf %x $((0x$start + 1)))
echo "$add,$back,$begun $call/$add/P/5/4 $return_/$back/P/1/6" >lines
python3 "$here/branch_data.py" chain.data loop <lines || exit 1
is "$("$xprof" report --branch-history --folded -q -i chain.data 2>/dev/null)" "loop;_start;_start;add;add;_start;_start;add;add 1000" \
	"folded_stacks_have_branches_behind_their_callers"
is "$("$xprof" report --folded -q -i chain.data 2>/dev/null)" "loop;_start;_start;add 1000" "which_others_do_not"
echo "$back,$begun $return_/$back/P/1/6 $call/$add/P/5/4" >lines
python3 "$here/branch_data.py" covered.data loop <lines || exit 1
is "$("$xprof" report --branch-history --folded -q -i covered.data 2>/dev/null)" "loop;_start;_start;add;add;_start;_start 1000" \
	"a_call_that_is_among_the_branches_is_not_there_twice"
is "$("$xprof" report --branch-history -q -t , -F overhead_children,symbol -g none -i chain.data | sort)" \
	"$(printf '%s\n' '100.00%,[.] _start' '100.00%,[.] add')" "a_function_gets_a_sample_once"

status_is 2 "branches_or_the_samples_they_led_to" "$xprof" report -b --branch-history -i loop.data
like "$output" "ask for one at a time" "not_both"
"$xprof" record -q -o plain.data -e cpu-clock:u -- true 2>/dev/null && {
	status_is 1 "without_branch_stacks_it_is_refused" "$xprof" report --branch-history -i plain.data
	like "$output" "branch-history: no sample has branches; branches are recorded with 'xprof record -b'" \
		"with_the_option_that_records_them"
}
done_testing
