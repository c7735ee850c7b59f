#!/usr/bin/env bash
# Which samples are recorded, and with which fields: names of commands and processes, threads alone, user space or the kernel
# alone, counts of groups, data addresses, namespaces and switches. Each as perf records it in the same case.
# shellcheck disable=SC2317 # functions that are called by the checks
set -u
# shellcheck source=test/e2e/lib.sh
. "$(dirname "$0")/lib.sh"
need_perf
need_recording -e page-faults -c 1
ours=$tmp/ours.data
theirs=$tmp/theirs.data

cat >"$tmp/faults.c" <<'C'
#include <string.h>
#include <sys/mman.h>
/* 500 page faults, in one piece of memory at an address of its own. */
int main(void)
{
	char *memory = mmap((void *)0x500000000000, 500 * 4096, PROT_READ | PROT_WRITE,
			    MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);

	madvise(memory, 500 * 4096, MADV_NOHUGEPAGE);
	memset(memory, 1, 500 * 4096);
	return 3;
}
C
"${CC:-cc}" -O1 -o "$tmp/faults" "$tmp/faults.c" || skip_all "no C compiler for the program that is recorded"

# OPTION... -- COMMAND...: recorded by both. perf 6.1 dies while another recorder on this machine asks for build-ids, so it tries again.
both() {
	"$xprof" record -q -o "$ours" "$@" 2>"$tmp/err"
	ours_status=$?
	for ((attempt = 0; attempt < 20; attempt++)); do
		perf record -q -N -o "$theirs" "$@" >/dev/null 2>&1
		theirs_status=$?
		[ $theirs_status -lt 128 ] && perf_quietly script -i "$theirs" >/dev/null && return
		sleep 0.3
	done
	# xprof can read the file that perf leaves when it dies, but perf cannot.
}
# FILE FIELDS [OPTION...]: of its samples
fields() {
	local file=$1 fields=$2
	shift 2
	"$xprof" script -i "$file" -F "$fields" "$@" 2>/dev/null
}
# NAME A B MOST: two numbers differ by at most MOST, and are not 0
near() {
	ok "$1" test "${2:-0}" -gt 0 -a $(($2 - $3)) -le "$4" -a $(($3 - $2)) -le "$4"
}

# --- names of commands

if "$xprof" record -q -e syscalls:sys_enter_openat -o "$ours" -- true 2>/dev/null; then
	work='/bin/true; /bin/ls >/dev/null; /bin/true'
	both -e syscalls:sys_enter_openat -- sh -c "$work"
	expected=$(fields "$theirs" comm,event --comms true,ls | sort | uniq -c)
	like "$expected" "ls .* true " "perf_samples_each_command"
	"$xprof" record -q -e syscalls:sys_enter_openat --filter-comm true,ls -o "$ours" -- sh -c "$work"
	is "$(fields "$ours" comm,event | sort | uniq -c)" "$expected" "samples_of_the_commands_alone_are_written"
	"$xprof" record -q -e syscalls:sys_enter_openat --filter-comm true,ls -a -o "$ours" -- sh -c "$work"
	is "$(fields "$ours" comm | sort -u | paste -sd, | tr -d ' ')" "ls,true" "of_the_whole_system_too"
	status_is 0 "samples_can_be_left_out_with_stacks" "$xprof" record -g -e syscalls:sys_enter_openat --filter-comm ls -o "$ours" -- sh -c "$work"
	like "$output" "xprof: [0-9]+ samples of other commands are left out \(--filter-comm\)" "what_is_left_out_is_counted"
	is "$(perf_quietly script -i "$ours" -F comm,tid | awk 'NF == 2 { print $1 }' | sort -u)" ls "stacks_are_those_of_the_command"
	# A process changes its name; its child has the parent's.
	# shellcheck disable=SC2016 # perl's
	"$xprof" record -q -e syscalls:sys_enter_getppid --filter-comm second -o "$ours" -- perl -e '
		$0 = "first"; getppid for 1 .. 10; $0 = "second"; syscall(110) for 1 .. 7;
		if (!fork) { syscall(110) for 1 .. 5; $0 = "third"; syscall(110) for 1 .. 9; exit } wait'
	if [ "$(uname -m)" = x86_64 ]; then
		is "$(fields "$ours" comm | sort | uniq -c | awk '{ print $1, $2 }')" "12 second" "names_count_from_when_they_are_given"
	fi
	# Threads of a process, of which two have the name.
	cat >"$tmp/named.c" <<'C'
