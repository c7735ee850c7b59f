#!/usr/bin/env bash
# On played machines (test/kernel), perf and xprof record the same events, and each reads the other's file alike; a refusal of
# the kernel ends in a message that names the cause.
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

# SCRIPT OPTION...: as both record it.
record_both() {
	local script=$1
	shift
	status_is 0 "perf_records_${script%.play}" play "$script" perf record -o perf.played "$@" true
	status_is 0 "xprof_records_${script%.play}" play "$script" "$xprof" record -o xprof.played "$@" true
	unlike "$output" "kernel_player:" "every_record_of_${script%.play}_is_played"
}

{
	echo "machine intel-lbr32"
	walk_records
	echo "sample pid=4242 tid=4242 time=1000 ip=0x401008 period=100 exact=1 branches=0x401016/0x401006/P/-/-/3,0x401029/0x40100d/P/-/-/5,0x401008/0x401020/M/-/-/2"
	echo "sample cpu=1 pid=4242 tid=4242 time=2000 ip=0x401029 period=90 branches=0x401008/0x401020/M/X/-/2,0x401016/0x401006/P/-/A/65535"
	echo "sample pid=4242 tid=4242 time=3000 ip=0x401020 period=70"
} >branches.play
record_both branches.play -b -e cycles
like "$(cat opened)" 'sample_type=0x907 branch=0x8 ' "branches_are_asked_for"
read_alike comm,tid,time,event,period,ip,sym,brstack "branches_are_read_alike"
is "$(grep -c . xprof.xprof)" 3 "each_sample_is_there"
like "$(cat xprof.xprof)" '0x401008/0x401020/M/X/-/2/? +0x401016/0x401006/P/-/A/65535' "branches_are_the_played_ones"

# More branches than the machine keeps.
for entries in 8 16; do
	{
		echo "machine intel-lbr$entries"
		walk_records
		printf 'sample pid=4242 tid=4242 time=1000 ip=0x401008 period=100 branches='
		for i in $(seq 32); do printf '0x401016/0x401006/P/-/-/%d,' "$i"; done
		echo
	} >lbr$entries.play
	record_both lbr$entries.play -b -e cycles
	read_alike ip,brstack "an_lbr_of_${entries}_is_read_alike"
	is "$(grep -o 0x401016 xprof.xprof | wc -l)" $entries "an_lbr_of_${entries}_has_as_many_branches"
done

# Every field that a branch can have: type COND, speculation on the right path, privilege user and kernel; counters; the register.
{
	echo "machine intel-lbr32-counters"
	walk_records
	echo "sample pid=4242 tid=4242 time=1000 ip=0x401008 period=100 hw_index=11 counters=0x21,0x3" \
		"branches=0x401016/0x401006/P/-/-/3/1/2/1,0xffffffff81000010/0x40100d/M/X/A/65535/6/3/2,0x401029/0x40100d/P/-/-/1/17"
} >fields.play
record_both fields.play -e cycles -j any,save_type
read_alike ip,brstack "types_are_read_alike"
like "$(cat xprof.xprof)" '/3/COND +0xf.*/65535/RET +0x401029/0x40100d/P/-/-/1/FAULT_DATA' "types_have_names"
status_is 0 "all_fields_are_recorded" play fields.play "$xprof" record -e cycles -j any,save_type,hw_index,priv,counter \
	-o xprof.played true
fields=$("$xprof" dump --records --type SAMPLE -i xprof.played)
like "$fields" 'branch_hw_index 0xb' "the_register_is_read"
like "$fields" 'from 0x401016 to 0x401006 flags predicted cycles 3 type 1 spec 2 priv 1 counters 0x21' "each_field_is_read"
like "$fields" 'flags mispredicted\|in_tx\|abort cycles 65535 type 6 spec 3 priv 2 counters 0x3' "each_field_of_the_next_too"

# A group whose counters are read with each sample, on two CPUs.
{
	echo "machine pmu"
	walk_records
	echo "sample pid=4242 tid=4242 time=1000 ip=0x401008 period=100 reads=100,250,7"
	echo "sample pid=4242 tid=4242 time=3000 ip=0x401020 period=100 reads=220,400,19"
	echo "sample cpu=1 pid=4242 tid=4242 time=4000 ip=0x401020 period=100 reads=90,40,2"
} >group.play
record_both group.play -e '{cycles,instructions,branch-misses}:S'
for file in perf xprof; do
	perf_quietly script -i $file.played -F time,period,ip,sym >$file.perf
	"$xprof" script -i $file.played -F time,period,ip,sym >$file.xprof
done
ok "groups_of_perf_are_read_alike" diff perf.perf perf.xprof
ok "groups_of_xprof_are_read_alike" diff xprof.perf xprof.xprof
ok "groups_are_recorded_alike" diff perf.perf xprof.perf
is "$(grep -cE '(100|250|7|120|150|12|90|40|2) +4010(08|20) ' xprof.xprof)" 9 "each_counter_of_each_sample_is_there"

# Precise levels.
for precise in 1 2 3; do
	letters=$(printf 'p%.0s' $(seq $precise))
	status_is 0 "cycles_is_recorded_with_$letters" play branches.play "$xprof" record -o xprof.played -e "cycles:$letters" true
	like "$(cat opened)" "type=0 config=0x0 precise=$precise .*opened" "$letters is level $precise"
