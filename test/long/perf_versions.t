#!/usr/bin/env bash
# Any version of perf beside xprof: PERF="COMMAND" prove test/long/perf_versions.t (default: perf). perf reads xprof's
# recordings, made with every option that changes the file's layout, without a complaint and with the same rows; and xprof reads
# perf's. A perf of another distribution works, in a container that shares $TMPDIR and this file's tree.
set -u
# shellcheck source=test/e2e/lib.sh
. "$(dirname "$0")/../e2e/lib.sh"
read -ra perf_command <<<"${PERF:-perf}"
command -v "${perf_command[0]}" >/dev/null || skip_all "there is no ${perf_command[0]}"
need_recording -e cpu-clock
any_perf() {
	PERF_CONFIG=/dev/null PAGER=cat "${perf_command[@]}" "$@" </dev/null
}
version=$(any_perf --version | sed 's/perf version //')
[ -n "$version" ] || skip_all "${perf_command[*]} does not run"
figure "perf $version"
# The workload takes up to three threads, in functions of its own.
cp "$demo" "$tmp/workload"
workload=("$tmp/workload" 0.4)
gcc -O2 -o "$tmp/maps" "$source_root/test/e2e/programs/map_workload.c" || skip_all "no compiler"

# --- the output of both for a file ---------------------------------------------------------------------------------

# Rows as "EVENT|COMM|DSO|SYMBOL SAMPLES PERIOD", equal ones added up. A perf in a container sees other libraries than those
# that were recorded, and 7.x prints parameters of functions; [guessed] and the like are xprof's; perf cuts names of programs at
# times.
rows() {
	sed -E 's/[[:space:]]*\|[[:space:]]*/|/g; s/^[[:space:]]+//; s/[[:space:]]+$//' | awk -F '|' -v OFS='|' '
		/^# Samples: .* of event/ { event = $0; sub(/.* of event ./, "", event); sub(/\x27.*/, "", event) }
		/^#/ || NF < 5 { next }
		{
			sub(/[a-zA-Z>]\(.*/, substr($5, match($5, /[a-zA-Z>]\(/), 1), $5)
			if ($4 !~ /^(workload|maps|\[kernel.kallsyms\]|\[JIT\].*|perf-[0-9]+.map)$/ || $5 ~ / 0x/) $5 = "-"
			gsub(/ /, "_"); $3 = substr($3, 1, 10); key = event "|" $3 "|" $4 "|" $5
			samples[key] += $1; period[key] += $2
		}
		END { for (key in samples) printf "%s %d %.0f\n", key, samples[key], period[key] }' | LC_ALL=C sort
}
columns=(--no-children -F "sample,period,comm,dso,symbol" -t '|')

# perf's standard error without messages about this machine or about every file.
complaints() {
	grep -vE '^$|addr2line|perf-read-vdso|kptr_restrict|vmlinux|kallsyms|^\[.*(perf record|perf script)|debuginfod|Couldn.t (get|open|find).*(debug|dwarf)|BPF|libbpf|btf' "$1"
}

# evlist -v without the parts that differ between versions: names of numbers, members that are 0, and, for a pipe, whose names
# come later, 7.x's text for an event that leaves out guests.
attributes() {
	grep -v '^#' | sed -E 's/^cpu-clock:H:/cpu-clock:/; s/ \(PERF_[A-Z_0-9]+\)//g; s/ \([a-z_]+:[a-z_]+\)//; s/ config: 0,//; s/, inherit_thread: 0//'
}

# NAME: prints a pattern of the entries to leave out of the list of build-ids.
own_kernel() {
	case $1 in
	perf_*) echo '[kernel.kallsyms]' ;;
	*) echo 'nothing is left out' ;;
	esac
}

