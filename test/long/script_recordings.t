#!/usr/bin/env bash
# Everything that perf can record on this machine, with every option that changes the file's layout, read by both: `xprof
# script` prints the same as `perf script` (test/e2e/script_same.sh says which lines may differ), and `xprof report` finds as
# many samples of each event, and the same sums of periods.
set -u
# shellcheck source=test/e2e/lib.sh
. "$(dirname "$0")/../e2e/lib.sh"
# shellcheck source=test/e2e/script_same.sh
. "$(dirname "$0")/../e2e/script_same.sh"
need_perf
need_recording -e cpu-clock
export PERF_CONFIG=/dev/null
# shellcheck disable=SC2034 # script_same.sh looks at it
may_be_empty=yes # some of these options leave no samples

workload=(sh -c 'for i in 1 2; do ls -lR /usr/include/linux >/dev/null; done; true | cat')

# "EVENT SAMPLES PERIOD" of each event, as perf script has its samples.
sums_by_perf() {
	perf_quietly script -i "$1" -F event,period </dev/null |
		awk 'NF == 2 && $2 ~ /:$/ { sub(/:$/, "", $2); n[$2]++; sum[$2] += $1 }
			END { for (e in n) printf "%s %d %.0f\n", e, n[e], sum[e] }' | sort
}

sums_by_report() {
	"$xprof" report --json -i "$1" 2>/dev/null |
		python3 -c 'import json, sys
for event in json.load(sys.stdin)["events"]:
    total = event["total"]
    if total["samples"]:
        print(event["name"], total["samples"], total["period"])' | sort
}

# NAME: the file of that name in $tmp.
compare() {
	local expected
	same "script_of_a_recording_with_$1" "$1"
	[ -e "$tmp/$1" ] || return 0
	expected=$(sums_by_perf "$tmp/$1")
	# If samples have no periods, or two events share a name, perf script's text does not tell them.
	[ -z "$expected" ] || [ -n "$(cut -d' ' -f1 <<<"$expected" | uniq -d)" ] ||
		is "$(sums_by_report "$tmp/$1")" "$expected" "report_of_a_recording_with_$1"
	rm -rf "${tmp:?}/$1"
}

# NAME OPTION...: without build-ids, as perf 6.1 may abort while it collects them.
recording() {
	local name=$1
	shift
	timeout 60 perf record -q -B -o "$tmp/$name" "$@" -- "${workload[@]}" >/dev/null 2>"$tmp/$name.err" ||
		rm -rf "${tmp:?}/$name"
	compare "$name"
}

# NAME COMMAND...: a perf command that records; the function adds -o.
recorded_by() {
	local name=$1
	shift
	timeout 60 "$@" >/dev/null 2>"$tmp/$name.err"
	[ -s "$tmp/$name" ] || rm -f "$tmp/$name"
	compare "$name"
}

clock=(-e cpu-clock)
recording software -e cpu-clock,task-clock,page-faults,context-switches,cpu-migrations,minor-faults,major-faults \
	-e alignment-faults,emulation-faults,cgroup-switches,dummy
recording cgroups --all-cgroups "${clock[@]}"
recording data -d "${clock[@]}"
recording physical --phys-data "${clock[@]}"
recording sample_cpu --sample-cpu "${clock[@]}"
recording weight -W "${clock[@]}"
recording namespaces --namespaces "${clock[@]}"
recording switches --switch-events "${clock[@]}"
recording no_buffering --no-buffering "${clock[@]}"
recording no_cache -N "${clock[@]}"
recording best_compression -z22 -g "${clock[@]}"
recording asynchronous --aio "${clock[@]}"
recording synthesized_at_the_end --tail-synthesize "${clock[@]}"
recording overwritten --overwrite "${clock[@]}"
recording overwritten_system --overwrite --tail-synthesize -a "${clock[@]}"
for name in monotonic mono_raw boottime tai; do
	recording "clock_$name" -k "$name" "${clock[@]}"
