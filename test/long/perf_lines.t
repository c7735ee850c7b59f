#!/usr/bin/env bash
# The command lines that perf's guides print (perf_lines.list), typed with xprof: if perf succeeds on this machine, xprof does,
# and if xprof does not do what a line asks for, it says so in a sentence. $TABLE names a file that gets a row for each line:
# source, perf's status, xprof's status, the line, and xprof's message if it refused.
set -u
# shellcheck source=test/e2e/lib.sh
. "$(dirname "$0")/../e2e/lib.sh"
need_perf
export HOME=$tmp # perf would keep copies of every program in ~/.debug
cd "$tmp" || exit
perf_quietly record -q -e cpu-clock -g -o probe.data true >/dev/null || skip_all "perf cannot record here"
table=${TABLE:-$tmp/table}
: >"$table"
printf '#include <stdlib.h>\nint main(void) { volatile unsigned long n = 0; while (n < 60000000) n++; return 0; }\n' >prog.c
gcc -O1 -g -o prog prog.c || skip_all "no compiler"
start sh -c 'while :; do :; done'
busy=$pid
cgroup=$(sed -n 's/^0::\///p' /proc/self/cgroup)

# TOOL LINE: types the line, shorter than the guide has it, with $tool in place of perf; its output is in $tool.out.
type_line() {
	local tool=$1 line=$2 status=0
	line=${line/#perf /"\$PROGRAM "}
	line=$(sed -E 's/sleep [0-9]+/sleep 0.3/; s/^(.* -F 99.*)$/\1/' <<<"$line")
	line=${line//CG/"${cgroup:-/}"}
	[ "$tool" != perf ] || PROGRAM=perf
	[ "$tool" = perf ] || PROGRAM=$xprof
	PROGRAM=$PROGRAM PID=$busy timeout -s INT 5 bash -c "$line" >"$tool.out" 2>"$tool.err" </dev/null || status=$?
	# Commands that record until they are stopped were stopped after five seconds.
	[ "$status" -ne 124 ] || status=0
	return "$status"
}

# A recording for the lines that read one, in a directory of the tool's own.
for tool in perf xprof; do
	mkdir "$tool.dir"
	"$xprof" record -q -F 997 -e cpu-clock -g -o "$tool.dir/perf.data" ./prog 2>/dev/null
	cp prog "$tool.dir/"
	cp "$tool.dir/perf.data" "$tool.dir/perf.data.old"
	cp "$tool.dir/perf.data" "$tool.dir/kept"
done

while IFS='|' read -r source line; do
	source=${source%% *} line=${line# }
	case $source in '#'* | '') continue ;; esac
	declare -A status=()
	for tool in perf xprof; do
		status[$tool]=0
		(cd "$tool.dir" && cp kept perf.data && type_line "$tool" "$line") || status[$tool]=$?
	done
	message=$(grep -v '^$' xprof.dir/xprof.err | head -1 | cut -c1-200)
	printf '%s\t%s\t%s\t%s\t%s\n' "$source" "${status[perf]}" "${status[xprof]}" "$line" "$message" >>"$table"
	if [ "${status[perf]}" -eq 0 ] && [ "${status[xprof]}" -ne 0 ] &&
		! grep -qE "^$(sed 's/[][\.*^$|(){}+?]/\\&/g' <<<"$line")\$" <(grep -v '^#' "$source_root/test/long/perf_lines.refused"); then
		tap_result 1 "$source: $line" "perf succeeds, xprof ends with ${status[xprof]}: $message"
	elif [ "${status[xprof]}" -ne 0 ]; then
		like "$message" '^xprof: .{20,}' "$source: $line: refused in a sentence"
	else
		tap_result 0 "$source: $line"
	fi
done <"$source_root/test/long/perf_lines.list"
figure "$(awk -F'\t' '$2 == 0 { perf++; both += $3 == 0 } END { printf "%d of the %d lines that perf takes", both, perf }' "$table")"
done_testing
