#!/usr/bin/env bash
# -b, -j and --call-graph lbr on played CPUs of different ability: the branches that they keep are recorded, options that a
# kernel refuses are left out with a message, and if nothing is possible the message names the cause and a way out.
set -u
# shellcheck source=test/e2e/lib.sh
. "$(dirname "$0")/lib.sh"
# shellcheck source=test/lib/played.sh
. "$(dirname "$0")/../lib/played.sh"
need_perf
need_player
cd "$tmp" || exit 1

for machine in none pmu intel-lbr8 intel-lbr16-stack intel-lbr32 intel-lbr32-counters amd-brs amd-lbrv2 arm-brbe; do
	echo "machine $machine" >$machine.play
done

# MACHINE OPTION...: records, and prints the branch_sample_type that was used.
recorded() {
	local machine=$1
	shift
	status_is 0 "$machine records with $*" play "$machine.play" "$xprof" record -o xprof.data "$@" true
	asked=$(sed -nE 's/.* branch=(0x[0-9a-f]*[1-9a-f][0-9a-f]*) .*opened$/\1/p' opened | tail -1)
}

# MACHINE REGEX OPTION...: does not record.
refused() {
	local machine=$1 regex=$2
	shift 2
	rm -f xprof.data
	status_is 1 "$machine refuses $*" play "$machine.play" "$xprof" record -o xprof.data "$@" true
	like "$output" "$regex" "and says why ($machine, $*)"
	[ ! -e xprof.data ]
	tap_result $? "and leaves no file ($machine, $*)"
}

# linux/perf_event.h: u 1, any 8, any_call 0x10, any_ret 0x20, ind_call 0x40, cond 0x400, stack 0x800, ind_jmp 0x1000, call 0x2000,
# no_flags 0x4000, no_cycles 0x8000, save_type 0x10000, hw_index 0x20000, priv 0x40000, counter 0x80000
for machine in intel-lbr8 intel-lbr32 amd-lbrv2 arm-brbe; do
	recorded $machine -b
	is "$asked" 0x8 "any branch is asked of $machine"
	recorded $machine -j any_call,any_ret,ind_call,cond,ind_jmp,call,u
	is "$asked" 0x3471 "kinds are asked of $machine"
	recorded $machine -j any,save_type,hw_index,priv
	is "$asked" 0x70008 "fields are asked of $machine"
	unlike "$output" "left out" "all of which $machine has"
	recorded $machine -j any,hw_index,no_flags,no_cycles
	if [ $machine = amd-lbrv2 ]; then # amd_pmu_lbr_setup_filter()
		is "$asked" 0x20008 "flags and cycles cannot be left out by $machine"
		like "$output" "cycles: left out, .*: no_flags, no_cycles"$'\n' "which is said"
	else
		is "$asked" 0x2c008 "flags and cycles can be left out by $machine"
	fi
	recorded $machine -j any,u,counter,hw_index
	is "$asked" 0x20009 "what $machine cannot count is left out"
	like "$output" "cycles: left out, .*: counter"$'\n' "and said of $machine"
done
recorded intel-lbr32-counters -j any,u,counter,hw_index
is "$asked" 0xa0009 "counters are recorded where they are"
unlike "$output" "left out" "and nothing is left out"
(cat intel-lbr32-counters.play && echo "refuse errno=EINVAL branch=hw_index" && echo "refuse errno=EINVAL branch=priv") >older.play
recorded older -j any,u,counter,hw_index,priv
is "$asked" 0x80009 "an_older_kernel_gets_the_bits_that_it_knows"
like "$output" "cycles: left out, .*: hw_index, priv"$'\n' "and_the_others_are_named"
unlike "$(perf_quietly report -i xprof.data --header-only)" "HW_INDEX" "the_file_does_not_say_that_they_were_recorded"

# perf asks for the same.
for options in -b "-j any,u" "-j any_call,k,save_type" "--call-graph lbr"; do
	# shellcheck disable=SC2086 # words
	play intel-lbr32.play perf record -o perf.data -e cycles $options true >/dev/null 2>&1
	perfs=$(sed -nE 's/.*sample_type=(0x[0-9a-f]*) branch=(0x[0-9a-f]*) .*opened$/\1 \2/p' opened | grep -v ' 0x0$' | tail -1)
	# shellcheck disable=SC2086 # words
	recorded intel-lbr32 -e cycles $options
	is "$(sed -nE 's/.*sample_type=(0x[0-9a-f]*) branch=(0x[0-9a-f]*) .*opened$/\1 \2/p' opened | grep -v ' 0x0$' | tail -1)" \
		"$perfs" "perf and xprof ask for the same with $options"
done

refused none 'no hardware counters \(a virtual machine\?\).*leave -b and -j out' -b
refused none 'software events have none; try -e cycles' -b -e cpu-clock
refused none 'no hardware counters.*use --call-graph auto' --call-graph lbr
refused pmu 'PMU cpu does not record branches' -b
refused amd-brs 'try -b -e cpu/branch-brs/ -c 1000003' -b
recorded amd-brs -b -e cpu/branch-brs/ -c 1000003
is "$asked" 0x8 "brs_records_its_own_event"
for machine in amd-brs amd-lbrv2 pmu; do
	play $machine.play "$xprof" record --probe 2>/dev/null | grep "branch records"
done >probes
is "$(sed 's/: .*//' probes)" "yes  branch records (-b)
yes  branch records (-b, -j)
no   branch records (-b, -j)" "the_probe_says_where_branches_are_kept"
refused amd-lbrv2 'PMU cpu cannot be filtered by in_tx; try -b' -j in_tx
recorded intel-lbr32 -j cond,hv
is "$asked" 0x404 "x86_takes_hv"
refused arm-brbe 'PMU armv8_pmuv3_0 cannot be filtered by abort_tx' -j abort_tx
for machine in intel-lbr8 amd-lbrv2 arm-brbe; do
	refused $machine 'cannot be filtered by stack; .* use --call-graph auto' --call-graph lbr
done
recorded intel-lbr16-stack --call-graph lbr
is "$asked" 0x2c801 "call_stacks_are_recorded_where_they_are"
refused intel-lbr32 'cycles: --call-graph lbr and -b or -j use the same records of the CPU' -b --call-graph lbr
refused intel-lbr32 'cycles:k: --call-graph lbr records user space only' -e cycles:k --call-graph lbr

# The group itself is refused, not its branches: a trial of the event alone tells.
(cat intel-lbr32.play && echo "refuse errno=EINVAL member=1") >group.play
refused group 'cannot open instructions in a group with cycles' -b -e '{cycles,instructions}'
unlike "$output" "left out" "and_no_field_is_left_out_for_it"
done_testing
