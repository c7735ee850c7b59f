#!/usr/bin/env bash
# Registers and stack dumps of a played kernel: perf and xprof record the same, and both unwind it to the stack that it was made
# from.
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

# Registers are numbered as in uapi asm/perf_regs.h: 1 is rbx, 7 rsp, 8 rip. Stacks are words from rsp on: below the return address
# of a function are its own 0, 8 or 24 bytes; 0 ends the stack.
pad=0x11,0x12,0x13
{
	echo "machine pmu"
	walk_records
	in_leaf="regs=1:5,7:0x7ffc00001000,8:0x401023 stack=0x40100d,5,0x401049,$pad,0"
	echo "sample pid=4242 tid=4242 time=1000 ip=0x401023 period=100 chain=user,0x401023,0x40100d $in_leaf"
	in_main="regs=1:5,7:0x7ffc00001008,8:0x401010 stack=5,0x401049,$pad,0"
	echo "sample cpu=1 pid=4242 tid=4242 time=2000 ip=0x401010 period=100 chain=user,0x401010 $in_main"
	echo "sample pid=4242 tid=4242 time=3000 ip=0xffffffff81000010 period=100 chain=kernel,0xffffffff81000010,user,0x401010 $in_main"
	echo "sample pid=4242 tid=4242 time=4000 ip=0x401049 period=100 chain=user,0x401049 regs=7:0x7ffc00001018,8:0x401049 stack=$pad,0"
	# A dump that ends within outer's frame, and a kernel thread, which has none.
	echo "sample pid=4242 tid=4242 time=5000 ip=0x401010 period=100 chain=user,0x401010 regs=1:5,7:0x7ffc00001008,8:0x401010 stack=5,0x401049,0x11"
	echo "sample pid=0 tid=0 time=6000 ip=0xffffffff81000020 period=100 chain=kernel,0xffffffff81000020"
} >stacks.play

# READER FILE: each sample's user stack in a line, the innermost function first.
user_stacks() {
	local reader=$1
	[ "$reader" = xprof ] && reader=$xprof
	PERF_CONFIG=/dev/null "$reader" script --no-inline -i "$2" -F time,ip,sym 2>/dev/null |
		awk '/^ *[0-9.]+: *$/ { if (NR > 1) print text; text = ""; next } NF == 2 && $1 !~ /^f/ { text = text $2 " " } END { print text }' |
		sed 's/ $//'
}

stacks="leaf main outer
main outer
main outer
outer
main outer"

for mode in dwarf auto; do
	status_is 0 "xprof_records_with_$mode" play stacks.play "$xprof" record -e cycles --call-graph $mode -o xprof.played true
	unlike "$output" "kernel_player:" "each_record_is_played_with_$mode"
	is "$(user_stacks xprof xprof.played)" "$stacks" "xprof_unwinds_what_it_recorded_with_$mode"
	# perf shows the user's part twice where a sample has both a chain and a dump, which auto may write.
	[ $mode = auto ] || is "$(user_stacks perf xprof.played)" "$stacks" "perf_unwinds_what_xprof_recorded_with_$mode"
done
status_is 0 "perf_records" play stacks.play perf record -e cycles --call-graph dwarf -o perf.played true
is "$(user_stacks perf perf.played)" "$stacks" "perf_unwinds_what_it_recorded"
is "$(user_stacks xprof perf.played)" "$stacks" "xprof_unwinds_what_perf_recorded"

# Branches in addition: the recorder writes such samples anew, and keeps fields that it does not know.
sed 's/^machine pmu/machine intel-lbr32-counters/; s,^sample .*,& branches=0x401016/0x401006/P/-/-/3/1\,0x401029/0x40100d/M/-/-/5/6 hw_index=9 counters=4\,5,' \
	stacks.play >both.play
for mode in dwarf auto; do
	status_is 0 "xprof_records_branches_with_$mode" play both.play "$xprof" record -e cycles --call-graph $mode \
		-j any,save_type,hw_index,counter -o both.data true
	is "$(user_stacks xprof both.data)" "$stacks" "stacks_are_the_same_beside_branches_with_$mode"
	is "$("$xprof" dump --records --type SAMPLE -i both.data | grep -cE 'from 0x401029 to 0x40100d flags mispredicted cycles 5 type 6 counters 0x5$')" 6 \
		"each_sample_has_its_branches_with_$mode"
	is "$("$xprof" dump --records --type SAMPLE -i both.data | grep -c 'branch_hw_index 0x9')" 6 "and_their_register_with_$mode"
	# perf 6.1 does not know counters, and misreads the fields after them.
	play both.play "$xprof" record -q -e cycles --call-graph $mode -j any,save_type,hw_index -o both.data true
	is "$(perf_quietly script -G -i both.data -F brstack | grep -c '0x401016/0x401006/P/-/-/3/COND.*/5/RET')" 6 \
		"which_perf_reads_with_$mode"
done

# One event of a group asks for counters: the samples of the leader have them, too, between their branches and their registers.
# The recorder finds the dump behind them: it leaves out what the kernel reserved for the dump and did not fill, some 16 KiB.
group='{cycles/branch_type=any/,instructions/branch_type=any|counter/}'
status_is 0 "xprof_records_counters_of_another_event" play both.play "$xprof" record -e "$group" --call-graph dwarf -o group.data true
like "$(cat opened)" 'config=0x0 .* branch=0x8 .*config=0x1 .* branch=0x80008 ' "which_the_leader_did_not_ask_for"
is "$(user_stacks xprof group.data)" "$stacks" "its_stacks_are_the_same"
is "$("$xprof" dump --records --type SAMPLE -i group.data | grep -cE 'from 0x401029 to 0x40100d flags mispredicted cycles 5 counters 0x5$')" 6 \
	"its_samples_have_the_counters"
longest=$("$xprof" dump --records --type SAMPLE -i group.data | sed -nE 's/.*SAMPLE  size ([0-9]+) .*/\1/p' | sort -n | tail -1)
[ "${longest:-9999}" -lt 1000 ]
tap_result $? "what_the_kernel_did_not_fill_is_left_out (of at most $longest bytes)"

# A weak group of which only some events ask for counters cannot fall apart: the open ones have them on the first CPU alone.
(cat both.play && echo "refuse precise=1 member=1 errno=EINVAL") >weak.play
status_is 1 "a_weak_group_with_counters_for_some_stays_one" play weak.play "$xprof" record -o weak.data \
	-e '{cycles/branch_type=any/,instructions/branch_type=any|counter/,branch-misses/branch_type=any/p}:W' true
like "$output" 'cannot open branch-misses.* in a group with cycles' "and_the_event_that_is_refused_is_named"

# Frame pointers alone.
status_is 0 "xprof_records_chains" play stacks.play "$xprof" record -e cycles --call-graph fp -o xprof.played true
status_is 0 "perf_records_chains" play stacks.play perf record -e cycles --call-graph fp -o perf.played true
read_alike time,ip,sym "chains_are_read_alike"
done_testing
