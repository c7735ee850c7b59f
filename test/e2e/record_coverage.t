#!/usr/bin/env bash
# For the same work, xprof's file knows every command, every executable mapping and every fork that perf's own recording knows,
# and has a build-id for every file that has one.
set -u
# shellcheck source=test/e2e/lib.sh
. "$(dirname "$0")/lib.sh"
need_perf
need_recording -e cpu-clock

work() {
	"$@" -- sh -c '(cat /dev/null; ls / >/dev/null) & for i in 1 2 3; do /bin/true; done; wait; awk "BEGIN { exit 0 }"' 2>/dev/null
}
work "$xprof" record -q -e cpu-clock -o "$tmp/xprof.data"
work perf record -q -e cpu-clock -o "$tmp/perf.data" 2>/dev/null

# FILE: the records of programs and mappings, without the parts that differ from run to run
records() {
	perf_quietly script -i "$1" --show-task-events --show-mmap-events -F comm,tid,time
}
execs() {
	records "$1" | sed -nE 's/.*PERF_RECORD_COMM exec: ([^:]+):.*/\1/p' | sort | uniq -c
}
mappings() {
	records "$1" | sed -nE 's/.*PERF_RECORD_MMAP2 .*: r-xp (.*)/\1/p' | sort | uniq -c
}
count() {
	records "$2" | grep -c "PERF_RECORD_$1"
}
is "$(execs "$tmp/xprof.data")" "$(execs "$tmp/perf.data")" "the_same_programs_are_executed"
is "$(mappings "$tmp/xprof.data")" "$(mappings "$tmp/perf.data")" "the_same_files_are_mapped_as_often"
is "$(count FORK "$tmp/xprof.data")" "$(count FORK "$tmp/perf.data")" "there_are_as_many_forks"
is "$(count EXIT "$tmp/xprof.data")" "$(count EXIT "$tmp/perf.data")" "there_are_as_many_exits"

missing=$(records "$tmp/xprof.data" | sed -nE 's/.*PERF_RECORD_MMAP2 .*: r-xp (\/.*)/\1/p' | sort -u |
	while read -r file; do
		perf_quietly buildid-list -i "$tmp/xprof.data" | grep -qF " $file" || echo "$file"
	done)
is "$missing" "" "every_mapped_file_has_its_build_id"
own=$(perf_quietly buildid-list -i "$tmp/xprof.data" | awk '/libc\.so/ { print $1; exit }')
libc=$(perf_quietly buildid-list -i "$tmp/xprof.data" | awk '/libc\.so/ { print $2; exit }')
is "$own" "$(readelf -n "$libc" 2>/dev/null | awk '/Build ID/ { print $3 }')" "the_build_id_is_that_of_the_file"
like "$(perf_quietly buildid-list -i "$tmp/xprof.data")" "\[vdso\]" "the_vdso_has_its_build_id"

# A program whose file is gone is mapped with its name and, if the kernel tells it, its build-id.
cp "$(command -v sleep)" "$tmp/gone"
start "$tmp/gone" 60
# shellcheck disable=SC2317 # called by wait_until
runs() { [ "$(readlink "/proc/$pid/exe")" = "$tmp/gone" ]; }
wait_until 10 runs
rm "$tmp/gone"
"$xprof" record -q -e cpu-clock -p "$pid" -o "$tmp/gone.data" --duration 0.1
like "$(records "$tmp/gone.data")" "r-xp $tmp/gone \(deleted\)" "a_deleted_program_is_mapped"

# The system: xprof knows the programs that already run as perf does.
processes_now() { ps -eo pid=,comm= | sort; }
before=$(processes_now)
if "$xprof" record -q -a -e cpu-clock -o "$tmp/xprof.data" -- sleep 0.1 2>/dev/null; then
	perf record -q -a -e cpu-clock -o "$tmp/perf.data" -- sleep 0.1 >/dev/null 2>&1
	processes() {
		# A kernel worker's name tells its present work.
		records "$1" | sed -nE 's/.*PERF_RECORD_COMM: (.*):([0-9]+)\/[0-9]+$/\1 \2/p' |
			sed 's/^kworker.* /kworker /' | sort -u
	}
	# Compares only programs that ran before the first recording and after the second, under the same name: others called exec
	# meanwhile.
	common=$(comm -12 <(echo "$before") <(processes_now) | awk '{ print $1 }')
	alive() {
		processes "$1" | awk -v pids="$common" 'BEGIN { split(pids, p, "\n"); for (i in p) is[p[i]] = 1 } $NF in is'
	}
	only_perf=$(comm -13 <(alive "$tmp/xprof.data") <(alive "$tmp/perf.data"))
	is "$only_perf" "" "every_running_process_that_perf_knows_is_known"
	like "$(records "$tmp/xprof.data")" "PERF_RECORD_MMAP -1/0: .*\[kernel.kallsyms\]_" "the_kernel_is_mapped"
	kernel() { records "$1" | sed -nE 's/.*(PERF_RECORD_MMAP -1\/0: .*kallsyms.*)/\1/p'; }
	is "$(kernel "$tmp/xprof.data")" "$(kernel "$tmp/perf.data")" "the_kernel_is_mapped_where_perf_maps_it"
else
	skip "the whole system cannot be recorded here" "what_runs_already_is_known"
fi
done_testing
