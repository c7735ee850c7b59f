#!/usr/bin/env bash
# `xprof convert` on recordings of other tools, file by file: the output reads the same as the input, each record byte by byte,
# plain, compressed and through a pipe; perf counts and prints the same, if it opens the original.
#
# With --compat all samples are there, and perf counts as many; a message says if samples lost fields.
#
# The comparison leaves out everything that belongs to the container: the places of records in the file, the records that a pipe
# has in place of a header, and features about how the file is stored.
set -u
# shellcheck source=test/e2e/lib.sh
. "$(dirname "$0")/lib.sh"
need_perf
corpus=${CORPUS:-$source_root/../shared/corpus}
[ -f "$corpus/INDEX.tsv" ] || skip_all "no corpus in $corpus (CORPUS names another folder)"
zstd=
! "$xprof" version --build-options | grep -q '^ *libzstd  *on ' || zstd=yes
export LC_ALL=C # names are bytes

# FILE: its records with all their bytes, one a line, without the kind and place of the line.
records_of() {
	timeout 60 "$xprof" dump --json --records --raw "$1" 2>/dev/null | cut -d, -f3- |
		sed 's/"compressed":true,//' | grep -vE '^"type":"HEADER_(ATTR|FEATURE|BUILD_ID|TRACING_DATA)"'
}

# FILE: its events and features, without an attribute's size, because zeros at its end come and go. In a pipe the names follow
# only after an event is shown.
header_of() {
	timeout 60 "$xprof" dump --json --header "$1" 2>/dev/null | grep -E '^\{"kind":"(event|feature)"' |
		grep -vE '"(COMPRESSED|DIR_FORMAT|AUXTRACE|INIT_MAP)"' |
		sed -E '/^\{"kind":"event"/s/"size":[0-9]+,//'"$(
			[ "$mode" != pipe ] || echo '; /^\{"kind":"event"/s/"name":"[^"]*",//'
		)"
}

# FILE: its records as perf counts them, without those of the container. In a pipe perf invents the modifiers of an event's
# name, in a file it reads them.
perf_stats() {
	timeout 60 env PERF_CONFIG=/dev/null perf report --stats -i "$1" 2>/dev/null |
		sed -E 's/ *\(.*%\)//; s/:[A-Za-z]+ stats:$/ stats:/' |
		grep -vE '(TOTAL|ATTR|FEATURE|BUILD_ID|TRACING_DATA|COMPRESSED) events:'
}

perf_script() { # FILE
	timeout 60 env PERF_CONFIG=/dev/null perf script --max-stack 10000 --no-inline --no-itrace --symfs=/nonexistent -i "$1" 2>/dev/null
}

# As many samples, for perf too if it opens the original. There is a message if some lost fields.
compat_is_good() { # IN
	convert --compat "$1" "$tmp/compat" || return
	grep '^"type":"SAMPLE"' "$tmp/records" >"$tmp/samples"
	[ "$(records_of "$tmp/compat" | grep -c '^"type":"SAMPLE"')" = "$(wc -l <"$tmp/samples")" ] || return
	! grep -qE '"(user_regs|intr_regs|user_stack_size|aux_size)"' "$tmp/samples" || [ -s "$tmp/said" ] || return
	! grep -q ' events:' "$tmp/stats" ||
		[ "$(perf_stats "$tmp/compat" | grep SAMPLE)" = "$(grep SAMPLE "$tmp/stats")" ]
}

convert() { # [OPTION...] IN OUT
	timeout 60 "$xprof" convert -q "$@" 2>"$tmp/said"
}

same() { # EXPECTED WHAT, and the actual text on standard input
	cat >"$tmp/got"
	cmp -s "$1" "$tmp/got" && return
	verdict="$2 differ"
	diff "$1" "$tmp/got" | cut -c1-300 | head -6 >"$tmp/difference"
	return 1
}

# FILE WHAT. An empty recording gets a round, so that it does not look like one that was killed.
same_records() {
	if [ -s "$tmp/records" ]; then
		records_of "$1"
	else
		records_of "$1" | grep -vx '"type":"FINISHED_ROUND","size":8,.*'
	fi | same "$tmp/records" "$2"
}

compare() { # FILE: sets verdict; 0 when it is a good one
	local file=$1 count
	if ! convert "$file" "$tmp/out"; then
		verdict="not converted: $(sed 's/.*: //' "$tmp/said")"
		[ -s "$tmp/said" ] && [ "$(records_of "$file" | grep -c SAMPLE)" = 0 ]
		return
	fi
	records_of "$file" >"$tmp/records"
	count=$(wc -l <"$tmp/records")
	header_of "$file" >"$tmp/header"
	same_records "$tmp/out" "records" || return
	# There may be more: the header now has the records' information about the file.
	header_of "$tmp/out" >"$tmp/new_header"
	grep -vxFf "$tmp/new_header" "$tmp/header" | same /dev/null "header" || return
	verdict="$count records"
	if [ -n "$zstd" ]; then
		convert -z "$file" "$tmp/small" || return
		same_records "$tmp/small" "records, compressed," || return
		verdict+=", $(stat -c %s "$tmp/out") bytes ($(stat -c %s "$tmp/small") compressed)"
	fi
	if convert "$file" - >"$tmp/pipe"; then
		same_records "$tmp/pipe" "records, in a pipe," || return
		verdict+=", a pipe"
	else
		grep -q "more than a record in a pipe can hold" "$tmp/said" || return
	fi
	perf_stats "$file" >"$tmp/stats"
	if grep -q ' events:' "$tmp/stats"; then
		perf_stats "$tmp/out" | same "$tmp/stats" "perf's counts" || return
		verdict+=", perf counts the same"
	else
		verdict+=", perf fails on the original"
	fi
	compat_is_good "$file" || return
	if perf_script "$file" >"$tmp/script" && [ -s "$tmp/script" ]; then
		perf_script "$tmp/out" | same "$tmp/script" "perf's script" || return
		verdict+=" and prints the same $(wc -l <"$tmp/script") lines"
	fi
}

while IFS=$'\t' read -r file _ mode _; do
	verdict="xprof fails: "
	: >"$tmp/difference"
	if compare "$corpus/$file"; then status=0; else status=1; fi
	rm -f "$tmp"/*.old
	tap_result $status "$file: $verdict" "$(cat "$tmp/said" "$tmp/difference")"
done < <(tail -n +2 "$corpus/INDEX.tsv")
done_testing