#define _GNU_SOURCE
#include <pthread.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>
static void call(int times)
{
	while (times--)
		syscall(SYS_getpgid, 0);
}
static void *run(void *name)
{
	call(2);
	if (*(char *)name)
		prctl(PR_SET_NAME, name);
	call(20);
	return name;
}
int main(void)
{
	char *names[] = { "chosen", "", "another", "chosen" };
	pthread_t threads[4];

	for (int i = 0; i < 4; i++)
		pthread_create(&threads[i], 0, run, names[i]);
	for (int i = 0; i < 4; i++)
		pthread_join(threads[i], 0);
	return 0;
}
C
	"${CC:-cc}" -O1 -pthread -o "$tmp/named" "$tmp/named.c"
	both -e syscalls:sys_enter_getpgid -- "$tmp/named"
	expected=$(fields "$theirs" comm,tid --comms chosen | awk '{ print $1 }' | sort | uniq -c)
	is "$(awk '{ print $1, $2 }' <<<"$expected")" "40 chosen" "perf_samples_each_thread_by_its_name"
	"$xprof" record -q -e syscalls:sys_enter_getpgid --filter-comm chosen -o "$ours" -- "$tmp/named"
	is "$(fields "$ours" comm,tid | awk '{ print $1 }' | sort | uniq -c)" "$expected" "threads_are_chosen_by_their_own_names"
	is "$(fields "$ours" tid | sort -u | wc -l)" 2 "which_two_of_five_have"
else
	skip "no tracepoints here" "names_of_commands"
fi

# --- names of processes

cat >"$tmp/xprof_spinner.c" <<'C'
static volatile unsigned long sum;
int main(void)
{
	for (;;)
		sum++;
}
C
"${CC:-cc}" -O1 -o "$tmp/xprof_spinner" "$tmp/xprof_spinner.c"
start "$tmp/xprof_spinner"
first=$pid
start "$tmp/xprof_spinner"
second=$pid
both_run() { [ "$(cat "/proc/$first/comm" "/proc/$second/comm" | sort -u)" = xprof_spinner ]; }
wait_until 20 both_run
"$xprof" record -q -e cpu-clock -F 499 -p xprof_spinner -o "$ours" --duration 0.4
is "$(fields "$ours" pid | sort -n | uniq | paste -sd, | tr -d ' ')" "$first,$second" "processes_are_recorded_by_name"
perf record -q -N -e cpu-clock -F 499 -p "$first,$second" -o "$theirs" -- sleep 0.4 >/dev/null 2>&1
is "$(fields "$ours" comm,pid | sort -u)" "$(fields "$theirs" comm,pid | sort -u)" "as_perf_records_them_by_number"
"$xprof" record -q -e cpu-clock -F 499 -p "$first,xprof_spinner" -o "$ours" --duration 0.4
is "$(fields "$ours" pid | sort -n | uniq | paste -sd, | tr -d ' ')" "$first,$second" "names_and_numbers_go_together"
kill -9 "$first" "$second"
wait "$first" "$second" 2>/dev/null
status_is 1 "a_name_that_no_process_has_is_an_error" "$xprof" record -p xprof_spinner -e cpu-clock -o "$ours"
like "$output" "-p xprof_spinner: no process has this name" "which_is_said"

# --- threads alone

both --per-thread -e page-faults -c 1 -- sh -c '/bin/true; :'
is "$(fields "$ours" comm | sort -u)" "$(fields "$theirs" comm | sort -u)" "per_thread_does_not_follow_into_children"
both -i -e page-faults -c 1 -- sh -c '/bin/true; :'
is "$(fields "$ours" comm | sort -u)" "$(fields "$theirs" comm | sort -u)" "nor_does_no_inherit"
both -s -e page-faults -c 1 -- sh -c '/bin/true; /bin/true; :'
reads() { "$xprof" dump --type READ -i "$1" | grep -c 'READ  size'; }
near "counts_of_threads_are_those_of_perf" "$(reads "$ours")" "$(reads "$theirs")" 0

# --- user space and the kernel alone

# FILE: the parts of memory that samples are in
parts() { perf_quietly script -i "$1" -F ip | awk '{ print $1 ~ /^ffff/ ? "kernel" : "user" }' | sort -u | paste -sd,; }
# Half its time is the kernel's.
# shellcheck disable=SC2016 # for the inner shell
copies='dd if=/dev/zero of=/dev/null bs=1 count=50000 2>/dev/null; exit 3'
both --all-user -e cpu-clock -F 999 -- sh -c "$copies"
is "$(parts "$ours")" user "user_space_alone"
is "$(parts "$ours") $ours_status" "$(parts "$theirs") $theirs_status" "as_by_perf"
if "$xprof" record -q --all-kernel -e cpu-clock -o "$ours" -- true 2>/dev/null; then
	both --all-kernel -e cpu-clock -F 999 -- sh -c "$copies"
	is "$(parts "$ours")" kernel "the_kernel_alone"
	is "$(parts "$ours") $ours_status" "$(parts "$theirs") $theirs_status" "that_too_as_by_perf"
else
	skip "the kernel may not be sampled here" "the_kernel_alone"
