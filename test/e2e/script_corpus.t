#!/usr/bin/env bash
# `xprof script` against `perf script`, file by file, on recordings of other people's tools: a table.
#
# Byte for byte; perf gets --no-inline and --no-itrace, and neither has the programs that were
# recorded. What perf itself fails on xprof must read, or say what is wrong, and not crash.
# Files that differ for a known reason:
#   perfparser/vector_static_gcc/perf.lbr.data   branch stacks without entries: perf prints one that
#                                                lies behind the sample's end
set -u
# shellcheck source=test/e2e/lib.sh
. "$(dirname "$0")/lib.sh"
need_perf
corpus=${CORPUS:-$source_root/../shared/corpus}
[ -f "$corpus/INDEX.tsv" ] || skip_all "no corpus in $corpus (CORPUS names another folder)"
explained=" perfparser/vector_static_gcc/perf.lbr.data "

compare() { # FILE: sets verdict; 0 when it is a good one
	local file=$corpus/$1 perf_status status lines different
	timeout 120 env PERF_CONFIG=/dev/null perf script --no-inline --no-itrace --symfs=/nonexistent -i "$file" \
		>"$tmp/perf.txt" 2>"$tmp/perf.err"
	perf_status=$?
	timeout 120 "$xprof" script --symfs=/nonexistent -i "$file" >"$tmp/xprof.txt" 2>"$tmp/xprof.err"
	status=$?
	lines=$(wc -l <"$tmp/xprof.txt")
	if [ $status -gt 1 ]; then
		verdict="xprof ends with status $status"
		return 1
	fi
	if [ $perf_status -ne 0 ]; then
		verdict="perf fails ($perf_status), xprof prints $lines lines"
		[ "$lines" -gt 0 ] || [ -s "$tmp/xprof.err" ] || return 1
		return 0
	fi
	different=$(diff "$tmp/perf.txt" "$tmp/xprof.txt" | grep -c '^[<>]')
	verdict="$lines lines, $different different"
	[ "$different" -eq 0 ] && return 0
	[[ $explained == *" $1 "* ]] && [ "$lines" = "$(wc -l <"$tmp/perf.txt")" ] && verdict+=" (explained)"
}

while IFS=$'\t' read -r file _; do
	verdict=
	if compare "$file"; then status=0; else status=1; fi
	tap_result $status "$file: $verdict" "$(diff "$tmp/perf.txt" "$tmp/xprof.txt" | head -6)"
done < <(tail -n +2 "$corpus/INDEX.tsv")
done_testing
