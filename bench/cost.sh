#!/usr/bin/env bash
# What recording whole stacks costs, of programs of three kinds and at three rates: the recorder's own CPU time (with
# the load of its BPF program), the CPU time of the recorded program, and the bytes of a sample. Recorders take turns,
# so that whatever else the machine is doing befalls all; medians are printed.
#
# XPROF_BEFORE=FILE adds another build of xprof, PERF_OTHER=FILE another perf.
# COST_PROGRAMS="clang java make", COST_RATES="99 999 4000" and COST_RECORDERS="xprof perf-dwarf" choose some.
#
# usage: cost.sh
set -eu
cd "$(dirname "$0")/.."
top=$PWD
xprof=$(realpath "${XPROF:-${BUILD:-build}/xprof}")
runs=${RUNS:-5}
work=$(realpath "${BUILD:-build}")/bench/cost
mkdir -p "$work"
cd "$work"
export CCACHE_DISABLE=1 # work that is not done is not recorded

# --- programs ------------------------------------------------------------------------------------------------

prepare_clang() {
	command -v clang++ >/dev/null || return 1
	cat >wide.cc <<'END'
#include <algorithm>
#include <iostream>
#include <map>
#include <sstream>
#include <string>
#include <vector>
template <int N> struct deep : deep<N - 1> { int v[N + 1]; int sum() const { int s = deep<N - 1>::sum(); for (int i : v) s += i; return s; } };
template <> struct deep<0> { int sum() const { return 1; } };
int main(int argc, char **argv)
{
	std::map<std::string, std::vector<int>> table;
	std::vector<std::string> out;
	for (int i = 0; i < argc; i++) { table[argv[i]].push_back(i); out.push_back(argv[i]); }
	std::sort(out.begin(), out.end(), [](auto &x, auto &y) { return x.size() < y.size(); });
	std::cout << deep<40>().sum() << out.size() << "\n";
}
END
}

prepare_java() {
	command -v javac >/dev/null || return 1
	cat >Words.java <<'END'
import java.util.*; import java.util.regex.*; import java.util.stream.*;
public class Words {
	static int fib(int x) { return x < 2 ? x : fib(x - 1) + fib(x - 2); }
	public static void main(String[] a) {
		Pattern p = Pattern.compile("([a-z]+)([0-9]+)");
		for (int r = 0; r < 40; r++) {
			List<String> l = IntStream.range(0, 60000).mapToObj(i -> "word" + i % 977).collect(Collectors.toList());
			Map<String, Long> n = l.stream().filter(w -> p.matcher(w).matches()).collect(Collectors.groupingBy(w -> w, TreeMap::new, Collectors.counting()));
			System.out.println(n.size() + fib(30));
		}
	}
}
END
	[ -s Words.class ] || javac Words.java
}

# shellcheck disable=SC2016 # for make to expand
# The smaller rooms of xprof itself, some 30 files.
prepare_make() {
	{
		echo "SOURCES := $(echo "$top"/src/base/*.c "$top"/src/text/*.c "$top"/src/process/*.c)"
		printf 'all: $(notdir $(SOURCES:.c=.o))\nvpath %%.c %s %s %s\n' "$top"/src/{base,text,process}
		printf '%%.o: %%.c\n\t$(CC) -std=gnu17 -O1 -D_GNU_SOURCE -I%s/src -c -o $@ $<\n' "$top"
	} >many.mk
}

command_of() {
	case $1 in
	clang) echo clang++ -std=c++17 -O2 -c wide.cc -o wide.o ;;
	java) echo java -Xmx256m -XX:+UseSerialGC Words ;;
	make) echo make -s -B -j2 -f many.mk ;;
	esac
}

# --- recorders --------------------------------------------------------------------------------------------------

