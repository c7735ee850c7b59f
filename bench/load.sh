#!/usr/bin/env bash
# Runs while recorders are compared: stock programs without frame pointers, on all CPUs.
#
#   steady   programs that run on: an interpreter, sorting, compressing
#   system   the same, and some 70 short programs a second beside them, as a machine with scripts and builds has
#
# usage: load.sh steady|system SECONDS
set -u
kind=$1
seconds=$2
cpus=$(getconf _NPROCESSORS_ONLN)

steady() {
	timeout "$seconds" python3 -c '
import json, re
rows = [{"name": "row%d" % i, "value": i} for i in range(2000)]
while True:
    json.loads(json.dumps(rows))
    re.findall("a(b|c)+d", "abcd" * 2000)
' &
	for ((i = 1; i < cpus; i++)); do
		timeout "$seconds" bash -c 'while :; do seq 200000 | sort -r | gzip -c >/dev/null; done' &
	done
}

# Seven at once, ten times a second: each is a program of its own, with its libraries.
short_programs() {
	local end=$((SECONDS + seconds))
	while [ $SECONDS -lt $end ]; do
		for i in 1 2 3 4 5 6 7; do
			awk 'BEGIN { for (i = 0; i < 5000; i++) s += i * i; print s }' >/dev/null &
			pids[i]=$!
		done
		wait "${pids[@]}"
		sleep 0.09
	done
}

steady
[ "$kind" != system ] || short_programs
wait
