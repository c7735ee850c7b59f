#!/usr/bin/env bash
# Measures the recorder's threads for a machine with many CPUs, without such a machine: records samples of this machine, each
# mode for a few seconds, and feeds them to the lanes of a recorder through RINGS rings at once (ring_feed.c). Then works out
# the cost of that many busy CPUs at two rates: threads, CPU time, bytes a second. Filling rings is the kernel's work and not
# counted, nor are records of processes that begin.
#
# SCALE_RINGS=256, SCALE_LANES="1 2", SCALE_SECONDS=3 and SCALE_RATES="99 999" choose; SCALE_LOAD=COMMAND is the program that
# runs.
#
# usage: scale.sh
set -eu
cd "$(dirname "$0")/.."
xprof=$(realpath "${XPROF:-${BUILD:-build}/xprof}")
feed=$(realpath "${BUILD:-build}/bench/ring_feed")
rings=${SCALE_RINGS:-256}
seconds=${SCALE_SECONDS:-3}
here=$PWD/bench
work=$(realpath "${BUILD:-build}")/bench/scale
mkdir -p "$work"
first_lanes=${SCALE_LANES:-1 2}
cd "$work"

# MODE OPTION...: records everything that the kernel delivers in that mode
record() {
	local mode=$1
	shift
	# One event, and everything that the kernel delivered: the lanes reduce it again.
	"$xprof" record -q -a -e cpu-clock -F 999 -z0 --duration "$seconds" "$@" -o "$mode.data" 2>"$mode.log" || {
		echo "scale: $mode cannot be recorded: $(head -1 "$mode.log")" >&2
		return 1
	}
}

load() {
	if [ -n "${SCALE_LOAD:-}" ]; then
		bash -c "$SCALE_LOAD"
	else
		bash "$here/load.sh" steady $((seconds * 4 + 2))
	fi
}

load >/dev/null 2>&1 &
loaded=$!
trap 'kill "$loaded" 2>/dev/null || true; rm -f ./*.out ./*.old' EXIT
sleep 1
modes=
record none && modes="none"
record fp --call-graph fp && modes+=" fp"
record stacks -g --evidence=all && modes+=" stacks"
record dumps -g --no-bpf --evidence=all && modes+=" dumps"
kill "$loaded" 2>/dev/null || true
wait "$loaded" 2>/dev/null || true

echo "none: without stacks; fp: frame pointers; stacks: -g; dumps: -g --no-bpf (dumps of 16 KiB). $rings rings, level 3"
printf '\n%-8s %6s %14s %14s %12s %12s %12s %8s\n' mode lanes "samples/s" "per CPU-s" "us/sample" "bytes in" \
	"bytes out" "MB"
for mode in $modes; do
	for lanes in ${SCALE_LANES:-1 2}; do
		evidence=least
		[ "$mode" != stacks ] || evidence=none
		"$feed" "$mode.data" "$rings" "$lanes" 3 "$evidence" "$mode.out" | tee "$mode.$lanes" |
			awk -v mode="$mode" '{ printf "%-8s %6s %14s %14s %12s %12s %12s %8s\n", mode, $2, $12, $14, $16, $8, $10, $18 }'
	done
done

printf '\nall %s CPUs busy:\n%-8s %6s %14s %14s %14s\n' "$rings" mode Hz "samples/s" "CPUs" "MB/s"
for mode in $modes; do
	for rate in ${SCALE_RATES:-99 999}; do
		awk -v mode="$mode" -v rate="$rate" -v rings="$rings" '{ n = rate * rings
			printf "%-8s %6d %14d %14.2f %14.2f\n", mode, rate, n, n * $16 / 1e6, n * $10 / 1e6 }' \
			"$mode.${first_lanes%% *}"
	done
done
