#!/usr/bin/env bash
# 100,000 samples go through small rings of a played kernel, which are full and wrap around again and again: each comes out as
# it went in, for every recorder and reader.
set -u
# shellcheck source=test/e2e/lib.sh
. "$(dirname "$0")/lib.sh"
# shellcheck source=test/lib/played.sh
. "$(dirname "$0")/../lib/played.sh"
need_perf
need_player
cd "$tmp" || exit 1
samples=100000

# Sizes differ, so that records wrap at every offset: up to 8 branches, sometimes 32, and a chain of up to 7 addresses.
awk -v samples=$samples '
	BEGIN {
		print "machine intel-lbr32" >"wrap.play"
		for (i = 1; i <= samples; i++) {
			ip = 4194304 + i
			branches = brstack = chain = ""
			for (b = 0; b < (i % 50 ? i * 7 % 9 : 32); b++) {
				branch = sprintf("0x%x/0x%x/%s/-/-/%d", ip + b, ip + 2 * b, b % 2 ? "M" : "P", (i + b) % 65536)
				branches = branches (b ? "," : "branches=") branch
				brstack = brstack " " branch
			}
			frames = ""
			for (c = 0; c < 1 + i % 7; c++) {
				chain = chain sprintf(",0x%x", ip + 16 * c)
				frames = frames sprintf(" %x", ip + 16 * c)
			}
			printf "sample cpu=%d pid=77 tid=%d time=%d ip=0x%x period=%d %s chain=user%s\n", i % 2, 77 + i % 3,
				i * 1000, ip, i, branches, chain >"wrap.play"
			printf "%d %d%s%s\n", 77 + i % 3, i, frames, brstack >"expected"
		}
	}'

# RECORDER FILE READER: every sample with its thread, period, chain and branches, in order of time.
is_whole() {
	if [ "$3" = perf ]; then
		perf_quietly script -i "$2" -F tid,period,ip,brstack>out
	else
		"$xprof" script -i "$2" -F tid,period,ip,brstack>out 2>err
	fi
	# A sample begins with its thread and period; its chain follows, a frame a line, and then its branches.
	tr -s ' \t' ' ' <out | awk '
		/^ [0-9]+ [0-9]+ ?$/ && text != "" { print text; text = "" }
		{ sub(/ $/, ""); sub(/^ /, ""); gsub(/\/ /, " "); sub(/\/$/, ""); if ($0 != "") text = text (text == "" ? "" : " ") $0 }
		END { print text }' >got
	ok "$1_lost_and_changed_nothing, as $3 reads" cmp got expected
}

for recorder in perf xprof; do
	program=$recorder
	[ $recorder = xprof ] && program=$xprof
	status_is 0 "${recorder}_records" play wrap.play "$program" record --call-graph fp -b -F 1000 -e cycles -m 16 -o $recorder.data true
	unlike "$output" "kernel_player:" "all_samples_were_played_to_$recorder"
	is_whole $recorder $recorder.data perf
	is_whole $recorder $recorder.data xprof
done
done_testing
