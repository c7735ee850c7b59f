#!/usr/bin/env bash
# One evidence per sample: the recording of -g gives the same stacks as everything that the kernel delivered, in fewer bytes,
# and perf reads it.
set -u
# shellcheck source=test/e2e/lib.sh
. "$(dirname "$0")/lib.sh"
need_recording -e cpu-clock -g
reduce=$build/test/evidence/reduce
[ -x "$reduce" ] || skip_all "$reduce is not built"

# FILE [OPTION...]: all stacks with their weights.
stacks() {
	local data=$1
	shift
	"$xprof" report -i "$data" --folded "$@" 2>"$tmp/report.err" | sort
}

# FILE [OPTION...]: how the stacks end.
ends() {
	local data=$1
	shift
	"$xprof" report -i "$data" --stacks --no-pager "$@" 2>/dev/null
}

# NAME COMMAND...: recorded with everything; then the same samples with less.
same_stacks() {
	local name=$1 option
	shift
	"$xprof" record -q -e cpu-clock -F 999 --call-graph "auto$dump" --evidence=all -o "$tmp/all.data" -- "$@" >/dev/null 2>&1
	diag "$name: $("$reduce" "$tmp/all.data" "$tmp/least.data")"
	for option in --unwind=auto --unwind=dwarf --no-join-stacks; do
		stacks "$tmp/all.data" $option >"$tmp/expected"
		stacks "$tmp/least.data" $option >"$tmp/got"
		ok "$name: there are stacks to compare ($(wc -l <"$tmp/expected"))" test -s "$tmp/expected"
		ok "$name: the same stacks from the least evidence, $option" cmp -s "$tmp/expected" "$tmp/got"
	done
	is "$(ends "$tmp/least.data")" "$(ends "$tmp/all.data")" "$name: they end for the same reasons"
	ok "$name: it is less" test "$(stat -c %s "$tmp/least.data")" -lt "$(stat -c %s "$tmp/all.data")"
	diag "$name: without evidence: $("$reduce" "$tmp/all.data" "$tmp/none.data" none)"
	stacks "$tmp/none.data" --no-join-stacks >"$tmp/got"
	ok "$name: the same stacks without evidence" cmp -s "$tmp/expected" "$tmp/got"
	is "$(ends "$tmp/none.data" --no-join-stacks | sed -E 's/ +[0-9]+( +[^ ]+)$/\1/')" \
		"$(ends "$tmp/all.data" --no-join-stacks | sed -E 's/ +[0-9]+( +[^ ]+)$/\1/')" \
		"$name: they end for the same reasons without evidence"
}

cat >"$tmp/linked.c" <<'EOF'
#include <pthread.h>
static volatile unsigned long sink;
__attribute__((noinline)) static void leaf(unsigned n)
{
	for (unsigned i = 0; i < n; i++)
		sink += i * i;
}
__attribute__((noinline)) static void down(unsigned n, int depth)
{
	if (depth > 0)
		down(n, depth - 1);
	else
		leaf(n);
	sink++;
}
static void *work(void *rounds)
{
	for (long i = 0; i < (long)rounds; i++)
		down(10000, 5 + i % 3);
	return rounds;
}
int main(void)
{
	pthread_t thread;
	pthread_create(&thread, 0, work, (void *)30000L);
	work((void *)30000L);
	pthread_join(thread, 0);
	return 0;
}
EOF

dump=
same_stacks "no frame pointers" "$demo" 1 2
dump=,1024
same_stacks "deeper than the dump" "$demo" 1
dump=
# shellcheck disable=SC2016 # for the shell that is recorded
same_stacks "processes that come and go" sh -c 'i=0; while [ $i -lt 25 ]; do i=$((i + 1)); /bin/ls -lR /usr/include | sort >/dev/null; done'
! command -v python3 >/dev/null ||
	same_stacks "an interpreter" python3 -c 'import json; [json.dumps(list(range(i))) for i in range(1500)]'

