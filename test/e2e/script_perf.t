#!/usr/bin/env bash
# `xprof script` prints the same as `perf script`, for recordings of this kernel with many options. script_same.sh says which
# lines may differ; test/long/script_recordings.t has every way of recording.
set -u
# shellcheck source=test/e2e/lib.sh
. "$(dirname "$0")/lib.sh"
# shellcheck source=test/e2e/script_same.sh
. "$(dirname "$0")/script_same.sh"
need_perf
need_recording -e cpu-clock

record() { # NAME OPTION...
	local name=$1
	shift
	# Without build-ids: perf 6.1 may abort while it collects them.
	perf record -q -B -o "$tmp/$name" "$@" -- sh -c 'for i in 1 2 3; do ls -lR /usr/include; done' \
		>/dev/null 2>"$tmp/$name.err" || rm -f "$tmp/$name"
}

record plain -e cpu-clock
record chains -g -e cpu-clock
record system -a -g -e cpu-clock
record compressed -z -g -e cpu-clock
record switches -a -e sched:sched_switch,sched:sched_wakeup
record chained_switches -g -e sched:sched_switch
record syscalls -e raw_syscalls:sys_enter
record faults -e page-faults -c 1 -d
record group -e '{cpu-clock,page-faults}:S'
record context --switch-events -e cpu-clock
record clock -k monotonic -e cpu-clock
record physical --phys-data -d -e cpu-clock
record registers --user-regs=ip,sp -e cpu-clock
record namespaces --namespaces --all-cgroups -e cpu-clock
record kernel_code -e kmem:kmalloc,kmem:kfree
perf stat record -a -A -I 50 -o "$tmp/counts" -e cpu-clock,page-faults -- sleep 0.2 >/dev/null 2>"$tmp/counts.err"
record several -a -e cpu-clock,task-clock,page-faults,dummy:u
perf record -q -B -g -e cpu-clock,sched:sched_switch -o - -- sh -c 'ls -lR /usr/include >/dev/null' 2>"$tmp/pipe.err" >"$tmp/pipe"

for file in plain chains system compressed switches chained_switches syscalls faults group context clock physical \
	registers several kernel_code counts pipe; do
	same "samples_of_a_recording_with_${file}_are_those_of_perf" $file
done
same "no_call_chains" chains -G
same "nanoseconds" chains --ns
same "a_time_of_day" clock -F +tod
same "user_registers" registers -F +uregs
same "physical_addresses" physical -F +phys_addr
same "context_switches" context --show-switch-events
same "memory_maps" plain --show-mmap-events
same "namespaces_and_cgroups" namespaces --show-namespace-events --show-cgroup-events
same "kernel_symbols_and_bpf_programs" system --show-bpf-events
# On one CPU, so that the order of the file is that of time: perf does not know the name of a thread whose parent's
# own fork comes later in the file.
record_on_one_cpu() {
	taskset -c 0 perf record -q -B -g -e cpu-clock -o "$tmp/rounds" -- ls -lR /usr/include >/dev/null 2>"$tmp/rounds.err" ||
		rm -f "$tmp/rounds"
}
record_on_one_cpu
same "rounds_of_records" rounds --show-round-events
same "some_commands" system -c ls
same "some_cpus" switches -C 0
same "short_call_chains" chains --max-stack 3
same "tracepoints_alone" switches -F comm,tid,trace
same "other_columns" chains -F comm,tid,time,event,ip,sym,dso

"$xprof" script -i "$tmp/chains" | head -n 3 >"$tmp/head"
is "$(wc -l <"$tmp/head")" 3 "a_reader_that_stops_early_is_no_trouble"
status_is 1 "a_field_that_was_not_recorded_is_an_error" "$xprof" script -i "$tmp/plain" -F +addr
like "$output" "'addr'" "that_is_named"
status_is 2 "a_field_that_does_not_exist_is_wrong_usage" "$xprof" script -i "$tmp/plain" -F nosuch
status_is 1 "cpus_that_were_not_recorded_are_an_error" "$xprof" script -i "$tmp/plain" -C 0
done_testing
