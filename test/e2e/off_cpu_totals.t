#!/usr/bin/env bash
# Of each thread, the time on the CPU, on the run queue and blocked add up to the time that it lived.
set -u
# shellcheck source=test/e2e/lib.sh
. "$(dirname "$0")/lib.sh"
programs=$(cd "$(dirname "$0")" && pwd)/programs
cd "$tmp" || exit

"$xprof" record -q --off-cpu -e cpu-clock -o probe.data -- true 2>probe.err || skip_all "no waits here: $(head -1 probe.err)"
gcc -O2 -pthread -o thread_times "$programs/thread_times.c" || exit

# KIND lived= on= off= parts=: the two sums, divided by the life.
add_up() {
	awk 'NR == FNR { sum[$1, $3 ~ /offcpu/ ? "off" : "on"] += $2; next }
		{ printf "%s lived=%.0f on=%.0f off=%.0f parts=%.4f\n", $2, $3, sum[$1, "on"], sum[$1, "off"],
			(sum[$1, "on"] + sum[$1, "off"]) / $3 }' script.txt lives.txt
}
is_whole() { # KIND lived= on= off= parts=
	awk -v parts="${5#parts=}" 'BEGIN { exit !(parts >= 0.99 && parts <= 1.01) }'
}
all_are_whole() {
	local line
	while read -ra line; do is_whole "${line[@]}" || return; done <totals.txt
}

# A sum of cpu-clock is right up to a period each time that the thread gets the CPU, and waits that are shorter than a period are
# sampled by chance. On a busy machine there are many of both, so the best of a few tries counts.
for _ in 1 2 3 4 5 6; do
	"$xprof" record -q --off-cpu=100us -e cpu-clock -F 4000 -o times.data -- ./thread_times 2 >lives.txt
	"$xprof" script -F tid,period,event -i times.data >script.txt 2>/dev/null
	add_up >totals.txt
	all_are_whole && break
done
sed 's/^/# /' totals.txt
is "$(cut -d' ' -f1 totals.txt | sort | uniq -c | awk '{ print $2 "=" $1 }' | paste -sd' ')" "blocked=1 computes=3 mixes=1 sleeps=1" "all_threads_are_there"
number=0
while read -ra line; do
	number=$((number + 1))
	ok "thread_${number}_${line[0]}_for_as_long_as_it_lived" is_whole "${line[@]}"
done <totals.txt
done_testing
