#!/usr/bin/env bash
# Measures the cost of recording time off the CPU where it is highest: two processes on one CPU that do nothing but wake each
# other through pipes. Prints the CPU time of both for each round trip (two switches), with nothing recorded, with the events
# alone (-e dummy), with --off-cpu of the command, of the whole machine, and with perf's stacks of sched_switch; and the file's
# size. Recorders take turns, so that other work of the machine slows down all; the script prints medians of the times and of
# their ratios to the run with nothing recorded just before.
#
# usage: switches.sh    RUNS=5 ROUNDS=60000 WORK=0 PERF=perf
# WORK: how far each process counts before it wakes the other; 9000 lowers 450,000 switches a second to some 180,000.
set -eu
cd "$(dirname "$0")/.."
xprof=$(realpath "${XPROF:-${BUILD:-build}/xprof}")
runs=${RUNS:-5} rounds=${ROUNDS:-60000} work_count=${WORK:-0} perf=${PERF:-perf}
work=$(realpath "${BUILD:-build}")/bench/switches
mkdir -p "$work"
cd "$work"

cat >ping_pong.c <<'END'
#define _GNU_SOURCE
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

static double seconds_of(int who)
{
	struct rusage usage;

	getrusage(who, &usage);
	return (double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
	       (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1e6;
}

/* Works, then passes a byte on, so many times. */
static void play(int rounds, int work, int from, int to)
{
	char byte = 'x';

	for (int i = 0; i < rounds; i++) {
		for (volatile int count = 0; count < work; count++)
			;
		if (write(to, &byte, 1) != 1 || read(from, &byte, 1) != 1)
			exit(1);
	}
}

int main(int count, char **arguments)
{
	const int rounds = atoi(arguments[count - 2]), work = atoi(arguments[count - 1]);
	int there[2], back[2];
	cpu_set_t cpus;

	CPU_ZERO(&cpus);
	CPU_SET(0, &cpus);
	if (sched_setaffinity(0, sizeof(cpus), &cpus) || pipe(there) || pipe(back))
		return 1;
	if (fork() == 0) {
		play(rounds, work, there[0], back[1]);
		_exit(0);
	}
	play(rounds, work, back[0], there[1]);
	wait(NULL);
	printf("%.3f\n", (seconds_of(RUSAGE_SELF) + seconds_of(RUSAGE_CHILDREN)) / rounds * 1e6);
	return 0;
}
END
gcc -O2 -o ping_pong ping_pong.c

# NAME: microseconds of CPU time of a round trip while it records.
run() {
	case $1 in
	nothing) ./ping_pong "$rounds" "$work_count" ;;
	events) "$xprof" record -q -e dummy -o events.data -- ./ping_pong "$rounds" "$work_count" ;;
	off-cpu) "$xprof" record -q --off-cpu -e dummy -o off-cpu.data -- ./ping_pong "$rounds" "$work_count" ;;
	off-cpu-all) "$xprof" record -q --off-cpu -a -e dummy -o off-cpu-all.data -- ./ping_pong "$rounds" "$work_count" ;;
	perf-switches)
		"$perf" record -q -e sched:sched_switch --call-graph dwarf -o perf-switches.data -- ./ping_pong "$rounds" "$work_count" 2>/dev/null
		;;
	esac
}

recorders="nothing events off-cpu off-cpu-all"
if command -v "$perf" >/dev/null; then recorders+=" perf-switches"; fi
for recorder in $recorders; do : >"$recorder.times"; done
for _ in $(seq "$runs"); do
	for recorder in $recorders; do run "$recorder" >>"$recorder.times"; done
done
# Prints the median of the numbers in FILE.
median() { sort -n "$1" | awk '{ value[NR] = $1 } END { print value[int((NR + 1) / 2)] }'; }
base=$(median nothing.times)
awk -v us="$base" 'BEGIN { printf "%d switches a second with nothing recorded\n", 2e6 / us }'
printf '%-14s %10s %8s %12s\n' recorder 'us/round' ratio 'file bytes'
for recorder in $recorders; do
	paste "$recorder.times" nothing.times | awk '{ print $1 / $2 }' >ratios
	printf '%-14s %10.2f %8.3f %12s\n' "$recorder" "$(median "$recorder.times")" "$(median ratios)" \
		"$(stat -c %s "$recorder.data" 2>/dev/null || echo -)"
done
rm -f perf-switches.data
