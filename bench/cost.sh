#!/usr/bin/env bash
# Measures the cost of recording whole stacks, for programs of three kinds and at three rates: the recorder's own CPU time (with
# the load of its BPF program), the recorded program's CPU and wall time, and the bytes of a sample. Recorders take turns, so that
# other work of the machine slows down all; medians are printed.
#
# XPROF_BEFORE=FILE adds another build of xprof, PERF_OTHER=FILE another perf.
# COST_PROGRAMS="clang java make build", COST_RATES="99 999 4000" and COST_RECORDERS="xprof xprof-no-stacks perf-dwarf" choose some.
# A build is recorded with the whole system.
#
# COST_PROGRAMS may also be loads of the whole system (load.sh), which are recorded with -a for COST_SECONDS: "steady", programs
# that run on, and "system", the same with some 70 short programs a second beside them. For these the table has the recorder's
# own memory (the peak of its anonymous pages), losses, how many stacks reach the start of their thread, and perf with compression, too.
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
export CCACHE_DISABLE=1 # the cache would skip the work that is to be recorded

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

# Most rooms, with as many compilers at once as there are CPUs: a minute of processes that come and go, on two CPUs.
# shellcheck disable=SC2016 # for make to expand
prepare_build() {
	local rooms="base text process profile elf format format/write unwind unwind/arch unwind/cfi unwind/code cli symbol symbol/dwarf
		record record/event report/load report/rows report/names report/view report/table report/script report/flame"
	{
		echo "SOURCES := $(for room in $rooms; do echo "$top/src/$room"/*.c; done | xargs)"
		printf 'OBJECTS := $(patsubst %s/src/%%.c,%%.o,$(SOURCES))\nall: $(OBJECTS)\n' "$top"
		# A pattern alone would lose the directory's name.
		printf '$(OBJECTS): %%.o: %s/src/%%.c\n\t@mkdir -p $(@D)\n' "$top"
		printf '\t$(CC) -std=gnu17 -O2 -D_GNU_SOURCE -I%s/src -I%s -c -o $@ $<\n' "$top" "$(realpath "$top/${BUILD:-build}")"
	} >build.mk
}

command_of() {
	case $1 in
	clang) echo clang++ -std=c++17 -O2 -c wide.cc -o wide.o ;;
	java) echo java -Xmx256m -XX:+UseSerialGC Words ;;
	make) echo make -s -B -j2 -f many.mk ;;
	build) echo make -s -B "-j$(getconf _NPROCESSORS_ONLN)" -f build.mk ;;
	esac
}

# --- recorders --------------------------------------------------------------------------------------------------

# RECORDER RATE [OPTION]: the command in front of the program's, one word a line
recorder() {
	local option=("${@:3}")
	case $1 in
	none) ;;
	xprof) printf '%s\n' "$xprof" record -q "${option[@]}" -g -F "$2" -o xprof.data -- ;;
	xprof-no-stacks) printf '%s\n' "$xprof" record -q "${option[@]}" -F "$2" -o xprof-no-stacks.data -- ;;
	before) printf '%s\n' "$XPROF_BEFORE" record -q "${option[@]}" -g -F "$2" -o before.data -- ;;
	perf-dwarf) printf '%s\n' perf record -q -B "${option[@]}" --call-graph dwarf -F "$2" -o perf-dwarf.data -- ;;
	perf-dwarf-z) printf '%s\n' perf record -q -B "${option[@]}" --call-graph dwarf -F "$2" -z -o perf-dwarf-z.data -- ;;
	perf-fp) printf '%s\n' perf record -q -B "${option[@]}" --call-graph fp -F "$2" -o perf-fp.data -- ;;
	other-dwarf) printf '%s\n' "$PERF_OTHER" record -q -B "${option[@]}" --call-graph dwarf -F "$2" -o other-dwarf.data -- ;;
	other-dwarf-z) printf '%s\n' "$PERF_OTHER" record -q -B "${option[@]}" --call-graph dwarf -F "$2" -z -o other-dwarf-z.data -- ;;
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

lost_in() {
	"$xprof" dump --type LOST -i "$1" |
		awk '/^0x/ && match($0, /lost [0-9]+/) { n += substr($0, RSTART + 5, RLENGTH - 5) } END { print n + 0 }'
}

# shellcheck disable=SC2016 # for that shell to expand
# The recorded program is a shell that measures the program's time, and uses next to none itself.
inner='TIMEFORMAT="%3R %3U %3S"; { time $1 >/dev/null 2>program.log; } 2>inner'

# RECORDER RATE PROGRAM: one run, as a line "RECORDER METRIC VALUE" for each metric
run_once() {
	local command prefix=() all=() file=$1.data samples
	[ "$3" != build ] || all=(-a)
	command=$(command_of "$3")
	mapfile -t prefix < <(recorder "$1" "$2" "${all[@]}")
	cpu_time outer "${prefix[@]}" bash -c "$inner" bash "$command" || {
		echo "cost: $1 failed: ${prefix[*]} $command: $(head -c 300 outer.log)" >&2
		return 1
	}
	awk -v name="$1" -v outer="$(cat outer.ms)" '{ inner = ($2 + $3) * 1000; print name, "program", inner
		print name, "wall", $1 * 1000
		if (name != "none") print name, "recorder", outer - inner }' inner
	[ "$1" != none ] || return 0
	samples=$("$xprof" dump --summary -i "$file" | awk '/type SAMPLE/ { print $4 }')
	echo "$1 bytes $(($(stat -c %s "$file") / (samples + !samples)))"
	echo "$1 samples $samples"
	echo "$1 lost $(lost_in "$file")"
	rm -f "$file"
}

