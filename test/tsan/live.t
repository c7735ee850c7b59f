#!/usr/bin/env bash
# Recordings of the whole system and of a program with threads, each made in another way, and all views of them.
set -u
# shellcheck source=test/e2e/lib.sh
. "$(dirname "$0")/../e2e/lib.sh"
# shellcheck source=test/tsan/lib.sh
. "$(dirname "$0")/lib.sh"
need_recording -a -g
cd "$tmp" || exit

# Proves that the check works: it detects two threads that write to one variable.
cat >racy.c <<'END'
#include <pthread.h>

static int counter;

static void *count(void *context)
{
	for (int i = 0; i < 100000; i++)
		counter++;
	return context;
}

int main(void)
{
	pthread_t other;

	if (pthread_create(&other, NULL, count, NULL))
		return 1;
	count(NULL);
	pthread_join(other, NULL);
	return 0;
}
END
gcc -fsanitize=thread -O1 -g -o race racy.c -pthread
status_is 66 "a_race_is_seen" env TSAN_OPTIONS=exitcode=66 ./race

# The workload with threads, and processes that come and go.
cat >work.sh <<END
"$demo" 1 4 >truth &
for ((i = 0; i < 30; i++)); do /bin/true; done
wait
END

record() { # NAME OPTION...
	local name=$1
	shift
	races_not "record $*" "$xprof" record "$@" -o "$name.data" -- bash work.sh
	ok "has samples" test "$("$xprof" report -i "$name.data" --stats 2>/dev/null | awk '$1 == "SAMPLE" { print $3; exit }')" -gt 0
}
record system -F 499 -a -g
record kernel_copies -F 499 -a -g --no-bpf -z
record compressed -F 499 -a -g -z
record dumped -F 499 --call-graph dwarf
record threads -F 999 -a -g --threads
record threads_dumped -F 499 -a --no-bpf -g --threads
record every_event -e context-switches,page-faults -c 1 -g
races_not "record to a pipe" bash -c "'$xprof' record -a -g -F 499 -o - -- bash work.sh >piped.data"

for name in system compressed dumped; do
	races_not "report -g of $name" "$xprof" report -i $name.data --stdio -g
	like "$(cat out)" 'workload' "has rows"
	races_not "script of $name" "$xprof" script -i $name.data
	like "$(cat out)" 'workload' "has samples"
done
races_not "report of a pipe" bash -c "'$xprof' report -i - --stdio <piped.data"
races_not "report of every event" "$xprof" report -i every_event.data --stdio
races_not "report without dumps" "$xprof" report -i kernel_copies.data --stdio --no-children
races_not "report as JSON" "$xprof" report -i system.data --json
races_not "report by source lines" "$xprof" report -i dumped.data --stdio --sort srcline
races_not "report by threads and time" "$xprof" report -i system.data --stdio --sort comm,tid,cpu
races_not "flamegraph" "$xprof" flamegraph -i system.data -o flame.html
ok "has a page" test -s flame.html
# Long enough that the thread that writes has begun.
for format in perf-script csv firefox; do
	races_not "export $format" "$xprof" export -q --format=$format -i threads.data -o exported
	ok "has output" test "$(stat -c %s exported)" -gt 4096
done
ok "has more than one piece of output" test "$("$xprof" export -q --format=csv -i threads.data -o - | wc -c)" -gt 500000
races_not "diff" "$xprof" diff system.data compressed.data
races_not "diff --unwind" "$xprof" diff --unwind dumped.data
races_not "archive" "$xprof" archive -i dumped.data -o dumped.tar.zst
races_not "report of an archive" "$xprof" report -i dumped.tar.zst --stdio
races_not "convert" "$xprof" convert compressed.data converted.data
races_not "dump" "$xprof" dump compressed.data
done_testing
