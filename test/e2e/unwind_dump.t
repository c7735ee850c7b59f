#!/usr/bin/env bash
# Stack dumps are unwound: every stack of the demo reaches the start of its thread with as many callers as the demo really has,
# in recordings of xprof and of perf.
set -u
# shellcheck source=test/e2e/lib.sh
. "$(dirname "$0")/lib.sh"
need_recording -e cpu-clock --call-graph dwarf

# FILE [OPTION...]: "WEIGHT frame;frame;…" of the demo's stacks, outermost first.
stacks() {
	local data=$1
	shift
	"$xprof" report --no-inline -i "$data" --folded --weight samples --comms workload "$@" 2>/dev/null |
		sed -E 's/^workload;(.*) ([0-9]+)$/\2 \1/'
}

# FUNCTION: how many frames each of its stacks has from run_round() down, each number once.
depths_of() {
	awk -v leaf="$1" '
		{ weight = $1; sub(/^[0-9]+ /, "") }
		$0 ~ ";" leaf "$" {
			sub(/^.*;run_round;/, "")
			print gsub(/;/, ";") + 1
		}' | sort -nu | tr '\n' ' '
}

# The share, in percent, of samples in user space whose stacks begin where a thread or the program does.
rooted() {
	awk '{ all += $1; if ($2 ~ /^(_start|clone3|__clone3|clone|__clone)(;|$)/) rooted += $1 }
		END { printf "%d", all ? 1000 * rooted / all : 0 }'
}

check_stacks() {
	local name=$1 data=$2 permille
	stacks "$data" >"$tmp/stacks"
	permille=$(rooted <"$tmp/stacks")
	ok "$name: stacks begin where their thread does (995 permille at least)" test "$permille" -ge 995
	is "$(depths_of shallow_c <"$tmp/stacks")" "1 " "$name: a function that is called directly"
	is "$(depths_of deep_c_leaf <"$tmp/stacks")" "202 " "$name: a recursion 200 deep"
	is "$(depths_of 'demo::Grid<double>::relax' <"$tmp/stacks")" "10 " "$name: through templates"
}

"$xprof" record -q -e cpu-clock -F 999 --call-graph dwarf,32768 -o "$tmp/xprof.data" -- "$demo" 1 >/dev/null
check_stacks "recorded by xprof" "$tmp/xprof.data"

# The demo's C half keeps no frame pointers, so their chain is not the same.
unlike " $(stacks "$tmp/xprof.data" --unwind=fp | depths_of deep_c_leaf)" " 202 " \
	"--unwind=fp follows frame pointers, which the demo's recursion does not keep"
is "$(stacks "$tmp/xprof.data" --unwind=dwarf)" "$(stacks "$tmp/xprof.data")" "--unwind=auto is dwarf where there is no chain"

# The second opinion is about the same recording. (test/unwind/engine_libdw_test.c compares with libdw on such stacks.)
if "$xprof" report -i "$tmp/xprof.data" --unwinder libunwind --top 1 >/dev/null 2>"$tmp/engine.err"; then
	is "$(stacks "$tmp/xprof.data" --unwinder libunwind | depths_of deep_c_leaf)" "202 " "libunwind finds the same callers"
else
	skip "$(cat "$tmp/engine.err")" "libunwind finds the same callers"
fi

# Several threads unwind if there are CPUs for them: the output does not depend on it. With and without joining, which depends
# on the order of samples, also in a recording with dumps that are too short for most stacks.
all_views() {
	for view in "report -g" "report --json" "report --stacks" "report --folded --no-join-stacks"; do
		# shellcheck disable=SC2086 # a command and its options
		$1 "$xprof" $view --no-inline -i "$2" 2>/dev/null
	done | cksum
}
one_cpu="taskset -c $(taskset -cp $$ | sed 's/.*: //; s/[-,].*//')"
"$xprof" record -q -e cpu-clock -F 999 --call-graph dwarf,2048 -o "$tmp/cut.data" -- "$demo" 1 >/dev/null
for data in xprof cut; do
	is "$(all_views "" "$tmp/$data.data")" "$(all_views "$one_cpu" "$tmp/$data.data")" \
		"$data.data: several threads unwind as one does"
done

# A dump of 512 bytes holds only a part of the recursion, and the header says so.
"$xprof" record -q -e cpu-clock -F 999 --call-graph dwarf,512 -o "$tmp/short.data" -- "$demo" 1 >/dev/null
like "$("$xprof" report -i "$tmp/short.data" --top 1 2>/dev/null)" "are deeper than their stack dump" \
	"stacks that are deeper than their dump are told"

# Nobody called the trampoline that a signal handler returns to: the code before it is another function, or none.
cat >"$tmp/signal.c" <<'EOF'
#include <signal.h>
#include <sys/time.h>

