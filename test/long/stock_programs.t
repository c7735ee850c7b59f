#!/usr/bin/env bash
# How many stacks of stock programs reach the start of their thread, as 'xprof record -g' records them by default, beside perf's
# own stacks from dumps of 64 KiB. The programs and their work: stock_programs.list. A program below 99.5% has to stand in
# stock_programs.exceptions, with the reason and its minimum share.
#
#   ONLY='clang java'   records these only
#   SECONDS_EACH=4      how long each is recorded
#   PERF_TOO=           leaves perf out
#   TABLE=FILE          keeps the table
set -u
# shellcheck source=test/e2e/lib.sh
. "$(dirname "$0")/../e2e/lib.sh"

command -v python3 >/dev/null || skip_all "python3 is not installed"
need_recording -g
here=$source_root/test/long
only=${ONLY-}
each=${SECONDS_EACH:-4}
perf_too=${PERF_TOO-yes}
command -v perf >/dev/null || perf_too=
table=${TABLE:-$tmp/table}
export XPROF=$xprof
mkdir "$tmp/work" && bash "$here/stock_programs.sh" "$tmp/work" >"$tmp/prepare.log" 2>&1

# COMMAND: runs it for some seconds; all processes that it started end with it.
work() {
	printf 'cd "%s" && exec >/dev/null 2>&1 </dev/null\n%s\n' "$tmp/work" "$1" >"$tmp/command.sh"
}

# JSON on standard input: "STACKS ROOTED WORST-END KERNEL-ONLY".
count_rooted() {
	python3 -c '
import collections, json, sys
ends = collections.Counter()
for event in json.load(sys.stdin)["events"]:
    for stack in event["stacks"]:
        ends[stack["end"]] += stack["samples"]
kernel = ends.pop("no_chain", 0)
total, rooted = sum(ends.values()), ends.pop("root", 0)
print(total, rooted, ",".join("%s:%d" % e for e in ends.most_common(3) if e[1]) or "-", kernel)'
}

# perf script on standard input: "STACKS ROOTED". A chain of perf counts as whole if it ends where threads begin, or in the C
# library's caller of main(), beyond which perf often finds nothing.
count_perf() {
	awk '
		function done() { if (user) { stacks++; if (last ~ /^(_start|__libc_start_call_main|__?clone3?|start_thread|thread_start|_rt0_|runtime\.(mstart|goexit|rt0_go))/ || before ~ /__libc_start_main/ || dso ~ /\/ld-/) rooted++ } user = 0; last = before = "" }
		/^\t/ { before = last; last = $2; dso = $NF; if ($1 !~ /^ffff/) user = 1; next }
		/^$/ { next }
		{ done() }
		END { done(); print stacks + 0, rooted + 0 }'
}

# NAME: its expected minimum share.
least_share() {
	awk -F' *[|] *' -v name="$1" '$1 == name { print $2; found = 1 } END { if (!found) print 99.5 }' "$here/stock_programs.exceptions"
}

printf '%-14s %8s %8s %9s %9s %9s  %s\n' program stacks rooted share 'bytes/smp' 'perf 64K' 'where the others end' >"$table"
all=0 all_rooted=0 missing=()
while IFS='|' read -r name need package command; do
	read -r name need package <<<"$name $need $package"
	case $name in '' | '#'*) continue ;; esac
	[ -z "$only" ] || [[ " $only " == *" $name "* ]] || continue
	if ! command -v "$need" >/dev/null && ! [ -e "$need" ]; then
		missing+=("$package")
		continue
	fi
	work "$command"
	"$xprof" record -q -F 499 -g -o "$tmp/stock.data" -- timeout "$each" bash "$tmp/command.sh" 2>"$tmp/record.err"
	read -r stacks rooted ends _ < <("$xprof" report -i "$tmp/stock.data" --json --no-pager 2>/dev/null | count_rooted)
	size=$(stat -c %s "$tmp/stock.data")
	perf_share=-
	if [ -n "$perf_too" ]; then
		perf_quietly record -q -F 99 --call-graph dwarf,65528 -o "$tmp/perf.data" -- timeout "$each" bash "$tmp/command.sh"
		read -r perf_stacks perf_rooted < <(PERF_CONFIG=/dev/null timeout 120 perf script --no-inline -i "$tmp/perf.data" -F comm,ip,sym,dso 2>/dev/null | count_perf)
		perf_share=$(awk -v r="$perf_rooted" -v n="$perf_stacks" 'BEGIN { if (n) printf "%.1f%%", 100 * r / n; else print "-" }')
	fi
	share=$(awk -v r="${rooted:-0}" -v n="${stacks:-0}" 'BEGIN { printf "%.2f", n ? 100 * r / n : 0 }')
	printf '%-14s %8d %8d %8s%% %9d %9s  %s\n' "$name" "$stacks" "$rooted" "$share" $((stacks ? size / stacks : 0)) "$perf_share" "$ends" >>"$table"
	least=$(least_share "$name")
	awk -v share="$share" -v least="$least" -v n="$stacks" 'BEGIN { exit !(n >= 100 && share + 0 >= least + 0) }'
	tap_result $? "$name: at least $least% of the stacks reach the start of their thread" "$(tail -1 "$table")"
	if [ "$least" = 99.5 ]; then
		all=$((all + stacks))
		all_rooted=$((all_rooted + rooted))
	fi
done <"$here/stock_programs.list"
printf '%-14s %8d %8d %8.2f%%\n' all $all $all_rooted "$(awk -v r=$all_rooted -v n=$all 'BEGIN { print n ? 100 * r / n : 0 }')" >>"$table"
diag "$(cat "$table")"
figure "$all_rooted of $all stacks reach the start of their thread"
[ ${#missing[@]} -eq 0 ] || diag "not installed: ${missing[*]}"
awk -v r=$all_rooted -v n=$all 'BEGIN { exit !(n && r >= 0.999 * n) }'
tap_result $? "over all programs without an exception at least 99.9%"
done_testing
