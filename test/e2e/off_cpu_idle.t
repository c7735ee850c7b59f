#!/usr/bin/env bash
# --hide-idle: only the waits of idle pools are left out, recognised by known functions.
set -u
# shellcheck source=test/e2e/lib.sh
. "$(dirname "$0")/lib.sh"
cd "$tmp" || exit

# A pool whose function for looking for work has the name of that of Go's scheduler.
cat >pool.c <<'END_OF_C'
#include <pthread.h>
#include <sys/prctl.h>
#include <time.h>
#include <unistd.h>
#define OWN __attribute__((noinline, noclone))
static void find_runnable(int spins) __asm__("runtime.findRunnable");
static double cpu_seconds(void)
{
	struct timespec now;
	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
	return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}
OWN static void spin(double seconds)
{
	for (double end = cpu_seconds() + seconds; cpu_seconds() < end;)
		;
}
OWN static void find_runnable(int spins)
{
	if (spins)
		spin(0.05);
	else
		usleep(150000);
}
OWN static void query(void)
{
	usleep(50000);
}
static void *work(void *nothing)
{
	prctl(PR_SET_NAME, "idler");
	find_runnable(0);
	find_runnable(1);
	find_runnable(0);
	return nothing;
}
int main(void)
{
	pthread_t thread;
	if (pthread_create(&thread, NULL, work, NULL) != 0)
		return 1;
	for (int i = 0; i < 4; i++)
		query();
	return pthread_join(thread, NULL);
}
END_OF_C
gcc -O2 -fno-optimize-sibling-calls -pthread -o pool pool.c || exit

"$xprof" record -q --off-cpu -g -e cpu-clock -o pool.data -- ./pool 2>probe.err || {
	skip "no waits here: $(head -1 probe.err)" "waits_of_idle_pools_are_left_out"
	done_testing
	exit
}
folded() { "$xprof" report -i pool.data --folded --event offcpu-time "$@" 2>/dev/null; }
weight() { awk '{ sum += $NF } END { printf "%.0f\n", sum }'; }

folded >all.folded
folded --hide-idle >left.folded
ok "there_are_idle_threads" grep -q 'runtime.findRunnable;.*nanosleep' all.folded
is "$(cat left.folded)" "$(grep -v ';runtime.findRunnable;' all.folded)" "waits_of_idle_pools_are_left_out"
said=$("$xprof" report -i pool.data --hide-idle 2>&1 >/dev/null)
like "$said" "--hide-idle: [0-9.]+% of the time off the CPU is left out: idle threads of Go's scheduler \\([0-9.]+%\\)" "which_is_said"
ok "with_their_share" awk -v said="${said#*--hide-idle: }" -v all="$(weight <all.folded)" \
	-v left="$(weight <left.folded)" 'BEGIN { said += 0; share = 100 * (all - left) / all; exit !(said > share - 0.2 && said < share + 0.2 && said > 10) }'
is "$("$xprof" report -i pool.data -q --hide-idle 2>&1 >/dev/null)" "" "unless_it_is_to_be_quiet"
is "$("$xprof" report -i pool.data --hide-idle --event offcpu-time --no-children -q -s sym 2>/dev/null |
	awk 'NF { sum += $1 } END { printf "%d\n", sum + 0.5 }')" 100 "shares_are_of_what_is_left"
like "$("$xprof" report -i pool.data --hide-idle --wall --no-children -s comm,state 2>/dev/null)" '% +idler +running' \
	"time_on_a_CPU_is_never_hidden"
unlike "$("$xprof" report -i pool.data --hide-idle --wall --no-children -s comm,state 2>/dev/null)" '% +idler +sleeping' \
	"beside_time_off_it"
"$xprof" flamegraph -i pool.data --event offcpu-time --hide-idle -o left.svg 2>said.err
ok "the_flame_graph_leaves_them_out" sh -c "grep -q query left.svg && ! grep -q findRunnable left.svg"
like "$(cat said.err)" "--hide-idle: [0-9.]+% of the time" "and_says_so"
"$xprof" record -q -e cpu-clock -o busy.data -- ./pool
for command in report "flamegraph -o none.svg"; do
	# shellcheck disable=SC2086
	like "$("$xprof" $command -i busy.data --hide-idle 2>&1)" '--hide-idle: time off the CPU was not recorded' "${command%% *}:_needs_waits"
done
done_testing
