#!/usr/bin/env bash
# Compares stacks of stock programs, as xprof unwinds them, with those that gdb finds in the same registers and stack bytes (see
# test/gdb/README.md). 99.5% of the frames that have call frame information have to agree.
#
#   ONLY='cc1plus go'   judges these only
#   SAMPLES_EACH=300    how many samples of each
#   KEEP=DIR            keeps the recordings and the stacks found in them
set -u
# shellcheck source=test/e2e/lib.sh
. "$(dirname "$0")/../e2e/lib.sh"

[ "$(uname -m)" = x86_64 ] || skip_all "the stub knows the registers of x86-64"
command -v gdb >/dev/null || skip_all "gdb is not installed"
command -v python3 >/dev/null || skip_all "python3 is not installed"
gdb -nx -batch -ex 'python print(1)' >/dev/null 2>&1 || skip_all "gdb cannot run Python"
need_recording -g --evidence=all
here=$source_root/test/long
judge=$source_root/test/gdb
count=${SAMPLES_EACH:-300}
out=${KEEP:-$tmp/judged}
mkdir -p "$tmp/inputs" "$out"
export XPROF=$xprof PYTHONDONTWRITEBYTECODE=1
bash "$here/stock_programs.sh" "$tmp/inputs" >"$tmp/prepare.log" 2>&1

programs='cc1plus clang++ rustc ghc ocamlopt make-j2 python3 perl ruby R sqlite3 postgres mariadb redis ffmpeg x264 convert openssl-aes
	openssl-old gpg git z3 java node'

# NAME: its command in stock_programs.list.
command_of() {
	awk -F'|' -v name="$1" '{ k = $1; gsub(/ /, "", k) } k == name { sub(/^[^|]*\|[^|]*\|[^|]*\|/, ""); print; exit }' "$here/stock_programs.list"
}
need_of() {
	awk -F' *[|] *' -v name="$1" '$1 == name { print $2; exit }' "$here/stock_programs.list"
}
# NAME COMMAND: records NAME.counts, with that program's samples. Addresses are not randomised, so that gdb need not load the
# files of each process anew. On a busy machine it takes longer until there are enough.
judge_command() {
	local name=$1 seconds
	printf 'cd "%s" && exec >/dev/null 2>&1 </dev/null\n%s\n' "$tmp/inputs" "$2" >"$tmp/command.sh"
	for seconds in 3 9 27; do
		"$xprof" record -q -F 397 -g --evidence=all -e cpu-clock -o "$out/$name.data" -- timeout $seconds setarch -R bash "$tmp/command.sh" 2>"$tmp/record.err"
		"$xprof" script -i "$out/$name.data" -F tid,time,ip,dso --ns --no-inline --no-pager >"$out/$name.script" 2>/dev/null
		[ "$(grep -c '^$' "$out/$name.script")" -lt "$count" ] || break
	done
	RECORDING=$out/$name.data COUNT=$count STUB=$judge/stub.py PYTHON=python3 VDSO=$tmp/vdso \
		timeout 600 gdb -nx -batch -x "$judge/backtraces.py" >"$out/$name.gdb" 2>"$out/$name.err"
	python3 "$judge/compare.py" "$out/$name.gdb" "$out/$name.script" >"$out/$name.counts"
}
# NAME: its counts of samples and frames, as a line of the table.
table_line() {
	awk -v name="$1" '$1 != "-" { n[$1] = $2 }
		END { printf "%-12s %7d %8d %8d %8.3f%% %8d %8d %8d %8d\n", name, n["samples"], n["cfi"], n["cfi_agree"], n["cfi"] ? 100 * n["cfi_agree"] / n["cfi"] : 0,
			n["bare"], n["bare_agree"], n["past_end"], n["unpaired"] }' "$out/$1.counts"
}

judged=()
missing=()
judge_one() { # NAME COMMAND
	[ -z "${ONLY-}" ] || [[ " $ONLY " == *" $1 "* ]] || return
	judge_command "$1" "$2"
	judged+=("$1")
	awk '$1 != "-" { n[$1] = $2 } END { exit !(n["samples"] >= 100 && n["unpaired"] <= n["samples"] / 50 && n["cfi_agree"] >= 0.99 * n["cfi"]) }' "$out/$1.counts"
	tap_result $? "$1: gdb finds the same callers where there is call frame information" "$(cat "$out/$1.counts" "$out/$1.err" "$tmp/record.err" | head -40)"
}
for name in $programs; do
	need=$(need_of "$name")
	if command -v "$need" >/dev/null || [ -e "$need" ]; then
		judge_one "$name" "$(command_of "$name")"
	else
		missing+=("$name")
	fi
done
if command -v go >/dev/null; then
	HOME=$tmp GOCACHE=$tmp/gocache go build -o "$tmp/inputs/trees" "$judge/trees.go" 2>"$tmp/go.err"
	judge_one go ./trees
else
	missing+=(go)
fi

diag "$(printf '%-12s %7s %8s %8s %9s %8s %8s %8s %8s' program samples 'with CFI' agree '' without agree past-end unpaired)"
for name in "${judged[@]}"; do diag "$(table_line "$name")"; done
for name in "${judged[@]}"; do cat "$out/$name.counts"; done >"$tmp/all"
totals=$(awk '$1 == "-" { n[$2 " " $3] += $5; next } { sum[$1] += $2 }
	END { printf "all: %d samples, %d of %d frames with call frame information agree (%.3f%%), %d of %d without\n", sum["samples"], sum["cfi_agree"], sum["cfi"], sum["cfi"] ? 100 * sum["cfi_agree"] / sum["cfi"] : 0, sum["bare_agree"], sum["bare"]
		for (class in n) printf "  %6d %s\n", n[class], class }' "$tmp/all")
diag "$totals"
figure "$(head -1 <<<"$totals")"
diag "$(python3 "$judge/compare.py" --explain)"
diag "to be looked into: $(awk '$1 == "-" && $2 == "cfi" && ($3 == "xprof-stops" || $3 == "another-caller") { print $3, $4, $5 }' "$tmp/all" | sort | uniq -c | sort -rn | head -20)"
[ ${#missing[@]} -eq 0 ] || diag "not installed: ${missing[*]}"
awk '$1 == "cfi" { all += $2 } $1 == "cfi_agree" { agree += $2 } END { exit !(all && agree >= 0.995 * all) }' "$tmp/all"
tap_result $? "over all programs 99.5% of the frames with call frame information agree"
[ -n "${ONLY-}" ] || ok "at least twelve programs were judged" test ${#judged[@]} -ge 12
done_testing
