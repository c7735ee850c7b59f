#!/usr/bin/env bash
# If the kernel dumps stacks, the recorder reads the part above a dump from the process, and marks it.
set -u
# shellcheck source=test/e2e/lib.sh
. "$(dirname "$0")/lib.sh"
[ "$(uname -m)" = x86_64 ] || skip_all "needs x86-64"
cd "$tmp" || exit

cat >deep.c <<'END_OF_C'
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>
__attribute__((noinline, noclone)) static unsigned long leaf(unsigned long n)
{
	volatile unsigned long sum = 0;
	for (unsigned long i = 0; i < n; i++)
		sum += i;
	return sum;
}
__attribute__((noinline, noclone)) static unsigned long recurse(int depth, unsigned long n)
{
	volatile char room[112];
	room[depth % 112] = 1;
	return depth ? recurse(depth - 1, n) + room[depth % 112] : leaf(n);
}
/* deep TURNS [closed|exec] */
int main(int count, char **arguments)
{
	int turns = atoi(arguments[1]);
	char left[16] = { (char)('0' + turns - 1) };
	if (count > 2 && strcmp(arguments[2], "closed") == 0)
		prctl(PR_SET_DUMPABLE, 0);
	if (count > 2 && strcmp(arguments[2], "exec") == 0) {
		recurse(300, 20000000);
		if (turns > 1)
			execl("/proc/self/exe", "deep", left, "exec", (char *)NULL);
		return 0;
	}
	while (turns-- > 0)
		recurse(300, 100000000);
	return 0;
}
END_OF_C
gcc -O2 -fomit-frame-pointer -fno-optimize-sibling-calls -o deep deep.c # 300 calls take 45 KiB

record() { # NAME OPTIONS... -- COMMAND...: the output of -v is in NAME.said
	local name=$1
	shift
	"$xprof" record -v --no-bpf -g -e cpu-clock:u -F 997 -o "$name.data" "$@" >/dev/null 2>"$name.said"
}
continued_in() { # NAME: how many stacks the recorder continued
	sed -n 's/.*deeper than their dump: \([0-9]*\) continued.*/\1/p' "$1.said"
}
# Of the stacks of leaf(): those that are whole, those that reach main() by other calls, and all; then the stacks from recurse()
# itself to main(), which have fewer calls.
depths() { # NAME
	"$xprof" script -i "$1.data" -F ip,sym --no-inline 2>/dev/null |
		awk '/ leaf/ { leaf = 1 } /recurse/ { n++ } / main/ { main = 1 } /^$/ { if (leaf) { all++; if (main && n == 301) whole++; else if (main) wrong++ } else if (n && main) partway++; n = main = leaf = 0 }
			END { printf "%d %d %d %d\n", whole, wrong, all, partway }'
}

record deep -- ./deep 30 || skip_all "$(head -1 deep.said)"
ok "stacks_deeper_than_their_dump_are_continued" test "$(continued_in deep)" -gt 0
read -r whole wrong _ partway <<<"$(depths deep)"
ok "they_have_every_call" test $((whole + partway)) -ge "$(continued_in deep)"
is "$wrong" 0 "and_none_has_more_or_fewer"
"$xprof" script -i deep.data -F ip,sym >deep.script 2>/dev/null
like "$(grep -m 1 -A 1 '^# \[continued\]$' deep.script)" '^# \[continued\]'$'\n\t''.* recurse' "their_frames_above_the_dump_are_marked"
unlike "$(head -20 deep.script)" 'continued' "those_in_the_dump_are_not"
like "$("$xprof" report --stacks -i deep.data 2>/dev/null)" "# $(continued_in deep) \([0-9.]+%\) .*the rest was read from the process" "the_summary_of_stacks_counts_them"
like "$("$xprof" report --header -i deep.data 2>/dev/null)" "the rest was read from the process" "and_so_does_the_reports_header"
if command -v perf >/dev/null; then
	is "$(perf_quietly script --max-stack 1000 -i deep.data -F ip,sym | grep -c recurse)" "$("$xprof" script -i deep.data --no-join-stacks -F ip,sym 2>/dev/null | grep -c recurse)" \
		"perf_reads_as_many_frames"
else
	skip "perf is not installed" "perf_reads_as_many_frames"
fi

record cut --no-continue-stacks -- ./deep 4
is "$(continued_in cut)" "" "an_option_leaves_them_cut"
is "$(depths cut | cut -d' ' -f1)" 0 "so_that_none_is_whole"

record exec -- ./deep 9 exec
is "$(depths exec | cut -d' ' -f2)" 0 "no_frame_is_wrong_in_a_process_that_replaces_its_program"

if [ "$(id -u)" -eq 0 ] && command -v setpriv >/dev/null && chmod 755 . && cp "$xprof" xprof && mkdir theirs && chown 65534 theirs; then
	(cd theirs && exec setpriv --reuid=65534 --regid=65534 --clear-groups ../xprof record -v -g -e cpu-clock:u -F 997 -o closed.data -- ../deep 4 closed) >/dev/null 2>closed.said
	is $? 0 "a_process_that_may_not_be_read_is_recorded"
	cp theirs/closed.data closed.data
	is "$(continued_in closed)" 0 "without_the_frames_above_its_dumps"
	like "$(cat closed.said)" '[1-9][0-9]* not readable' "which_is_counted"
	like "$(cat closed.said)" 'dumped by the kernel: BPF programs may not be loaded' "and_why_the_kernel_dumps_is_said"
	is "$(depths closed | cut -d' ' -f1,2)" "0 0" "and_none_of_its_stacks_is_whole"
fi

# Programs that give up their stacks and build them again as fast as they can, compared with copies at the same samples.
judge=$build/test/continued/continued
if [ -x "$judge" ] && "$judge" true >probe 2>probe.said; then
	for program in rebuild alternate; do
		gcc -O2 -fomit-frame-pointer -fno-optimize-sibling-calls -o $program "$source_root/test/continued/programs/$program.c"
		"$judge" -F 1997 ./$program
	done >judged
	"$judge" -F 1997 ./deep 30 >>judged
	diag "$(cat judged)"
	is "$(awk '{ for (i = 1; i < NF; i += 2) sum[$i] += $(i + 1) }
		END { print (sum["continued"] > 0 && sum["wrong_unmarked"] * 20000 <= sum["unmarked"] && sum["wrong_marked"] * 1000 <= sum["marked"] ? "right" : "wrong") }' judged)" \
		right "of_the_continued_frames_at_most_one_in_1000_is_wrong"
else
	skip "$(cat probe.said 2>/dev/null)" "of_the_continued_frames_at_most_one_in_1000_is_wrong"
fi
done_testing
