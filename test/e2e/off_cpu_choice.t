#!/usr/bin/env bash
# xprof record --off-cpu: which threads and CPUs, how often, and the fallback if waits cannot be timed.
set -u
# shellcheck source=test/e2e/lib.sh
. "$(dirname "$0")/lib.sh"
cd "$tmp" || exit

cat >naps.c <<'END_OF_C'
#include <sched.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>
__attribute__((noinline, noclone)) static void nap(void)
{
	usleep(20000);
}
/* naps CPU CHILDREN: 20 naps there, and as many in each child process. */
int main(int count, char **arguments)
{
	cpu_set_t cpus;
	int children = count > 2 ? atoi(arguments[2]) : 0;
	CPU_ZERO(&cpus);
	CPU_SET(atoi(arguments[1]), &cpus);
	sched_setaffinity(0, sizeof(cpus), &cpus);
	while (children-- > 0 && fork())
		;
	for (int i = 0; i < 20; i++)
		nap();
	while (wait(NULL) > 0)
		;
	return 0;
}
END_OF_C
gcc -D_GNU_SOURCE -O2 -fno-optimize-sibling-calls -o naps naps.c || exit

# FILE: milliseconds of naps.
naps_ms() {
	"$xprof" report -i "$1" --folded 2>/dev/null | awk '/;nap;/ { sum += $NF } END { printf "%d\n", sum / 1000000 }'
}
between() { [ "$1" -ge "$2" ] && [ "$1" -le "$3" ]; }

# If waits cannot be timed, switches are sampled, and one line says so.
if "$xprof" record --off-cpu --no-bpf -g -o switches.data -- ./naps 0 2>switches.said; then
	is "$(grep -c 'sampling every switch instead' switches.said)" 1 "it_is_said_once_where_switches_are_sampled_instead"
	ok "and_where_the_program_napped_can_be_seen" sh -c \
		"'$xprof' report -i switches.data --children -s sym 2>/dev/null | sed -n '/sched_switch/,\$p' | grep -q ' nap\$'"
else
	skip "$(head -1 switches.said)" "it_is_said_once_where_switches_are_sampled_instead"
	skip "$(head -1 switches.said)" "and_where_the_program_napped_can_be_seen"
fi
for bad in 5us 0 x -1; do
	ok "a_period_of_${bad}_is_an_error" sh -c "! '$xprof' record --off-cpu='$bad' -o bad.data -- true 2>/dev/null"
done
like "$("$xprof" record --off-cpu -k boottime -o bad.data -- true 2>&1)" 'off-cpu needs the clock monotonic' \
	"another_clock_is_an_error"

"$xprof" record -q --off-cpu -e dummy -o probe.data -- true 2>probe.err || {
	skip "no waits here: $(head -1 probe.err)" "waits_are_timed"
	done_testing
	exit
}
"$xprof" record -q --off-cpu -e dummy -o one.data -- ./naps 0
ok "a_command_is_recorded" between "$(naps_ms one.data)" 350 900
"$xprof" record -q --off-cpu -e dummy -o children.data -- ./naps 0 2
ok "with_the_processes_that_it_starts" between "$(naps_ms children.data)" 1100 2700
"$xprof" record -q --off-cpu -e dummy -i -o alone.data -- ./naps 0 2
ok "or_without_them" between "$(naps_ms alone.data)" 350 900
# The program begins on that CPU: nothing is recorded for others, so neither names nor mappings of programs that begin there.
taskset -c 0 "$xprof" record -q --off-cpu -e dummy -C 0 -o here.data -- ./naps 0
ok "waits_that_end_on_a_CPU_are_recorded" between "$(naps_ms here.data)" 350 900
if [ "$(nproc)" -gt 1 ]; then
	"$xprof" record -q --off-cpu -e dummy -C 1 -o there.data -- ./naps 0
	is "$(naps_ms there.data)" 0 "and_no_others_with_-C"
fi
"$xprof" record -q --off-cpu=50ms -e dummy -o coarse.data -- ./naps 0
ok "a_longer_period_has_fewer_samples_for_the_same_time" between "$(naps_ms coarse.data)" 300 950
ok "which_are_fewer" test "$("$xprof" script -i coarse.data 2>/dev/null | grep -c 'offcpu-time:')" -le 20

# The BPF program that times waits stays loaded while recording: at the end nothing of it is left.
ok "no_program_is_left_behind" wait_until 10 sh -c "! bpftool prog show 2>/dev/null | grep -q ' name on_switch'"
done_testing
