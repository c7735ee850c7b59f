#!/usr/bin/env bash
# xprof report against perf report over the same recordings: sample counts and period sums of every event exactly, the top 20
# rows to 0.01 points, with children and without. Recorded by perf and by xprof, with the usual options.
set -u
# shellcheck source=test/e2e/lib.sh
. "$(dirname "$0")/lib.sh"
need_perf
# shellcheck disable=SC2119 # no options
need_recording

# COMMAND...: a report of perf or xprof with its columns in "|", event by event:
# "EVENT|COLUMN|COLUMN…", trimmed. Frames without a function are addresses, which the two
# write differently.
columns() {
	"$@" 2>/dev/null | awk -F'|' -v OFS='|' '
		/^# Samples: / { event = $0; sub(/^[^\047]*\047/, "", event); sub(/\047.*/, "", event) }
		/^#/ || NF < 2 { next }
		{
			for (i = 1; i <= NF; i++) {
				gsub(/^ +| +$/, "", $i)
				sub(/%$/, "", $i)
			}
			sub(/^\[.\] (0x)?0*/, "", $NF)
			print event, $0
		}'
}

perf_columns() {
	columns perf_quietly report --stdio -g none --no-inline -t '|' "$@"
}

xprof_columns() {
	columns "$xprof" report --no-inline --no-pager -t '|' "$@"
}

# "EVENT SAMPLES PERIOD" of each event
sums() {
	awk -F'|' '{ samples[$1] += $2; period[$1] += $3 }
		END { for (event in samples) printf "%s %d %.0f\n", event, samples[event], period[event] }' | sort
}

# Intended differences (doc/decisions/0005-return-addresses.md): a function without a name is one row, by its file and its
# start, or by its address in the file; perf has a row for each address, and for callers even for each process. And a return
# address belongs to the function that called. ld.so's _start ends with a call, so perf gives it to the following
# _dl_start_user. And perf 6.1 takes PLT entries to be in the order of their relocations, which is wrong if there are ifuncs.
meant() {
	awk -F'|' '$NF !~ /^[0-9a-f]*$/ && $NF !~ /\+0x[0-9a-f]+$/ && $NF !~ /^(_dl_start_user|_start|.*@plt)$/'
}

# PERF XPROF NUMBERS: rows "EVENT|NUMBER…|KEY…": each event's first 20 rows in either file; prints those that the other does not
# have within 0.01 points. Rows with equal keys (functions of one name) are told apart by their order.
differences() {
	awk -F'|' -v numbers="$3" '
		{
			key = $1
			for (i = 2 + numbers; i <= NF; i++)
				key = key "|" $i
			file = FILENAME == ARGV[1] ? 1 : 2
			key = key "#" ++seen[file, key]
			if (++rows[file, $1] <= 20)
				wanted[key]
			for (i = 2; i < 2 + numbers; i++)
				value[file, key, i] = $i
			known[file, key]
			line[file, key] = $0
		}
		END {
			for (key in wanted) {
				same = ((1, key) in known) && ((2, key) in known)
				for (i = 2; same && i < 2 + numbers; i++) {
					delta = value[1, key, i] - value[2, key, i]
					same = delta < 0.0101 && delta > -0.0101
				}
				if (!same)
					print "perf: " line[1, key] "   xprof: " line[2, key]
			}
		}' "$1" "$2"
}

# NAME FILE [children]: the three comparisons
agree() {
	local name=$1 file=$2 children=${3-} perf_sums xprof_sums rows
	perf_sums=$(perf_columns -i "$file" --no-children -s comm -F sample,period,comm | sums)
	xprof_sums=$(xprof_columns -i "$file" --no-children -s comm -F sample,period,comm | sums)
	is "$xprof_sums" "${perf_sums:-there are no samples}" "$name: samples and periods"

	perf_columns -i "$file" --no-children -F overhead,comm,dso,sym | meant >"$tmp/perf.rows"
	xprof_columns -i "$file" --no-children -F overhead,comm,dso,sym | meant >"$tmp/xprof.rows"
	rows=$(differences "$tmp/perf.rows" "$tmp/xprof.rows" 1)
	is "$rows" "" "$name: top 20 by self"
	[ -n "$children" ] || return 0

	perf_columns -i "$file" --children -F overhead_children,overhead,comm,dso,sym | meant >"$tmp/perf.rows"
	xprof_columns -i "$file" --children -F overhead_children,overhead,comm,dso,sym | meant >"$tmp/xprof.rows"
	rows=$(differences "$tmp/perf.rows" "$tmp/xprof.rows" 2)
	is "$rows" "" "$name: top 20 with children"
}

# NAME CHILDREN [OPTION...] -- COMMAND...: records with $recorder and compares. CHILDREN is "children" if there are stacks, else
# empty. -N: perf's build-id cache is shared with other perfs that run beside this test.
compare() {
	local name="$recorder $1" children=$2 status=0
	shift 2
	case $recorder in
	perf) perf_quietly record -q -N -o "$tmp/perf.data" "$@" >"$tmp/record.out" 2>&1 || status=$? ;;
	xprof) "$xprof" record -q -o "$tmp/xprof.data" "$@" >"$tmp/record.out" 2>&1 || status=$? ;;
	esac
	if [ $status -eq 0 ] || [ "$recorder" = xprof ]; then
		is $status 0 "$name: is recorded"
		agree "$name" "$tmp/$recorder.data" "$children"
	else
		skip "$recorder record fails with status $status" "$name"
	fi
}

# shellcheck disable=SC2016 # expanded by the workload
busy='i=0; while [ $i -lt 20000 ]; do i=$((i + 1)); done; for j in 1 2; do ls -lR /usr/lib >/dev/null; done'

# By frame pointers, because the two make different stacks from stack dumps.
for recorder in perf xprof; do
	compare -g children -F 2000 --call-graph fp -- sh -c "$busy"
	compare "without stacks" "" -F 2000 -- sh -c "$busy"
	compare "of three events" children -F 1000 --call-graph fp -e cpu-clock,task-clock,page-faults -- sh -c "$busy"
	compare -c "" -c 1000000 -e cpu-clock -- sh -c "$busy"

	start sh -c 'while :; do :; done'
	compare -p children -F 1000 --call-graph fp -p "$pid" -- sleep 1
	kill -9 "$pid" 2>/dev/null
	wait "$pid" 2>/dev/null

	if "$xprof" record -q -a -o "$tmp/probe.data" -- true 2>/dev/null; then
		compare -a children -F 500 --call-graph fp -a -- sh -c "$busy"
	else
		skip "this user may not record the whole system" "$recorder -a"
	fi
	if [ -r /sys/kernel/tracing/events/sched/sched_switch/id ] && [ "$(id -u)" -eq 0 ]; then
		compare "of tracepoints" children --call-graph fp -e sched:sched_switch,sched:sched_waking -- sh -c "$busy"
	else
		skip "tracepoints cannot be read" "$recorder of tracepoints"
	fi
done
done_testing