done
recording user_registers --user-regs=ax,bx,cx,dx,si,di,bp,sp,ip,flags,cs,ss,r8,r15 "${clock[@]}"
recording registers -I "${clock[@]}"
recording both_registers -I --user-regs=ip "${clock[@]}"
recording data_page_size --data-page-size -d -e page-faults
recording code_page_size --code-page-size "${clock[@]}"
recording period -P "${clock[@]}"
recording no_period --no-period "${clock[@]}"
recording timestamp -T "${clock[@]}"
recording identifier --sample-identifier "${clock[@]}"
recording no_inherit -i "${clock[@]}"
recording inherited_counts -s "${clock[@]}"
recording raw -R "${clock[@]}"
recording group -e '{cpu-clock,task-clock}'
recording group_that_is_read -e '{cpu-clock,task-clock,page-faults}:S'
recording group_and_another -a -e '{cpu-clock,context-switches}:S' -e page-faults
recording names -e 'cpu-clock/name=foo/,cpu-clock/name=bar,period=100000/'
recording modifiers -e cpu-clock:u,cpu-clock:k,cpu-clock:uH,page-faults:u
recording terms -e cpu-clock/period=123457/,page-faults/freq=999/
recording chains_of_one -e 'cpu-clock/call-graph=fp/,page-faults/call-graph=no/'
recording scheduler -a -e 'sched:*'
recording scheduler_chains -a -g -e sched:sched_switch,sched:sched_wakeup,sched:sched_process_exec
recording system_calls -e syscalls:sys_enter_openat,syscalls:sys_exit_openat,syscalls:sys_enter_read
recording raw_system_calls -e 'raw_syscalls:*'
recording interrupts -a -e 'irq:*,timer:*'
recording memory_of_the_kernel -e 'kmem:*'
recording file_map -e 'filemap:*,writeback:*,block:*'
recording tasks -e 'task:*,signal:*,workqueue:*'
recording filter -a -e sched:sched_switch --filter 'prev_pid != 0'
recording bpf_output -e bpf-output/no-inherit=1,name=evt/ "${clock[@]}"
recording build_id_mappings --buildid-mmap "${clock[@]}"
recording delay -D 5 "${clock[@]}"
recording no_synthesis --synth=no "${clock[@]}"
recording cgroup_synthesis --synth=cgroup --all-cgroups "${clock[@]}"
recording small_rings -m 1 "${clock[@]}"
recording boundary --timestamp-boundary "${clock[@]}"
recording no_samples -n "${clock[@]}"
recording several_options -e cpu-clock -e page-faults -c 1001
recording one_cpu -C 0 "${clock[@]}"
recording threads --threads -a "${clock[@]}"
recording threads_by_core --threads=core -a -g "${clock[@]}"
recording many_of_threads --threads -a -F 20000 -e cpu-clock,raw_syscalls:sys_enter
recording compressed_threads -z --threads -a -g -F 20000 -e cpu-clock,sched:sched_switch

recorded_by counts perf stat record -o "$tmp/counts" -e cpu-clock,page-faults -- "${workload[@]}"
recorded_by counts_in_intervals perf stat record -a -A -I 100 -o "$tmp/counts_in_intervals" -e cpu-clock,cs -- sleep 0.4
recorded_by counts_of_threads perf stat record --per-thread -p $$ -o "$tmp/counts_of_threads" -e cs -- sleep 0.1
recorded_by perf_sched perf sched record -o "$tmp/perf_sched" -- "${workload[@]}"
recorded_by perf_lock perf lock record -o "$tmp/perf_lock" -- "${workload[@]}"
recorded_by perf_kmem perf kmem record -o "$tmp/perf_kmem" -- "${workload[@]}"
recorded_by perf_kmem_pages perf kmem --page record -o "$tmp/perf_kmem_pages" -- "${workload[@]}"
recorded_by perf_trace perf trace record -o "$tmp/perf_trace" -- ls -R /usr/include/linux
recorded_by perf_timechart perf timechart record -o "$tmp/perf_timechart" -- "${workload[@]}"
recorded_by perf_kwork perf kwork record -o "$tmp/perf_kwork" -- sleep 0.2
recorded_by perf_kvm perf kvm stat record -a -o "$tmp/perf_kvm" -- sleep 0.1

pipe() { # NAME OPTION...
	local name=$1
	shift
	perf record -q -B -o - "$@" -- "${workload[@]}" >"$tmp/$name" 2>"$tmp/$name.err"
	compare "$name"
}
pipe pipe -g "${clock[@]}"
pipe compressed_pipe -z -a -e cpu-clock,sched:sched_switch
pipe pipe_of_a_group -e '{cpu-clock,page-faults}:S'

# perf unwinds fewer frames of stack dumps: the samples are the same.
perf record -q -B --call-graph dwarf,65528 -o "$tmp/large_dumps" "${clock[@]}" -- "${workload[@]}" >/dev/null 2>&1
is "$(sums_by_report "$tmp/large_dumps")" "$(sums_by_perf "$tmp/large_dumps")" "report_of_a_recording_with_large_dumps"

# Recordings after perf inject.
perf record -q -B -g -o "$tmp/source" -e cpu-clock,sched:sched_switch -- "${workload[@]}" >/dev/null 2>&1
for option in -b -s --buildid-all --itrace -j; do
	recorded_by "inject_of_${option##*-}" perf inject "$option" -i "$tmp/source" -o "$tmp/inject_of_${option##*-}"
done
done_testing