# NAME FILE
read_by_both() {
	local name=$1 file=$2 status
	any_perf report -i "$file" --stdio --no-inline -g none "${columns[@]}" >"$tmp/out" 2>"$tmp/err"
	status=$?
	if [ $status -gt 128 ] && [[ $name == perf_* ]]; then
		skip "perf $version crashes on what it recorded" "$name"
		return
	fi
	is "$status" 0 "${name}_is_reported_by_perf"
	is "$(complaints "$tmp/err")" "" "${name}_is_no_reason_to_complain"
	rows <"$tmp/out" >"$tmp/perf.rows"
	"$xprof" report --no-inline -i "$file" "${columns[@]}" 2>"$tmp/err" | rows >"$tmp/xprof.rows"
	is "$(cat "$tmp/err")" "" "${name}_is_none_for_xprof"
	ok "${name}_has_rows_in_perf" test -s "$tmp/perf.rows"
	is "$(diff "$tmp/perf.rows" "$tmp/xprof.rows" | head -10)" "" "${name}_has_the_same_rows"
	any_perf script -i "$file" -G -F comm,tid,time,event >"$tmp/out" 2>"$tmp/err"
	is "$?" 0 "${name}_is_printed_by_perf_script"
	is "$(complaints "$tmp/err")" "" "${name}_is_no_reason_for_script_to_complain"
	is "$(grep -c . "$tmp/out")" "$("$xprof" script -i "$file" -G -F comm,tid,time,event 2>/dev/null | grep -c .)" \
		"${name}_has_as_many_samples_in_script"
	is "$("$xprof" evlist -v -i "$file" | attributes)" "$(any_perf evlist -v -i "$file" 2>/dev/null | attributes)" \
		"${name}_has_the_same_events"
	# If a file has no table of build-ids, perf lists files with samples, even those without build-ids; and 7.x asks the running
	# kernel for its own, which it no longer writes down.
	is "$(any_perf buildid-list -i "$file" 2>/dev/null | grep '^[0-9a-f]' | grep -vF "$(own_kernel "$name")" | grep -vxF -f <("$xprof" buildid-list -i "$file"))" "" \
		"${name}_has_all_build_ids_that_perf_finds"
}

# --- recordings of every kind --------------------------------------------------------------------------------------

record_by_xprof() {
	local file=$1
	shift
	"$xprof" record -q -o "$file" "$@" >/dev/null 2>"$tmp/err"
}
# Without copies of programs in the user's cache.
record_by_perf() {
	local file=$1
	shift
	any_perf record -q -N -o "$file" "$@" >/dev/null 2>"$tmp/err"
}

# WRITER NAME OPTION... -- COMMAND...
recording() {
	local writer=$1 name=$1_$2 file=$tmp/$1_$2.data
	shift 2
	if "record_by_$writer" "$file" "$@"; then
		read_by_both "$name" "$file"
	elif [ "$writer" = xprof ]; then
		tap_result 1 "${name}_is_recorded" "$(cat "$tmp/err")"
	else
		skip "perf $version does not record this: $(tail -1 "$tmp/err")" "$name"
	fi
	rm -rf "$file"
}

for writer in xprof perf; do
	recording $writer command -e cpu-clock -F 999 -- "${workload[@]}"
	recording $writer system -e cpu-clock -F 499 -a -- "${workload[@]}"
	recording $writer chains -e cpu-clock -F 999 -g -- "${workload[@]}"
	recording $writer frame_pointers -e cpu-clock -F 999 --call-graph fp -- "${workload[@]}"
	recording $writer dumps -e cpu-clock -F 999 --call-graph dwarf -- "${workload[@]}"
	recording $writer compressed -e cpu-clock -F 999 -g -z -- "${workload[@]}"
	recording $writer several_events -e cpu-clock,page-faults,context-switches -- "${workload[@]}"
	recording $writer tracepoints -e sched:sched_process_exit -e 'syscalls:sys_enter_mmap' -c 1 -- "${workload[@]}"
	recording $writer values_of_threads -e cpu-clock,page-faults -s -- "${workload[@]}"
	recording $writer addresses -e page-faults -c 1 -d -W --data-page-size -- "${workload[@]}"
	recording $writer switches_and_namespaces -e cpu-clock --switch-events --namespaces -- "${workload[@]}"
done
recording xprof without_bpf -e cpu-clock -F 999 -g --no-bpf -- "${workload[@]}"
recording xprof all_evidence -e cpu-clock -F 999 -g --evidence=all -- "${workload[@]}"
# It prints its process id and leaves its map, whose copy in the file perf skips.
recording xprof kept_maps -e cpu-clock -F 999 -g -- "$tmp/maps"

# Pipes: perf's output for them is the same as for files.
"$xprof" record -q -o - -e cpu-clock -F 999 -g -- "${workload[@]}" >"$tmp/pipe.data" 2>/dev/null
read_by_both xprof_pipe "$tmp/pipe.data"
any_perf record -q -N -o - -e cpu-clock -F 999 -g -- "${workload[@]}" >"$tmp/pipe.data" 2>/dev/null
read_by_both perf_pipe "$tmp/pipe.data"
done_testing
