#!/usr/bin/env bash
# The page of a flame graph has a lane for each thread, with the time that it ran, waited for a CPU and was blocked:
# test/web/lanes_page_test.js reads it in a browser. Pages of recordings without such samples have no lanes.
set -u
# shellcheck source=test/e2e/lib.sh
. "$(dirname "$0")/lib.sh"
need_browser
cd "$tmp" || exit

# Two threads that share a CPU, one that naps, one that waits for the others; or 60 that nap, with an argument.
cat >threads.c <<'END_OF_C'
#define _GNU_SOURCE
#include <pthread.h>
#include <sched.h>
#include <sys/prctl.h>
#include <time.h>
#include <unistd.h>
static volatile unsigned long sink;
__attribute__((noinline, noclone)) static void burn(void)
{
	struct timespec begin, now;
	clock_gettime(CLOCK_MONOTONIC, &begin);
	do {
		for (int i = 0; i < 10000; i++)
			sink += (unsigned long)i;
		clock_gettime(CLOCK_MONOTONIC, &now);
	} while ((now.tv_sec - begin.tv_sec) * 1000 + (now.tv_nsec - begin.tv_nsec) / 1000000 < 1000);
}
static void *spin(void *nothing)
{
	prctl(PR_SET_NAME, "spinner");
	burn();
	return nothing;
}
static void *nap(void *nothing)
{
	prctl(PR_SET_NAME, "napper");
	for (int i = 0; i < 20; i++)
		usleep(50000);
	return nothing;
}
int main(int count, char **nothing)
{
	pthread_t threads[60];
	const int spinners = count > 1 ? 0 : 2, naps = count > 1 ? 60 : 1;
	cpu_set_t one;
	(void)nothing;
	CPU_ZERO(&one);
	CPU_SET(sched_getcpu(), &one);
	for (int i = 0; i < naps + spinners; i++)
		if (pthread_create(&threads[i], NULL, i < naps ? nap : spin, NULL) != 0)
			return 1;
		else if (i >= naps)
			pthread_setaffinity_np(threads[i], sizeof(one), &one);
	for (int i = 0; i < naps + spinners; i++)
		pthread_join(threads[i], NULL);
	return 0;
}
END_OF_C
gcc -O2 -pthread -o threads threads.c || exit

need_recording --off-cpu -e cpu-clock
draw() {
	"$xprof" flamegraph -q -i "$1.data" -o "$2.html" "${@:3}"
}
"$xprof" record -q --off-cpu -e cpu-clock -g -o waits.data -- ./threads
"$xprof" record -q --off-cpu -e cpu-clock -g -o many.data -- ./threads many
"$xprof" record -q -e cpu-clock -g -o on.data -- ./threads
draw waits waits
draw many many --wall
draw waits chosen --event cpu-clock
draw on on
timeout 300 node "$source_root/test/web/lanes_page_test.js" "$browser" "$tmp" "$source_root"
