#!/usr/bin/env bash
# `xprof report -b` has the same rows as perf report: for recordings of other CPUs, and for one made here of a program with
# symbols and source lines.
#
# perf 6.1 writes some cells differently, which is evened out: it names the kernel of any recording by this machine's symbols
# unless told not to; it counts addresses within modules from their beginning; it gives the ends of a branch in -s
# addr_from,addr_to the privilege of the sample; and it crashes on a branch from nowhere in some orders.
set -u
# shellcheck source=test/e2e/lib.sh
. "$(dirname "$0")/lib.sh"
need_perf
here=$(cd "$(dirname "$0")" && pwd)
corpus=${CORPUS:-$source_root/../shared/corpus}

# Lines "OVERHEAD;SAMPLES;CELLS...": each distinct row of cells with its sum. perf prints a row more than once if its comparison
# has no order.
sum_rows() {
	grep -v '^#' | awk -F ';' '
		NF > 2 {
			row = ""
			for (i = 3; i <= NF; i++) {
				gsub(/^ +| +$/, "", $i)
				row = row ";" $i
			}
			sum[row] += $2
		}
		END { for (row in sum) print sum[row] row }' | LC_ALL=C sort
}

# FILE KEYS: perf's rows; for KEYS "default" those that it has by default. perf ends the keys with IPC if a symbol is among
# them. Only -w makes the last columns as wide as they must be.
perf_rows() {
	local keys=(-s "$2")
	[ "$2" != default ] || keys=()
	perf_quietly report -f --stdio --no-itrace -b -g none --no-demangle --ignore-vmlinux --kallsyms=/dev/null -n -t ';' \
		-w 0,0,60,60,60,60,60,60 "${keys[@]}" -i "$1" >"$tmp/perf.out" || return 1
	case $2 in
	*symbol*) sed 's/;[^;]*$//' "$tmp/perf.out" ;;
	*) cat "$tmp/perf.out" ;;
	esac | sum_rows
}

xprof_rows() {
	local keys=(-s "$2")
	[ "$2" != default ] || keys=()
	"$xprof" report -b -q --no-demangle -n -t ';' "${keys[@]}" -i "$1" | sum_rows
}

# KEYS: rows without the parts that perf writes differently.
evened_out() {
	case $1 in
	addr_*) sed -E 's/\[[.kH]\]/[?]/g' ;;
	*) sed -E 's/\[k\] (0x0000000000|0xffffffffc|0xffffffffa)[0-9a-f]*/[k] (module)/g' ;;
	esac | awk -F ';' -v OFS=';' '
		{ n = $1; $1 = ""; sum[$0] += n }
		END { for (row in sum) print sum[row] row }' | LC_ALL=C sort
}

# FILE KEYS NAME
same_rows() {
	if ! perf_rows "$1" "$2" >"$tmp/perf.rows"; then
		[ "$(wc -l <"$tmp/perf.out")" -gt 0 ] || {
			skip "perf crashes on $3" "the_rows_of_${3}_by_${2}_are_perfs"
			return
		}
	fi
	xprof_rows "$1" "$2" >"$tmp/xprof.rows"
	evened_out "$2" <"$tmp/perf.rows" >"$tmp/rows" && mv "$tmp/rows" "$tmp/perf.rows"
	evened_out "$2" <"$tmp/xprof.rows" >"$tmp/rows" && mv "$tmp/rows" "$tmp/xprof.rows"
	[ -s "$tmp/xprof.rows" ] || echo "no rows" >"$tmp/xprof.rows"
	ok "the_rows_of_${3}_by_${2}_are_perfs ($(wc -l <"$tmp/xprof.rows"))" diff "$tmp/perf.rows" "$tmp/xprof.rows"
}

# --- recordings of other CPUs ---------------------------------------------------------------------------

files="autofdo/perf-kernel.data autofdo/propeller_sample_1.perfdata1 autofdo/test.lbr
	quipper/perf.data.branch_stack_hw_index quipper/perf.data.branch_stack_spec
	quipper/perf.data.callgraph_and_branch-3.8 perfparser/vector_static_gcc/perf.lbr.data
	derived-be/branch-cg-3.8.be.data"
if [ -f "$corpus/INDEX.tsv" ]; then
	for file in $files; do
		for keys in default mispredict,in_tx,abort,cycles,comm dso_from,dso_to comm,pid,dso addr_from,addr_to; do
			case $keys,$file in
			addr_*callgraph* | addr_*branch-cg*) continue ;; # addresses in modules, which perf counts differently
			esac
			same_rows "$corpus/$file" "$keys" "${file##*/}"
		done
	done
else
	skip "no corpus in $corpus" "the_rows_of_other_peoples_recordings_are_perfs"
fi

# --- one made here -------------------------------------------------------------------------------------

cd "$tmp" || exit 1
if [ "$(uname -m)" != x86_64 ] || ! command -v python3 >/dev/null || ! command -v gcc >/dev/null; then
	skip "python3, gcc and x86-64 are needed" "the_rows_of_a_program_with_symbols_are_perfs"
	done_testing
	exit
fi
cp "$source_root/test/e2e/programs/loop.c" .
gcc -g -O1 -fcf-protection=none -nostdlib -static -o loop loop.c || exit 1
# Each jump, call and return of the program to the beginning of each other one's function, with different flags.
objdump -d --no-show-raw-insn loop | awk '
	$2 ~ /^(j|call|ret)/ { sub(":", "", $1); from[++count] = $1 }
	$2 == "<add>:" || $2 == "<_start>:" { to[++targets] = $1 }
	END {
		split("P M - X XA", flags, " ")
		for (i = 1; i <= count; i++)
			for (j = 1; j <= targets; j++)
				print to[j], from[i] "/" to[j] "/" flags[(i + j) % 5 + 1] "/" i % 3, from[j] "/" from[i] "/P/7"
	}' >lines
python3 "$here/branch_data.py" loop.data loop <lines || exit 1
for keys in default symbol_from,symbol_to,mispredict symbol_from,dso,sym srcline_from,srcline_to addr_from,addr_to in_tx,abort; do
	same_rows loop.data "$keys" a_program_with_symbols
done
like "$("$xprof" report -b -q -i loop.data)" "loop.* \[\.\] add .* \[\.\] _start" "functions_have_names"
like "$("$xprof" report -q -s srcline_from -i loop.data)" "loop.c:1[0-9]" "a_key_of_branches_shows_branches_without_-b"
is "$("$xprof" report -b --json -i loop.data | python3 -c 'import json, sys; print(json.load(sys.stdin)["events"][0]["total"]["samples"])')" \
	"$(awk '{ n += NF - 1 } END { print n }' lines)" "each_branch_counts_one"

sed 's/ .*//' lines >plain
python3 "$here/branch_data.py" empty.data loop <plain || exit 1
is "$("$xprof" report -b -q -i empty.data)" "" "samples_without_branches_make_no_rows"
"$xprof" record -q -o plain.data -e cpu-clock:u -- true 2>/dev/null && {
	status_is 1 "without_branch_stacks_-b_is_refused" "$xprof" report -b -i plain.data
	like "$output" "no sample has branches; branches are recorded with 'xprof record -b'" "with_the_option_that_records_them"
	status_is 1 "and_so_are_the_keys_of_branches" "$xprof" report -s cycles -i plain.data
}
done_testing
