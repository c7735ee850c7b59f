#!/usr/bin/env bash
# Waits that began before the recording, that go on when it ends, or that end with the thread: none is left out.
set -u
# shellcheck source=test/e2e/lib.sh
. "$(dirname "$0")/lib.sh"
cd "$tmp" || exit

"$xprof" record -q --off-cpu -e dummy -o probe.data -- true 2>probe.err || skip_all "no waits here: $(head -1 probe.err)"
cat >asleep.c <<'END_OF_C'
#include <pthread.h>
#include <signal.h>
#include <unistd.h>
__attribute__((noinline, noclone)) static void wait_for_ever(void)
{
	for (;;)
		pause();
}
static void *run(void *nothing)
{
	wait_for_ever();
	return nothing;
}
/* The main thread waits as well, until another program kills it. */
int main(void)
{
	pthread_t thread;
	pthread_create(&thread, NULL, run, NULL);
	wait_for_ever();
}
END_OF_C
gcc -O2 -fomit-frame-pointer -fno-optimize-sibling-calls -pthread -o asleep asleep.c || exit

# FILE: milliseconds of waits in wait_for_ever with a whole stack.
asleep_ms() {
	"$xprof" report -i "$1" --folded 2>/dev/null |
		awk '/;(_start|clone3?|__clone3?);.*;wait_for_ever;/ { sum += $NF } END { printf "%d\n", sum / 1000000 }'
}
# MS LOW HIGH
between() { [ "$1" -ge "$2" ] && [ "$1" -le "$3" ]; }

start ./asleep
wait_until 5 sh -c "ls /proc/$pid/task | wc -l | grep -qx 2"
"$xprof" record -q --off-cpu -e dummy -p "$pid" -o attached.data --duration 0.5
ok "waits_that_outlast_the_recording_are_in_it" between "$(asleep_ms attached.data)" 950 1500
echo "# $(asleep_ms attached.data) ms of two threads in 500 ms"
ok "and_are_marked_as_unfinished" sh -c "'$xprof' script -i attached.data | grep -q '^# .wait. sleeping (signal) .* unfinished$'"
kill -9 "$pid"

# On a busy machine a thread may wait for a CPU before it sleeps, or be gone before its stack can be copied.
for _ in 1 2 3; do
	"$xprof" record -q --off-cpu -e dummy -o killed.data -- timeout -s KILL 0.5 ./asleep >/dev/null 2>&1
	between "$(asleep_ms killed.data)" 800 1600 && break
done
ok "threads_that_die_asleep_are_in_it" between "$(asleep_ms killed.data)" 800 1600
echo "# $(asleep_ms killed.data) ms of two threads that were killed after 500 ms"
done_testing
