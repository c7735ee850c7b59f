#!/usr/bin/env bash
# xprof report and perf report print the same for the same file: sums exactly, and the twenty rows with the largest overhead. In
# both directions: files that xprof wrote, files that perf wrote.
set -u
# shellcheck source=test/e2e/lib.sh
. "$(dirname "$0")/lib.sh"
need_perf
need_recording -e cpu-clock

# Both programs understand these. With -t the columns are not padded to line up.
columns=(--no-children -F "overhead,sample,period,comm,dso,symbol" -t '|')

# Rows of a report, without padding and comments, with the number of the event in front:
# EVENT|OVERHEAD|SAMPLES|PERIOD|COMM|DSO|SYMBOL.
rows() {
	sed -E 's/[[:space:]]*\|[[:space:]]*/|/g; s/^[[:space:]]+//; s/[[:space:]]+$//' |
		awk '/^# Samples: .* of event/ { event++ } /^#/ || !NF { next } { print event + 0 "|" $0 }'
}

# NAME FILE
reports_are_equal() {
	local name=$1 data=$2 status
	PERF_CONFIG=/dev/null perf report -i "$data" --stdio -g none --no-inline "${columns[@]}" \
		>"$tmp/$name.out" 2>"$tmp/$name.err"
	status=$?
	if [ $status -gt 128 ] && [[ $name == perf_* ]]; then
		# perf 6.1 has little room for build-ids, and any program on this machine may have a long one.
		skip "perf report crashed on perf's own recording" "$name"
		return
	fi
	tap_result $status "${name}_is_read_by_perf" "$(cat "$tmp/$name.err")"
	rows <"$tmp/$name.out" >"$tmp/$name.perf"
	"$xprof" report --no-inline -i "$data" "${columns[@]}" 2>"$tmp/$name.err" | rows >"$tmp/$name.xprof"
	ok "${name}_has_rows_in_perf" test -s "$tmp/$name.perf"
	is "$(sums <"$tmp/$name.xprof")" "$(sums <"$tmp/$name.perf")" "${name}_has_the_same_samples_and_periods"
	is "$(differing_rows "$tmp/$name.perf" "$tmp/$name.xprof")" "" "${name}_has_the_same_twenty_first_rows"
}

sums() {
	awk -F '|' '
		{ samples[$1] += $3; period[$1] += $4 }
		END { for (event in samples) printf "event %s: %d samples, period %.0f\n", event, samples[event], period[event] }
	' | sort
}

# PERF_ROWS XPROF_ROWS: those of perf's first twenty that xprof lacks or counts differently. Rows are found by their names,
# because rows of equal overhead may come in any order; rows with the same names (two programs called sh) are added up, and so
# are all rows of a file without names, for which perf has a row for each address and xprof for each function. For unnamed code
# in memfd (any program on this machine may run from one) perf prints offsets, as of a file, and xprof the addresses that
# run-time compilers' perf maps use.
differing_rows() {
	awk -F '|' '
		$6 ~ /^memfd:/ && $7 ~ / 0x[0-9a-f]+$/ { next }
		$7 ~ /[ +]0x[0-9a-f]+$/ { $7 = "no name" }
		{ key = $1 "|" $5 "|" $6 "|" $7 }
		FILENAME == ARGV[1] { overhead[key] += $2; samples[key] += $3; period[key] += $4; next }
		!(key in expected_samples) && ++row[$1] <= 20 { top[key] }
		{ expected_overhead[key] += $2; expected_samples[key] += $3; expected_period[key] += $4 }
		END {
			for (key in top) {
				difference = overhead[key] - expected_overhead[key]
				if (samples[key] != expected_samples[key] || period[key] != expected_period[key] ||
				    (key !~ /no name$/ && (difference > 0.0101 || difference < -0.0101))) # sums of rounded shares
					printf "%s: perf %d samples, period %.0f, %.2f%%; xprof %d, %.0f, %.2f%%\n", key,
						expected_samples[key], expected_period[key], expected_overhead[key],
						samples[key], period[key], overhead[key]
			}
		}' "$2" "$1"
}

# PROGRAM NAME OPTION...: records the demo, and compares.
compare_recording() {
	local program=$1 name=$2 data=$tmp/$2.data
	shift 2
	if "$program" record -q "$@" -o "$data" -- "$demo" 1 >/dev/null 2>"$tmp/record.err"; then
		reports_are_equal "$name" "$data"
	elif [ "$program" = "$xprof" ]; then
		tap_result 1 "${name}_is_recorded" "$(cat "$tmp/record.err")"
	else
		# perf 6.1 aborts while another recorder on this machine asks for build-ids, see format/event.c.
		skip "the recording failed: $(tail -1 "$tmp/record.err")" "$name"
	fi
}

# PROGRAM NAME: attaches to a running process.
attach_with() {
	start "$demo" 20 >/dev/null
	"$1" record -q -e cpu-clock -F 1999 -g -p "$pid" -o "$tmp/$2.data" -- sleep 1
	kill "$pid" 2>/dev/null
	wait "$pid" 2>/dev/null
}

# Without a copy of every DSO in ~/.debug, and without build-ids (see above).
perf_without_build_ids() {
	local command=$1
	shift
	perf "$command" -N -B "$@"
}

for writer in xprof perf; do
	case $writer in
	xprof) program=$xprof ;;
	perf) program=perf_without_build_ids ;;
	esac
	compare_recording "$program" "${writer}_plain" -e cpu-clock -F 1999
	compare_recording "$program" "${writer}_call_chains" -e cpu-clock -F 1999 -g
	compare_recording "$program" "${writer}_system" -e cpu-clock -F 999 -a -g
	compare_recording "$program" "${writer}_two_events" -e cpu-clock,task-clock -F 999
	attach_with "$program" "${writer}_attached"
	reports_are_equal "${writer}_attached" "$tmp/${writer}_attached.data"
done

done_testing
