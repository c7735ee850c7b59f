#!/usr/bin/env bash
# Recordings of other tools, file by file, as the program reads them: samples and period of each event, command names, threads
# and times, against the file's oracle. The table is printed in any case.
#
# An oracle has the output of perf 6.1, and, for all files, the counts of a separate reader ([pdinfo]). The latter decides if
# perf fails, and if the former says "(fixed period)": perf has not read the periods then. Hostile files must end in good time,
# with the readable part or a message, and do no harm.
set -u
# shellcheck source=test/e2e/lib.sh
. "$(dirname "$0")/lib.sh"
corpus=${CORPUS:-$source_root/../shared/corpus}
[ -f "$corpus/INDEX.tsv" ] || skip_all "no corpus in $corpus (CORPUS names another folder)"

# Turns lines "COMM TID SECONDS: PERIOD EVENT:", between which there may be callchains, into the figures that an oracle has for
# "perf script".
summarize() {
	awk '
		/^(\t.*)?$/ { next }
		!match($0, / +-?[0-9]+ +[0-9]+\.[0-9]+: /) { print "unparsed " $0; next }
		{
			comm = substr($0, 1, RSTART - 1)
			sub(/^ +/, "", comm)
			split(substr($0, RSTART, RLENGTH), who)
			event = substr($0, RSTART + RLENGTH)
			sub(/^ +/, "", event)
			period = event + 0
			sub(/^[0-9]+ +/, "", event)
			sub(/: *$/, "", event)
			samples[event]++
			periods[event] += period
			comms[comm]
			tids[who[1]]
			time = substr(who[2], 1, length(who[2]) - 1)
			if (first == "" || time + 0 < first + 0) first = time
			if (time + 0 > last + 0) last = time
		}
		END {
			for (event in samples)
				printf "event %s samples=%d period=%.0f\n", event, samples[event], periods[event]
			for (comm in comms) { comm_count++; print "comm " comm }
			for (tid in tids) tid_count++
			printf "comms %d\nthreads %d\n", comm_count, tid_count
			if (comm_count) print "time " first ".." last
		}' | LC_ALL=C sort
}

# The same for an oracle; comms only if it names all, which it does up to 40.
expected_by_perf() {
	awk '
		/^\[/ { section = $1 " " $2 }
		section ~ /pdinfo/ && /^event / && match($0, / samples=[0-9]+ period=[0-9]+/) {
			split(substr($0, RSTART, RLENGTH), counts)
			period_of[counts[1]] = counts[2]
		}
		section != "[perf script]" { next }
		/^event .*\(fixed period\)$/ {
			match($0, / samples=[0-9]+ /)
			counts[1] = substr($0, RSTART + 1, RLENGTH - 2)
			print substr($0, 1, RSTART) counts[1] " " period_of[counts[1]]
			next
		}
		/^event / { print }
		/^distinct_comms=/ {
			sub(/^distinct_comms=/, "")
			print "comms " $0 + 0
			if ($0 + 0 > 40) next
			sub(/^[^:]*: */, "")
			for (count = split($0, names, /'\''( '\''|$)|^'\''/); count > 0; count--)
				if (names[count] != "") print "comm " names[count]
		}
		/^distinct_tids=/ { sub(/^distinct_tids=/, "threads "); print }
		/^time [0-9]/ { print }
	' "$1" | LC_ALL=C sort
}

# [pdinfo] has its own names of events, and threads and command names of records without samples, too.
sums_of_events() {
	sed -nE 's/^event .* (samples=[1-9][0-9]*) (period=[0-9]+).*/\1 \2/p' | LC_ALL=C sort
}

expected_by_pdinfo() {
	sed -n '/^\[pdinfo\]/,/^\[perf/p' "$1" | sums_of_events
}

# The oracle of a file that perf cannot open was made after the file had been given other attrs, which name events differently.
without_event_names() {
	sed -E 's/^event .* (samples=)/event \1/' | LC_ALL=C sort
}

number_of() { # FIELD
	sed -n "s/^$1 //p" "$tmp/got"
}

# STATUS ORACLE KIND: sets verdict, and difference if it is a bad one.
judge() {
	local status=$1 oracle=$2
	difference=
	if [ "$status" -gt 1 ] || { [ "$status" -ne 0 ] && [ ! -s "$tmp/messages" ]; }; then
		verdict="ends with status $status"
		return 1
	fi
	if [[ $oracle == */quipper-fuzz__* ]]; then
		verdict="hostile: $(sed -E '1!d; s/^xprof: ([^ ]*\/[^ ]*: )?//' "$tmp/messages" | cut -c 1-60)"
		[ "$verdict" != "hostile: " ] || verdict="hostile, read without damage"
		return 0
	fi
	if grep -q '^\[perf script\]' "$oracle"; then
		verdict="as perf"
		expected_by_perf "$oracle" >"$tmp/expected"
		if [ "$3" = normalised ]; then
			without_event_names <"$tmp/expected" >"$tmp/unnamed" && mv "$tmp/unnamed" "$tmp/expected"
			without_event_names <"$tmp/got" >"$tmp/unnamed" && mv "$tmp/unnamed" "$tmp/got"
			verdict="as perf, of a copy that it opens"
		fi
		grep -q '^comm ' "$tmp/expected" || sed -i '/^comm /d' "$tmp/got"
	else
		verdict="as counted, perf fails"
		expected_by_pdinfo "$oracle" >"$tmp/expected"
		sums_of_events <"$tmp/got" >"$tmp/sums" && mv "$tmp/sums" "$tmp/got"
	fi
	[ ! -s "$tmp/messages" ] || verdict+=", with a message"
	difference=$(diff "$tmp/expected" "$tmp/got") && return 0
	verdict="DIFFERS"
	return 1
}

row() {
	table+=$(printf '%-60.60s %6s %8s %6s %7s  %s' "$@")$'\n'
}

table=
row file events samples comms threads verdict
while IFS=$'\t' read -r file kind; do
	timeout 120 "$xprof" script --no-pager -F comm,tid,time,event,period -i "$corpus/$file" \
		2>"$tmp/messages" >"$tmp/lines"
	status=$?
	summarize <"$tmp/lines" >"$tmp/got"
	columns=("$(grep -c '^event ' "$tmp/got")" "$(grep -c -v -P '^(\t.*)?$' "$tmp/lines")" "$(number_of comms)"
		"$(number_of threads)")
	judge $status "$corpus/oracle/${file//\//__}.txt" "$kind"
	tap_result $? "$file: $verdict" "$difference"
	row "$file" "${columns[@]}" "$verdict"
done < <(tail -n +2 "$corpus/INDEX.tsv" | cut -f 1,21)
diag "$table"
done_testing
