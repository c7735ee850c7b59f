#!/usr/bin/env bash
# `xprof record --threads`: several threads read the rings, and the file is as if one thread wrote it.
set -u
# shellcheck source=test/e2e/lib.sh
. "$(dirname "$0")/lib.sh"
need_perf
need_recording -e cpu-clock -a
cpus=$(getconf _NPROCESSORS_ONLN)
data=$tmp/perf.data

# FILE: counts samples that are older than an earlier one by more than their rounds allow; perf sorts by FINISHED_ROUND.
out_of_order() {
	perf_quietly script -i "$1" -F time -G | awk '{ sub(":", ""); if ($1 + 0 < last) n++; last = $1 + 0 } END { print n + 0 }'
}

# SPEC THREADS: a recording of the whole system, with stacks
records() {
	local said total
	said=$("$xprof" record -v -a -g -F 999 --threads="$1" -o "$data" -- "$demo" 1 4 2>&1 >/dev/null)
	like "$said" "xprof: $2 threads? read the rings" "$1: so many threads"
	total=$(sed -nE 's/.*: ([0-9,]+) samples? in .*/\1/p' <<<"$said" | tr -d ,)
	ok "$1: there are samples" test "${total:-0}" -gt 100
	is "$(perf_samples "$data")" "$total" "$1: perf reads all of them"
	is "$(out_of_order "$data")" 0 "$1: in the order of time"
	ok "$1: stacks reach the program's start" test \
		"$(perf_quietly script -i "$data" -F comm,ip,sym --comms workload | grep -c run_thread)" -gt 20
}
records cpu "$cpus"
records core "[0-9]+"
records numa "[0-9]+"
[ "$cpus" -lt 2 ] || records "0:1-$((cpus - 1))" 2

said=$("$xprof" record -v -F 999 --call-graph fp --threads -o "$data" -- "$demo" 1 4 2>&1 >/dev/null)
like "$said" "xprof: $cpus threads? read the rings" "without a SPEC there is a thread for each CPU"
ok "all samples of the command are there" test "$(perf_samples "$data")" -gt 100
"$xprof" record -q -a --call-graph dwarf -F 499 --threads -o "$data" -- "$demo" 1 >/dev/null
is "$(perf_samples "$data")" "$("$xprof" dump --summary "$data" | awk '/type SAMPLE/ { print $4 }')" \
	"both read as many samples with dumps"
is "$(out_of_order "$data")" 0 "in the order of time"
"$xprof" record -q -a -g -F 999 --threads -o - -- "$demo" 1 2>/dev/null >"$tmp/pipe"
ok "a pipe has samples" test "$(perf_quietly script -i - -F time -G <"$tmp/pipe" | wc -l)" -gt 100

status_is 2 "a word that is no SPEC is wrong usage" "$xprof" record --threads=node -o "$data" -- true
like "$output" "'node' does not choose threads: use cpu, core, package, numa" "and the words are listed"
done_testing