# Lines "RECORDER METRIC VALUE" to a table of medians, a row for each metric and a column for each recorder
table() {
	sort -k1,1 -k2,2 -k3,3n | awk -v order="$1" '
		{ key = $1 " " $2; values[key, ++count[key]] = $3 }
		function median(key, n) { n = count[key]
			return n ? n % 2 ? values[key, (n + 1) / 2] : (values[key, n / 2] + values[key, n / 2 + 1]) / 2 : "" }
		END {
			columns = split(order, names, " ")
			label["recorder"] = "recorder, CPU ms"; label["program"] = "program, CPU ms"; label["wall"] = "program, wall ms"
			label["bytes"] = "bytes a sample"; label["samples"] = "samples"
			label["memory"] = "own memory, MB"; label["lost"] = "records lost"
			label["whole"] = "whole stacks, %"
			for (m = split("recorder program wall memory bytes samples lost whole", metrics, " "); m; m--) ;
			for (m = 1; m in metrics; m++) {
				for (c = 1; c <= columns && median(names[c] " " metrics[m]) == ""; c++) ;
				if (c > columns) # not measured for this kind of program
					continue
				printf "  %-18s", label[metrics[m]]
				for (c = 1; c <= columns; c++) {
					value = median(names[c] " " metrics[m])
					printf " %12s", value == "" ? "-" : sprintf(metrics[m] == "whole" ? "%.2f" : "%.0f", value)
				}
				print ""
			}
		}'
}

# --- loads of the whole system ----------------------------------------------------------------------------------

load_recorders() {
	echo "${COST_RECORDERS:-xprof ${XPROF_BEFORE:+before }perf-dwarf perf-dwarf-z perf-fp${PERF_OTHER:+ other-dwarf-z}}"
}

# COMMAND...: "CPU_MS PEAK_ANONYMOUS_KB", its own and that of the children that it waited for
measured() {
	python3 -c '
import os, subprocess, sys, threading
process = subprocess.Popen(sys.argv[1:], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
peak, over = 0, threading.Event()
def watch():
    global peak
    while not over.wait(0.1):
        try:
            for line in open("/proc/%d/status" % process.pid):
                if line.startswith("RssAnon"):
                    peak = max(peak, int(line.split()[1]))
        except OSError:
            return
thread = threading.Thread(target=watch)
thread.start()
_, status, usage = os.wait4(process.pid, 0)
over.set()
thread.join()
print("%.0f %d" % ((usage.ru_utime + usage.ru_stime) * 1000, peak))
sys.exit(1 if status else 0)' "$@"
}

# RECORDER RATE LOAD: as run_once
run_load_once() {
	local command=() file=$1.data samples got status=0 load
	mapfile -t command < <(recorder "$1" "$2" -a)
	bash "$top/bench/load.sh" "$3" $((${COST_SECONDS:-5} + 2)) >/dev/null 2>&1 &
	load=$!
	sleep 1
	got=$(measured "${command[@]}" sleep "${COST_SECONDS:-5}" 2>outer.log) || status=$?
	wait "$load" || true
	if [ "$status" -ne 0 ]; then # perf 6.1 aborts now and then
		echo "cost: $1 failed: ${command[*]}: $(head -c 300 outer.log)" >&2
		return 0
	fi
	echo "$1 recorder ${got% *}"
	echo "$1 memory $((${got#* } / 1024))"
	samples=$("$xprof" dump --summary -i "$file" | awk '/type SAMPLE/ { print $4 }')
	echo "$1 bytes $(($(stat -c %s "$file") / (samples + !samples)))"
	echo "$1 samples $samples"
	echo "$1 whole $("$xprof" report --stacks --no-pager -i "$file" | sed -n '1s/.*(\(.*\)%) reach.*/\1/p')"
	echo "$1 lost $(lost_in "$file")"
	rm -f "$file"
}

# --- all ----------------------------------------------------------------------------------------------------------

# KIND PROGRAM RATE RECORDERS: a table; KIND: run_once or run_load_once
compare() {
	local run name
	# shellcheck disable=SC2046,SC2086 # a column for each
	printf "\n$2, %s Hz, $runs runs\n  %-18s$(printf ' %%12s%.0s' $4)\n" "$3" "" $4
	for ((run = 0; run < runs; run++)); do
		for name in $4; do
			"$1" "$name" "$3" "$2"
		done
	done | table "$4"
}

for program in ${COST_PROGRAMS:-clang java make}; do
	case $program in
	steady | system)
		for rate in ${COST_RATES:-99 999 4000}; do
			compare run_load_once "$program" "$rate" "$(load_recorders)"
		done
		continue
		;;
	esac
	if ! "prepare_$program"; then
		echo "$program: not installed"
		continue
	fi
	for rate in ${COST_RATES:-99 999 4000}; do
		compare run_once "$program" "$rate" "$(recorders)"
	done
done