# Optimized code keeps no frame pointer in functions that call nothing: the chain lacks their callers.
if cc -O0 -fno-omit-frame-pointer -o "$tmp/linked" "$tmp/linked.c" -pthread 2>/dev/null; then
	same_stacks "frame pointers" "$tmp/linked"
	output=$("$xprof" record -v -e cpu-clock -F 999 -g -o "$tmp/linked.data" -- "$tmp/linked" 2>&1)
	chains=$(sed -nE 's/.*user stacks: ([0-9]+) as addresses only.*/\1/p' <<<"$output")
	samples=$(sed -nE 's/.*: ([0-9,]+) samples in.*/\1/p' <<<"$output" | tr -d ,)
	ok "where frame pointers are kept, nine tenths of the stacks are chains ($chains of $samples)" \
		test "$((10 * ${chains:-0}))" -ge "$((9 * ${samples:-1}))"
	# 8 bytes a frame beside the 100 of header, ids, counts; mappings come on top
	ok "a sample with its stack takes less than 400 bytes" \
		test "$(stat -c %s "$tmp/linked.data")" -lt "$((400 * ${samples:-0} + 100000))"
	like "$(ends "$tmp/linked.data" | head -1)" "\((99\.[5-9]|100\.)[0-9]*%\)" "and reaches the start of its thread"
	if command -v perf >/dev/null; then
		is "$(perf_samples "$tmp/linked.data")" "$samples" "perf counts the same samples"
		perf_quietly script -i "$tmp/linked.data" --no-inline -F ip,sym >"$tmp/script"
		is "$(awk 'BEGIN { RS = "" } gsub(/ leaf(\n|$)/, "&") > 1' "$tmp/script" | wc -l)" 0 \
			"perf shows no stack twice"
		ok "perf shows them up to the start" test "$(grep -cE " _start$" "$tmp/script")" -gt "$((samples / 4))"
	fi
fi

# perf takes words that it cannot read from a dump for ffffffffffffffff; some are left for stacks without a start.
if command -v perf >/dev/null && cc -O1 -fomit-frame-pointer -o "$tmp/unlinked" "$tmp/linked.c" -pthread 2>/dev/null; then
	"$xprof" record -q -e cpu-clock -F 999 -g -o "$tmp/unlinked.data" -- "$tmp/unlinked" >/dev/null 2>&1
	perf_quietly script -i "$tmp/unlinked.data" --no-inline -F ip,sym >"$tmp/script"
	begun=$(grep -cE ' _start$' "$tmp/script")
	lost=$(grep -c '^[[:space:]]*ffffffffffffffff ' "$tmp/script")
	ok "perf reads all that was left of the dumps, up to the start ($begun starts, $lost lost)" test "$((100 * lost))" -lt "$begun"
fi

output=$("$xprof" record -v -e cpu-clock -F 999 -g -o "$tmp/demo.data" -- "$demo" 1 2>&1 >/dev/null)
samples=$(sed -nE 's/.*: ([0-9,]+) samples in.*/\1/p' <<<"$output" | tr -d ,)
like "$output" "user stacks: [0-9]+ as addresses only, [0-9]+ as dumps up to the thread's start" "-v says what was written"
like "$(ends "$tmp/demo.data" | head -1)" "\((99\.[5-9]|100\.)[0-9]*%\)" "stacks of -g reach the start of their thread"
if command -v perf >/dev/null; then
	is "$(perf_samples "$tmp/demo.data")" "$samples" "perf counts the samples of -g"
	ok "perf unwinds what is left of the dumps" test \
		"$(perf_quietly script -i "$tmp/demo.data" --no-inline -F ip,sym | grep -cE ' (main|run_round)$')" -gt "$((samples / 2))"
fi
like "$("$xprof" record -g --evidence=some true 2>&1)" "neither least nor all nor none" "other words are refused"
done_testing
