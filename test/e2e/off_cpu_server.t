#!/usr/bin/env bash
# A server that forces its file to the disk under a lock, while many clients wait: one recording shows the disk, the thread that
# holds the lock while it waits for it, and the threads that wait for the lock, each with its waker.
set -u
# shellcheck source=test/e2e/lib.sh
. "$(dirname "$0")/lib.sh"
programs=$(cd "$(dirname "$0")" && pwd)/programs
cd "$tmp" || exit

gcc -D_GNU_SOURCE -O2 -fomit-frame-pointer -fno-optimize-sibling-calls -pthread -o server "$programs/log_server.c" || exit
# The disk of some machines is so fast that hardly anything waits for the lock.
"$xprof" record -q --off-cpu -g -o server.data -- ./server 8 1000 2>probe.err || skip_all "no waits here: $(head -1 probe.err)"

# The milliseconds of stacks of offcpu-time in which all of the PATTERNs match, one after the other from the outermost on.
"$xprof" report -i server.data --folded 2>/dev/null >folded
ms_of() {
	local pattern
	pattern=$(IFS='~'; echo "$*" | sed 's/~/.*/g')
	awk -v pattern="$pattern" '$0 ~ pattern { sum += $NF } END { printf "%d\n", sum / 1000000 }' folded
}
disk=$(ms_of '^worker' ';serve;append_to_log;' 'fsync')
lock=$(ms_of '^worker' ';serve;append_to_log;' 'pthread_mutex_lock' 'futex')
clients=$(ms_of '^client' ';ask;' 'pipe_read')
echo "# disk $disk ms, lock $lock ms, clients $clients ms"
ok "the_disk_is_seen_under_the_lock" test "$disk" -gt 0
ok "workers_wait_for_the_lock_longer_than_its_holder_for_the_disk" test "$lock" -gt "$disk"
ok "and_clients_longer_still" test "$clients" -gt "$lock"

"$xprof" report -i server.data --no-children -s comm,wait,waker 2>/dev/null >report
like "$(cat report)" '[0-9.]+% +client +pipe +worker' "clients_are_woken_by_workers"
like "$(cat report)" '[0-9.]+% +worker +futex +worker' "workers_by_the_one_that_had_the_lock"
ok "no_client_holds_the_lock" sh -c "! grep -qE 'worker +futex +client' report"
like "$(cat report)" '[0-9.]+% +worker +disk +(\[|jbd2|kworker|swapper)' "and_the_one_that_waits_for_the_disk_by_no_thread_of_the_server"

# A client waits for a worker that waits, under the lock, for the disk: here the timer that slows it down.
"$xprof" report -i server.data --folded --wakers 2>/dev/null >wakers.folded
chained=$(awk '/^client;.*;ask;.*pipe_read;.*--;.*pipe_write;.*;serve;.*;worker;--;/ { chained += $NF } /^client;.*;ask;/ { all += $NF }
	END { printf "%d\n", all ? 100 * chained / all : 0 }' wakers.folded)
ok "a_client's_wait_leads_to_what_the_worker_waited_for ($chained%)" test "$chained" -ge 50

# Stacks are whole: those that wait in the server have main or the start of a thread.
whole=$(awk '/^(client|worker)/ { all += $NF; if (/;(start_thread|_start|clone3?|__clone3?);/) whole += $NF }
	END { print (all && whole >= all * 0.99) ? "whole" : whole " of " all }' folded)
is "$whole" whole "stacks_are_whole"
done_testing
