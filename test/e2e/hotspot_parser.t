#!/usr/bin/env bash
# hotspot reads recordings with a parser of its own. The parser gets every sample of all kinds of our recordings, and the stacks
# of the demo.
set -u
# shellcheck source=test/e2e/lib.sh
. "$(dirname "$0")/lib.sh"
parser=
for directory in /usr/lib/*/libexec /usr/libexec /usr/lib/libexec; do
	[ ! -x "$directory/hotspot-perfparser" ] || parser=$directory/hotspot-perfparser
done
[ -n "$parser" ] || skip_all "hotspot is not installed"
need_perf
need_recording -e cpu-clock

# FRAMES: how many samples of the demo's process the parser gave, and how many with at least so many frames.
parse() {
	"$parser" --input "$tmp/perf.data" --output "$tmp/parsed" 2>"$tmp/said" || return
	"$source_root/test/lib/hotspot_stacks.pl" "$1" <"$tmp/parsed" >"$tmp/stacks"
}

# PID: the process's "SAMPLES DEEP".
of_process() {
	awk -v pid="$1" '$1 == pid { print $2, $3 }' "$tmp/stacks"
}

# NAME PID FRAMES PERCENT: at least that share of the process's stacks has the frames.
stacks_are_whole() {
	local counts
	parse "$3"
	counts=$(of_process "$2")
	awk -v counts="$counts" -v percent="$4" 'BEGIN { split(counts, n); exit !(n[1] > 50 && n[2] * 100 >= n[1] * percent) }'
	tap_result $? "$1: the stacks are there" "samples and those with $3 frames: $counts"
	is "$(grep -c "^$2 failed to attach" "$tmp/said")" 0 "$1: none is without the file that it is of"
}

# NAME FRAMES PERCENT OPTION...: a recording of the demo as a command.
command_is_read() {
	local name=$1 frames=$2 percent=$3 pid
	shift 3
	"$xprof" record -q -z0 -F 999 -o "$tmp/perf.data" "$@" -- "$demo" 1 >/dev/null 2>"$tmp/recorded" || {
		tap_result 1 "$name: is recorded" "$(cat "$tmp/recorded")"
		return
	}
	pid=$(perf_quietly script -i "$tmp/perf.data" -F pid -G | awk '{ print $1; exit }')
	stacks_are_whole "$name" "$pid" "$frames" "$percent"
	is "$(awk '{ sum += $2 } END { print sum }' "$tmp/stacks")" \
		"$(perf_quietly script -i "$tmp/perf.data" -F pid -G | wc -l)" "$name: every sample is there"
	[ "$frames" -lt 4 ] || ok "$name: callers have their names" grep -q demo::Scaled::area "$tmp/parsed"
}

command_is_read "a command" 1 100 -e cpu-clock
command_is_read "-g" 4 95 -e cpu-clock -g
command_is_read "--no-bpf" 4 95 -e cpu-clock -g --no-bpf
command_is_read "--call-graph dwarf" 4 95 -e cpu-clock --call-graph dwarf
command_is_read "--call-graph fp" 2 50 -e cpu-clock --call-graph fp
if [ -e /sys/kernel/tracing/events/sched/sched_switch ]; then
	command_is_read "several events, a tracepoint" 4 90 -e cpu-clock,page-faults,sched:sched_switch -g
else
	command_is_read "several events" 4 95 -e cpu-clock,page-faults -g
fi

start "$demo" 300 >/dev/null
demo_pid=$pid
# shellcheck disable=SC2317 # called by wait_until
runs() { grep -q libstdc++ "/proc/$demo_pid/maps"; }
wait_until 10 runs
"$xprof" record -q -F 999 -e cpu-clock -g -z0 -p "$demo_pid" --duration 0.5 -o "$tmp/perf.data"
stacks_are_whole "-p" "$demo_pid" 4 95
if "$xprof" record -q -F 999 -e cpu-clock -g -z0 -a --duration 0.5 -o "$tmp/perf.data" 2>"$tmp/said"; then
	stacks_are_whole "-a" "$demo_pid" 4 95
	"$xprof" record -q -F 999 -e cpu-clock --call-graph dwarf -z0 -a --duration 0.5 -o "$tmp/perf.data"
	stacks_are_whole "-a --call-graph dwarf" "$demo_pid" 4 95
else
	skip "$(head -1 "$tmp/said")" "-a: the stacks are there"
fi
kill "$demo_pid"

# Debian's is built without zstd, and says so.
"$xprof" record -q -F 999 -e cpu-clock -g -z -o "$tmp/perf.data" -- "$demo" 1 >/dev/null
if parse 4 && [ -s "$tmp/stacks" ]; then
	pid=$(perf_quietly script -i "$tmp/perf.data" -F pid -G | awk '{ print $1; exit }')
	stacks_are_whole "-z" "$pid" 4 95
else
	like "$(cat "$tmp/said")" "compression" "-z: the parser says that it cannot"
	"$xprof" convert -q --decompress "$tmp/perf.data" "$tmp/perf.data"
	pid=$(perf_quietly script -i "$tmp/perf.data" -F pid -G | awk '{ print $1; exit }')
	stacks_are_whole "-z, decompressed" "$pid" 4 95
fi
done_testing