static volatile unsigned long sum;
static volatile int alarms;

static void on_alarm(int signal)
{
	alarms++;
	for (int i = 0; i < 3000000; i++)
		sum += (unsigned long)(i * signal);
}

__attribute__((noinline)) static int interrupted(void)
{
	while (alarms < 5)
		for (int i = 0; i < 1000000; i++)
			sum += (unsigned long)i;
	return (int)(sum & 1);
}

int main(void)
{
	struct itimerval every = { { 0, 20000 }, { 0, 20000 } };

	signal(SIGALRM, on_alarm);
	setitimer(ITIMER_REAL, &every, 0);
	return interrupted() & 0;
}
EOF
if "${CC:-cc}" -O1 -o "$tmp/signal" "$tmp/signal.c" 2>/dev/null; then
	"$xprof" record -q -e cpu-clock -F 999 --call-graph dwarf -o "$tmp/signal.data" -- "$tmp/signal" >/dev/null
	# The caller of on_alarm() as script prints it, with the offset in it: 0, if libc's symbols have a name for it.
	trampoline=$("$xprof" script -i "$tmp/signal.data" -F ip,sym,symoff 2>/dev/null |
		awk '/ on_alarm\+/ { getline; print $2; exit }')
	like "$trampoline" '^(.+\+0x0|\[unknown\])$' "a signal trampoline is where it begins"
	[ "$trampoline" != "[unknown]" ] || trampoline='\[libc[^;]*\]'
	like "$("$xprof" report -i "$tmp/signal.data" --folded 2>/dev/null)" \
		";main;interrupted;${trampoline%+0x0};on_alarm" "and has its name between what was interrupted and the handler"
else
	skip "no C compiler" "a signal trampoline is where it begins"
	skip "no C compiler" "and has its name between what was interrupted and the handler"
fi

if command -v perf >/dev/null &&
	perf_quietly record -q -N -B -e cpu-clock -F 999 --call-graph dwarf,32768 -o "$tmp/perf.data" -- "$demo" 1 >/dev/null; then
	check_stacks "recorded by perf" "$tmp/perf.data"
else
	skip "perf does not record here" "recorded by perf"
fi
# A handler with a stack of its own: the interrupted code's stack is another one, which no dump has, however large.
sed 's|signal(SIGALRM, on_alarm);|static char own[65536]; stack_t stack = { .ss_sp = own, .ss_size = sizeof(own) };\
	struct sigaction action = { .sa_handler = on_alarm, .sa_flags = SA_ONSTACK };\
	sigaltstack(\&stack, 0);\
	sigaction(SIGALRM, \&action, 0);|' "$tmp/signal.c" >"$tmp/alternate.c"
if "${CC:-cc}" -O1 -o "$tmp/alternate" "$tmp/alternate.c" 2>/dev/null; then
	"$xprof" record -q -e cpu-clock -F 999 --no-bpf -g -o "$tmp/alternate.data" -- "$tmp/alternate" >/dev/null
	header=$("$xprof" report -i "$tmp/alternate.data" --top 1 2>/dev/null)
	like "$header" "continue where no stack dump reaches" "a stack below a handler's own is out of reach"
	unlike "$header" "are deeper than their stack dump" "and no larger dump is proposed"
	like "$("$xprof" report -i "$tmp/alternate.data" --folded 2>/dev/null)" \
		"alternate;interrupted;[^;]*;on_alarm " "the interrupted function is known, its callers are not"
fi
# A page that was never touched cannot be copied, nor can the pages after it.
cat >"$tmp/untouched.c" <<'C'
#include <pthread.h>
static volatile unsigned long sum;
__attribute__((noinline)) static void busy(volatile char *room)
{
	room[0] = 1;
	for (unsigned long i = 0; i < 400000000; i++)
		sum += i;
}
static void *run(void *unused)
{
	volatile char room[40000];

	busy(room);
	return unused;
}
int main(void)
{
	pthread_t thread;

	return pthread_create(&thread, 0, run, 0) || pthread_join(thread, 0);
}
C
if "${CC:-cc}" -O1 -pthread -o "$tmp/untouched" "$tmp/untouched.c" 2>/dev/null; then
	"$xprof" record -q -e cpu-clock -F 999 --call-graph dwarf,65528 -o "$tmp/untouched.data" -- "$tmp/untouched" >/dev/null
	header=$("$xprof" report -i "$tmp/untouched.data" --top 1 2>/dev/null)
	like "$header" "continue where no stack dump reaches" "behind a page that was never touched no dump has anything"
	unlike "$header" "are deeper than their stack dump" "and no larger dump is proposed there, either"
fi

done_testing