done
(cat branches.play && echo "refuse type=0 precise=3 errno=EOPNOTSUPP") >imprecise.play
status_is 1 "a_level_that_is_impossible_is_refused" play imprecise.play "$xprof" record -o xprof.played -e cycles:ppp true
like "$output" 'cannot open cycles:ppp: .*precise.*cycles:pp' "and_the_next_lower_one_is_named"

# A machine with two kinds of cores: one event becomes one of each kind.
{
	echo "machine intel-hybrid"
	walk_records
	echo "sample pid=4242 tid=4242 time=1000 ip=0x401008 period=100"
	echo "sample cpu=1 pid=4242 tid=4242 time=2000 ip=0x401029 period=90"
} >hybrid.play
status_is 0 "cycles_is_recorded_on_both_kinds_of_cores" play hybrid.play "$xprof" record -a -o xprof.played -e cycles true
unlike "$output" "kernel_player:" "each_kind_of_core_has_its_sample"
like "$(cat opened)" 'type=0 config=0xa00000000 .* cpu=1: opened' "the_second_kind_is_asked_for_by_its_pmu"
is "$(perf_quietly script -i xprof.played -F ip | tr -d ' ' | tr '\n' ' ')" "401008 401029 " "perf_reads_both"

# An event of one of the two is opened on its cores alone, and never on the other's.
for event in cpu_atom/cycles/ cpu_atom/cpu-cycles/; do
	status_is 0 "${event}_is_recorded" play hybrid.play "$xprof" record -o xprof.played -e $event -b true
	unlike "$(cat opened)" "type=(0|10) .* cpu=0: " "${event}_is_not_asked_of_the_other_cores"
	is "$(perf_quietly script -i xprof.played -F event,ip | tr -d ' ')" "$event:401029" "perf_reads_${event}"
done
play hybrid.play perf record -o perf.played -e cpu_atom/cycles/ true >/dev/null 2>&1
like "$(cat opened)" "type=0 config=0xa00000000 .* cpu=1: opened" "perf_asks_for_the_number_of_the_event"
play hybrid.play "$xprof" record -q -o xprof.played -e cpu_atom/cycles/ true 2>err
like "$(cat opened)" "type=0 config=0xa00000000 .* cpu=1: opened" "and_so_does_xprof"
status_is 1 "a_cpu_that_the_pmu_is_not_on_is_refused" play hybrid.play "$xprof" record -o xprof.played -a -C 0 -e cpu_atom/cycles/ true
like "$output" "cannot open cpu_atom/cycles/: its PMU is on CPUs 1, none of which is recorded" "with_the_cpus_that_it_is_on"

# Losses and throttling.
{
	cat branches.play
	echo "lost pid=4242 tid=4242 time=4000 count=7"
	echo "lost_samples pid=4242 tid=4242 time=4100 count=5"
	echo "throttle pid=4242 tid=4242 time=4200"
	echo "unthrottle pid=4242 tid=4242 time=4300"
} >lossy.play
status_is 0 "losses_do_not_end_a_recording" play lossy.play "$xprof" record -o xprof.played -e cycles true
like "$output" '(7|12) (records )?lost' "losses_are_said"
like "$output" 'throttled the events 1 times' "throttling_is_said"
like "$(perf_quietly report -i xprof.played --stats)" 'THROTTLE events: +1 ' "perf_finds_the_record_of_throttling"

# ERRNO REGEX [OPTION...]: a machine whose hardware events fail so.
refused() {
	local errno=$1 regex=$2
	shift 2
	printf 'machine intel-lbr32\nfile path=/proc/sys/kernel/perf_event_paranoid text=2\nrefuse type=0 errno=%s\n' "$errno" >refused.play
	rm -f xprof.played
	status_is 1 "${errno}_ends_with_status_1" play refused.play "$xprof" record -o xprof.played -e cycles "$@" true
	like "$output" "$regex" "${errno}_names_its_cause"
	[ ! -e xprof.played ]
	tap_result $? "${errno}_leaves_no_file"
}
refused EPERM 'cannot open cycles.*not permitted'
refused EACCES 'cannot open cycles.*permission denied'
refused EMFILE 'cannot open cycles: 2 events are open already and the limit on open files is reached'
refused ENOSPC 'cannot open cycles: .*(counter|register)s? .*(in use|left)'
refused EBUSY 'cannot open cycles: another profiler'
refused ENOSYS 'cannot open cycles: this kernel has no perf events'
refused EINVAL 'cannot open cycles: the kernel refuses this combination'
refused ENODEV 'cannot open cycles on CPU 0: the CPU is offline or the PMU is not on it' -b
printf 'machine pmu\nrefuse type=0 cpu=1 errno=ENODEV\n' >offline.play
status_is 1 "a_cpu_without_the_pmu_is_refused" play offline.play "$xprof" record -o xprof.played -e cycles true
like "$output" 'cannot open cycles on CPU 1: the CPU is offline or the PMU is not on it' "the_cpu_is_named"
printf 'machine none\n' >clock.play
status_is 0 "without_a_pmu_the_clock_is_recorded" play clock.play "$xprof" record -o xprof.played -e cycles true
like "$output" 'cycles: this machine has no hardware counters' "which_is_said"
printf 'machine pmu\nrefuse map_above=70000 errno=EPERM\n' >locked.play
status_is 0 "rings_shrink_to_the_memory_that_may_be_locked" play locked.play "$xprof" record -o xprof.played -e cycles true
like "$output" 'rings of (32|64) KiB per CPU instead of' "which_is_said_too"

done_testing
