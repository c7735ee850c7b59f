#!/usr/bin/env bash
# A recording is killed at random times from its first millisecond on: its file can be read, by perf and by xprof, whenever
# something was flushed into it. KILLS: how often for each way to record, 100.
set -u
# shellcheck source=test/e2e/lib.sh
. "$(dirname "$0")/../e2e/lib.sh"
need_perf
need_recording -a -e cpu-clock
kills=${KILLS:-100}
start sh -c 'while :; do /bin/true; done'

# NAME OPTION...
kill_recordings() {
	local name=$1 unreadable='' empty=0 samples=0
	shift
	for number in $(seq "$kills"); do
		rm -f "$tmp/perf.data"
		start "$xprof" record -q -e cpu-clock -F 999 -o "$tmp/perf.data" "$@" -- sleep 20
		recorder=$pid
		sleep "0.$((RANDOM % 7))$((RANDOM % 10))$((RANDOM % 10))"
		kill -9 "$recorder"
		wait "$recorder" 2>/dev/null
		unset 'started[-1]'
		# Before the first flush there is nothing to read.
		if ! [ -s "$tmp/perf.data" ] || [ "$(od -An -t u8 -j 48 -N 8 "$tmp/perf.data" | tr -d ' ')" = 0 ]; then
			empty=$((empty + 1))
			continue
		fi
		"$xprof" report -i "$tmp/perf.data" >/dev/null 2>"$tmp/said" || unreadable+=" $number: $(head -1 "$tmp/said")"
		found=$(perf_quietly script -i "$tmp/perf.data" -F comm | wc -l) || unreadable+=" $number by perf"
		samples=$((samples + found))
	done
	is "$unreadable" "" "${name}: every_file_can_be_read"
	ok "${name}: most_have_something" test $((empty * 2)) -lt "$kills"
	ok "${name}: samples_among_it" test "$samples" -gt "$kills"
	figure "$name: $kills kills, $empty before the first flush, $samples samples"
}
kill_recordings system -a
kill_recordings stacks -a -g
kill_recordings compressed -a --call-graph fp -z
done_testing
