#!/usr/bin/env bash
# A server that forces its file to the disk under a lock, while many clients wait: one recording shows the disk, the thread that
# holds the lock while it waits for it, and the threads that wait for the lock, each with who woke it.
set -u
# shellcheck source=test/e2e/lib.sh
. "$(dirname "$0")/lib.sh"
cd "$tmp" || exit

cat >server.c <<'END_OF_C'
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

#define APART __attribute__((noinline, noclone))
enum { WORKERS = 8, CLIENTS = 64, REQUESTS = 8 };

static pthread_mutex_t log_lock = PTHREAD_MUTEX_INITIALIZER;
static int log_file, requests[2];
static int answers[CLIENTS][2];

APART static void append_to_log(void)
{
	pthread_mutex_lock(&log_lock);
	if (write(log_file, "entry\n", 6) != 6 || fsync(log_file) != 0)
		perror("log");
	usleep(1000); /* a disk that is slower than that of some machines */
	pthread_mutex_unlock(&log_lock);
}

APART static void serve(unsigned char client)
{
	append_to_log();
	if (write(answers[client][1], "x", 1) != 1)
		perror("answer");
}

static void *work(void *nothing)
{
	unsigned char client;

	pthread_setname_np(pthread_self(), "worker");
	while (read(requests[0], &client, 1) == 1)
		serve(client);
	return nothing;
}

APART static void ask(unsigned char client)
{
	char answer;

	if (write(requests[1], &client, 1) != 1 || read(answers[client][0], &answer, 1) != 1)
		perror("ask");
}

static void *be_client(void *number)
{
	pthread_setname_np(pthread_self(), "client");
	for (int i = 0; i < REQUESTS; i++)
		ask((unsigned char)(size_t)number);
	return NULL;
}

int main(void)
{
	pthread_t clients[CLIENTS], workers[WORKERS];

	log_file = open("log", O_WRONLY | O_CREAT | O_APPEND, 0600);
	if (log_file < 0 || pipe(requests) != 0)
		return 1;
	for (int i = 0; i < CLIENTS; i++)
		if (pipe(answers[i]) != 0)
			return 1;
	for (int i = 0; i < WORKERS; i++)
		pthread_create(&workers[i], NULL, work, NULL);
	for (size_t i = 0; i < CLIENTS; i++)
		pthread_create(&clients[i], NULL, be_client, (void *)i);
	for (int i = 0; i < CLIENTS; i++)
		pthread_join(clients[i], NULL);
	close(requests[1]);
	for (int i = 0; i < WORKERS; i++)
		pthread_join(workers[i], NULL);
	return 0;
}
END_OF_C
gcc -D_GNU_SOURCE -O2 -fomit-frame-pointer -fno-optimize-sibling-calls -pthread -o server server.c || exit
"$xprof" record -q --off-cpu -g -o server.data -- ./server 2>probe.err || skip_all "no waits here: $(head -1 probe.err)"

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

# Stacks are whole: what waits in the server has main or the start of a thread.
whole=$(awk '/^(client|worker)/ { all += $NF; if (/;(start_thread|_start|clone3?|__clone3?);/) whole += $NF }
	END { print (all && whole >= all * 0.99) ? "whole" : whole " of " all }' folded)
is "$whole" whole "stacks_are_whole"
done_testing