# RECORDER RATE: the command in front of the program's, one word a line
recorder() {
	case $1 in
	none) ;;
	xprof) printf '%s\n' "$xprof" record -q -g -F "$2" -o xprof.data -- ;;
	before) printf '%s\n' "$XPROF_BEFORE" record -q -g -F "$2" -o before.data -- ;;
	perf-dwarf) printf '%s\n' perf record -q -B --call-graph dwarf -F "$2" -o perf-dwarf.data -- ;;
	perf-fp) printf '%s\n' perf record -q -B --call-graph fp -F "$2" -o perf-fp.data -- ;;
	other-dwarf) printf '%s\n' "$PERF_OTHER" record -q -B --call-graph dwarf -F "$2" -o other-dwarf.data -- ;;
	esac
}

recorders() {
	echo "none ${COST_RECORDERS:-xprof ${XPROF_BEFORE:+before }perf-dwarf perf-fp${PERF_OTHER:+ other-dwarf}}"
}

# NAME COMMAND...: its CPU time in milliseconds, with that of all children it waited for, into the file NAME
cpu_time() {
	local TIMEFORMAT='%3U %3S' name=$1
	shift
	{ time "$@" >/dev/null 2>"$name.log" </dev/null; } 2>"$name"
	awk '{ printf "%.0f\n", ($1 + $2) * 1000 }' "$name" >"$name.ms"
}

# shellcheck disable=SC2016 # for that shell to expand
# The recorded program is a shell that measures the program's time, and has next to none of its own.
inner='TIMEFORMAT="%3U %3S"; { time $1 >/dev/null 2>program.log; } 2>inner'

# RECORDER RATE PROGRAM: one run, as a line "RECORDER METRIC VALUE" for each metric
run_once() {
	local command prefix=() file=$1.data samples
	command=$(command_of "$3")
	mapfile -t prefix < <(recorder "$1" "$2")
	cpu_time outer "${prefix[@]}" bash -c "$inner" bash "$command" || {
		echo "cost: $1 failed: ${prefix[*]} $command: $(head -c 300 outer.log)" >&2
		return 1
	}
	awk -v name="$1" -v outer="$(cat outer.ms)" '{ inner = ($1 + $2) * 1000; print name, "program", inner
		if (name != "none") print name, "recorder", outer - inner }' inner
	[ "$1" != none ] || return 0
	samples=$("$xprof" dump --summary -i "$file" | awk '/type SAMPLE/ { print $4 }')
	echo "$1 bytes $(($(stat -c %s "$file") / (samples + !samples)))"
	echo "$1 samples $samples"
	rm -f "$file"
}

# Lines "RECORDER METRIC VALUE" to a table of medians, a row for each metric and a column for each recorder
table() {
	sort -k1,1 -k2,2 -k3,3n | awk -v order="$(recorders)" '
		{ key = $1 " " $2; values[key, ++count[key]] = $3 }
		function median(key, n) { n = count[key]
			return n ? n % 2 ? values[key, (n + 1) / 2] : (values[key, n / 2] + values[key, n / 2 + 1]) / 2 : "" }
		END {
			columns = split(order, names, " ")
			label["recorder"] = "recorder, CPU ms"; label["program"] = "program, CPU ms"
			label["bytes"] = "bytes a sample"; label["samples"] = "samples"
			for (m = split("recorder program bytes samples", metrics, " "); m; m--) ;
			for (m = 1; m in metrics; m++) {
				printf "  %-18s", label[metrics[m]]
				for (c = 1; c <= columns; c++) {
					value = median(names[c] " " metrics[m])
					printf " %12s", value == "" ? "-" : sprintf("%.0f", value)
				}
				print ""
			}
		}'
}

# --- all ----------------------------------------------------------------------------------------------------------

for program in ${COST_PROGRAMS:-clang java make}; do
	if ! "prepare_$program"; then
		echo "$program: not installed"
		continue
	fi
	for rate in ${COST_RATES:-99 999 4000}; do
		# shellcheck disable=SC2046 # a column for each
		printf "\n$program, %s Hz, $runs runs\n  %-18s$(printf ' %%12s%.0s' $(recorders))\n" "$rate" "" $(recorders)
		for ((run = 0; run < runs; run++)); do
			for name in $(recorders); do
				run_once "$name" "$rate" "$program"
			done
		done | table
	done
done