fi
status_is 2 "both_alone_are_nothing" "$xprof" record --all-user --all-kernel -e cpu-clock -o "$ours" -- true

# --- counts of groups

both -e '{page-faults,minor-faults}:S' -c 10 -- "$tmp/faults"
is "$ours_status" 3 "the_commands_status_comes_through"
# FILE EVENT: the sum of the event's counts in the samples
sum() { fields "$1" period,event | awk -v event="$2" 'index($0, " " event ":") { sum += $1 } END { print sum + 0 }'; }
for event in page-faults minor-faults; do
	like "$(sum "$ours" $event)" "^5[0-9][0-9]$|^6[0-9][0-9]$" "a_member_has_counted_the_faults_${event}"
	near "counts_in_samples_are_those_of_perf_${event}" "$(sum "$ours" $event)" "$(sum "$theirs" $event)" 20
done

# --- data addresses, weights

both -d -W -e page-faults:u -c 1 -- "$tmp/faults"
addresses() { fields "$1" addr | grep -o '500000[0-9a-f]*000' | sort -u; }
is "$(addresses "$ours" | wc -l)" 500 "every_page_has_its_address"
is "$(addresses "$ours")" "$(addresses "$theirs")" "addresses_are_those_of_perf"
is "$(fields "$ours" weight | sort -u)" "$(fields "$theirs" weight | sort -u)" "weights_are_those_of_perf"

# --- namespaces and switches

both --namespaces -e page-faults -c 100 -- sh -c 'unshare -u true 2>/dev/null; :'
of_tasks() { "$xprof" dump --type NAMESPACES -i "$1" | grep -c 'NAMESPACES  size'; }
near "namespaces_are_those_of_perf" "$(of_tasks "$ours")" "$(of_tasks "$theirs")" 1
both --switch-events -e page-faults -c 100 -- perl -e 'select(undef, undef, undef, 0.01) for 1 .. 20'
switches() { "$xprof" script --show-switch-events -i "$1" 2>/dev/null | grep -c 'PERF_RECORD_SWITCH.*OUT'; }
near "switches_are_recorded" "$(switches "$ours")" 30 12
near "switches_are_recorded_by_perf_as_often" "$(switches "$theirs")" 30 12

# --- thousands of threads

cat >"$tmp/many.c" <<'C'
#include <pthread.h>
#include <unistd.h>
static void *run(void *unused)
{
	for (;;)
		usleep(400000);
	return unused;
}
int main(void)
{
	pthread_attr_t small;
	pthread_t thread;

	pthread_attr_init(&small);
	pthread_attr_setstacksize(&small, 32768);
	for (int i = 0; i < 1999; i++)
		pthread_create(&thread, &small, run, 0);
	run(0);
}
C
"${CC:-cc}" -O1 -pthread -o "$tmp/many" "$tmp/many.c"
start "$tmp/many"
many=$pid
two_thousand() { [ "$(awk '/^Threads/ { print $2 }' "/proc/$many/status")" -eq 2000 ]; }
if wait_until 20 two_thousand; then
	status_is 0 "two_thousand_threads_are_recorded" "$xprof" record -e context-switches -c 1 -p "$many" -o "$ours" --duration 1.2
	ok "nearly_all_of_them_are_sampled" test "$(fields "$ours" tid | sort -u | wc -l)" -gt 1900
	# perf opens an event for each thread and CPU; xprof one more for their mappings, unless that is one too many.
	descriptors=$((2000 * $(getconf _NPROCESSORS_ONLN) + 500))
	# shellcheck disable=SC2317 # called by status_is
	limited() { bash -c 'ulimit -n "$0" && exec setpriv --bounding-set=-sys_resource "$@"' "$descriptors" "$@"; }
	if limited true 2>/dev/null && "$xprof" record -q -a -e context-switches -o "$ours" -- true 2>/dev/null; then
		status_is 0 "few_descriptors_are_enough_for_two_thousand_threads" limited "$xprof" record -e context-switches -c 1 \
			-p "$many" -o "$ours" --duration 1.2
		ok "nearly_all_of_them_are_sampled_then_too" test "$(fields "$ours" tid | sort -u | wc -l)" -gt 1900
		is "$(fields "$ours" comm | sort -u | tr -d ' ')" many "and_nothing_else"
	else
		skip "the limit on open files cannot be lowered, or the system not recorded" "few_descriptors"
	fi
	rm -f "$ours"
	start limited "$xprof" record -q -e context-switches -c 1 -p "$many" -o "$ours"
	recorder=$pid
	wait_until 20 test -s "$ours"
	kill -9 "$many"
	wait "$recorder"
	is $? 0 "the_recording_ends_with_its_threads"
else
	skip "no two thousand threads here" "thousands_of_threads"
fi
kill -9 "$many" 2>/dev/null
wait "$many" 2>/dev/null
done_testing
