#!/usr/bin/env bash
# --call-graph lbr on a played CPU: the calls that it kept are the innermost frames, and the further frames of frame pointers or
# the unwound dump follow.
set -u
# shellcheck source=test/e2e/lib.sh
. "$(dirname "$0")/lib.sh"
# shellcheck source=test/lib/played.sh
. "$(dirname "$0")/../lib/played.sh"
need_perf
need_player
[ "$(uname -m)" = x86_64 ] || skip_all "the program's instructions are those of x86-64"
command -v gcc >/dev/null || skip_all "gcc is not installed"
cd "$tmp" || exit 1
make_walk

call_leaf=0x401008/0x401020/-/-/-/0
call_main=0x401044/0x401000/-/-/-/0
call_outer=0x401064/0x401040/-/-/-/0

# CHAIN CALLS [MORE]: a sample in leaf.
in_leaf() {
	echo "sample pid=4242 tid=4242 time=2000 ip=0x401023 period=1 chain=user,0x401023$1 branches=$2 hw_index=0 ${3-}"
}

# NAME STACK OPTION...: the stack of the one sample of ./NAME.play.
stack_is() {
	local name=$1 stack=$2
	shift 2
	{
		echo "machine intel-lbr32"
		walk_records
		cat
	} >"$name.play"
	play "$name.play" "$xprof" record -q -o "$name.data" -e cycles "$@" true 2>err
	is "$("$xprof" report -q --folded -i "$name.data" 2>&1)" "walk;$stack 1" "$name"
}

stack_is frame_pointers_go_on_beyond_the_calls "top;outer;main;leaf" --call-graph lbr \
	< <(in_leaf ,0x40100d,0x401049,0x401069 $call_leaf,$call_main)
stack_is a_caller_without_frame_pointer_is_in_the_calls "top;outer;main;leaf" --call-graph lbr \
	< <(in_leaf ,0x401049,0x401069 $call_leaf,$call_main)
stack_is frame_pointers_that_lead_elsewhere_are_left_out "top;outer;main;leaf" --call-graph lbr \
	< <(in_leaf ,0x7f0000001234 $call_leaf,$call_main,$call_outer)
stack_is calls_alone_are_a_stack "outer;main;leaf" --call-graph lbr < <(in_leaf "" $call_leaf,$call_main)
stack_is without_calls_there_are_frame_pointers "outer;main;leaf" --call-graph lbr < <(in_leaf ,0x40100d,0x401049 "")
kernel=0xffffffff00000010
stack_is below_the_kernel_calls_go_on_too "top;outer;main;[unknown]" --call-graph lbr < <(
	echo "sample pid=4242 tid=4242 time=2000 ip=$kernel period=1 chain=kernel,$kernel,user,0x401010,0x401069" \
		"branches=$call_main,$call_outer hw_index=0"
)
stacks() {
	"$xprof" report --stacks -i "$1" 2>/dev/null | sed -n '2p'
}
is "$(stacks frame_pointers_go_on_beyond_the_calls.data)" "# 1 (100.00%) have the calls that the CPU kept, and 1 of these callers beyond them" \
	"where_frames_come_from_is_said"
is "$(stacks calls_alone_are_a_stack.data)" "# 1 (100.00%) have the calls that the CPU kept, and 0 of these callers beyond them" \
	"and_where_there_are_no_others"
unlike "$(stacks without_calls_there_are_frame_pointers.data)" "CPU kept" "without_calls_nothing_is_said"
pad=0x11,0x12,0x13
stack_is the_unwound_dump_goes_on_beyond_the_calls "top;outer;main;leaf" --call-graph dwarf -j stack,u,hw_index \
	< <(in_leaf "" $call_leaf "regs=1:5,7:0x7ffc00001000,8:0x401023 stack=0x40100d,5,0x401049,$pad,0x401069,0x14,0")

# perf takes the calls alone, for its own recording and for ours, and script prints the same as perf.
perf_chain() {
	perf_quietly script -i "$1" -F ip,sym | awk 'NF == 2 { printf "%s ", $2 }'
}
for name in frame_pointers_go_on_beyond_the_calls a_caller_without_frame_pointer_is_in_the_calls; do
	status_is 0 "perf_records_$name" play $name.play perf record -o perf.data -e cycles --call-graph lbr true
	is "$(perf_chain $name.data)" "leaf main outer " "perf_reads_the_calls_of_xprof"
	is "$(perf_chain perf.data)" "leaf main outer " "perf_reads_its_own"
	is "$("$xprof" report -q --folded -i perf.data 2>&1)" "walk;top;outer;main;leaf 1" "xprof_joins_what_perf_recorded"
	ok "script_prints_what_perf_prints" diff <(perf_quietly script -i $name.data -F ip,sym) \
		<("$xprof" script -i $name.data -F ip,sym)
done

# --stitch-lbr: of 16 registers four are overwritten from sample to sample. Call number n is at 0x401000 + n, in register n modulo 16.
deep() {
	local n branches=
	for ((n = $1 - 1; n >= 0 && n >= $1 - 16; n--)); do
		branches+=$(printf ',0x%x/0x401020/-/-/-/0' $((0x401000 + n)))
	done
	echo "sample pid=4242 tid=4242 time=$2 ip=0x401023 period=1 chain=user,0x401023 branches=${branches#,}" \
		"hw_index=$((($1 - 1) % 16))"
}
{
	echo "machine intel-lbr16-stack"
	walk_records
	deep 14 2000
	deep 16 3000
	deep 20 4000
	deep 24 5000
	deep 18 6000 # another six, whose registers now have other calls than before
} >deep.play
# FRAMES: main's calls and leaf, from the outermost on
frames() {
	printf 'walk;%sleaf 1\n' "$(printf 'main;%.0s' $(seq "$1"))"
}
for recorder in perf xprof; do
	program=$recorder
	[ $recorder = xprof ] && program=$xprof
	status_is 0 "${recorder}_records_deep_calls" play deep.play "$program" record -e cycles --call-graph lbr -o deep.data true
	is "$("$xprof" report -q --folded -i deep.data | sort)" "$(for n in 14 16 16 16 16; do frames $n; done | sort | uniq -c |
		awk '{ print $2, $1 * $3 }' | sort)" "without_stitching_there_are_16_calls ($recorder's file)"
	perfs=$(PERF_CONFIG=/dev/null perf script --stitch-lbr -i deep.data -F time,ip,sym 2>/dev/null |
		awk '/^ *[0-9.]+:/ { if (NR > 1) print count - 1; count = 0 } NF == 2 { count++ } END { print count - 1 }' | tr '\n' ' ')
	is "$("$xprof" report -q --folded --stitch-lbr -i deep.data | sort)" "$(for n in $perfs; do frames "$n"; done | sort |
		uniq -c | awk '{ print $2, $1 * $3 }' | sort)" "stitched_stacks_are_as_deep_as_perfs ($recorder's file: $perfs)"
	like "$perfs" '^14 16 20 24 ' "which_are_whole"
done
"$xprof" report -q --stitch-lbr -i frame_pointers_go_on_beyond_the_calls.data >/dev/null 2>err
tap_result $? "stitching_a_single_sample_changes_nothing" "$(cat err)"
done_testing
