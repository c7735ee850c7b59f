#!/usr/bin/env bash
# xprof diff: its differences are those of perf diff, a known one is found, chance is not taken
# for one, and nobody is left to believe an unfair comparison. Recordings are made here out of
# text, so that they are the same every time.
set -u
# shellcheck source=test/e2e/lib.sh
. "$(dirname "$0")/lib.sh"

corpus=${CORPUS:-$source_root/../shared/corpus}

# --- perf's differences ---------------------------------------------------------------------

# [OPTION...] OLD NEW: rows "BASELINE|DELTA|DSO" of the first event; nothing is 0. Without JIT code, which xprof
# matches whatever its process's number is. perf leaves the difference of what is in the old file only blank.
perf_rows() {
	perf_quietly diff -t '|' "$@" | awk -F'|' -v OFS='|' '
		/^# Event/ && ++events > 1 { exit }
		!/^#/ && !/JIT/ && NF { gsub(/[ %+]/, ""); print $1 + 0, $2 == "" ? -$1 : $2 + 0, $3 }' | LC_ALL=C sort
}

xprof_rows() {
	"$xprof" diff --no-header --all --no-children -t '|' "$@" | awk -F'|' -v OFS='|' '
		/^# event/ && ++events > 1 { exit }
		!/^#/ && !/JIT/ && NF { gsub(/[ %+~]/, ""); print $1 + 0, $2 + 0, $4 }' | LC_ALL=C sort
}

# NAME OLD NEW
same_differences() {
	is "$(xprof_rows -s dso "$corpus/$2" "$corpus/$3")" "$(perf_rows -s dso "$corpus/$2" "$corpus/$3")" "$1"
}

if [ -d "$corpus" ] && command -v perf >/dev/null; then
	same_differences differences_are_those_of_perf pprofconv/single-event-single-process.perf.data \
		pprofconv/with-callchain.perf.data
	same_differences so_they_are_of_a_whole_system quipper/perf.data.systemwide.1-3.4 quipper/perf.data.systemwide.5-3.4
	same_differences and_of_many_processes quipper/perf.data.forkexit-3.4 quipper/perf.data.forkexit-3.8
	same_differences and_of_few_samples quipper/perf.data.busy.0-3.4 quipper/perf.data.busy.1-3.4
	same_differences and_of_a_file_and_itself quipper/perf.data.busy.1-3.4 quipper/perf.data.busy.1-3.4
	like "$("$xprof" diff "$corpus/quipper/perf.data.busy.1-3.4" "$corpus/quipper/perf.data.busy.1-3.4")" \
		"# 0 of [0-9]+ rows differ by more than chance" "a_file_does_not_differ_from_itself"
else
	skip "no corpus, or no perf" differences_are_those_of_perf
fi

done_testing
