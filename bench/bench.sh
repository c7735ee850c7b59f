#!/usr/bin/env bash
# Pairs xprof with perf on the same work, in turn, and prints medians, their ratio
# (below 1: xprof needs less) and the ranges. `make bench` runs all of it.
#
# usage: bench.sh [CASE...]      cases: startup report read unwind dwarf large inlines source lines flame busy cost scale slowdown
set -eu
cd "$(dirname "$0")/.."

build=${BUILD:-build}
xprof=${XPROF:-$build/xprof}
pair=$build/bench/pair
runs=${RUNS:-5}
out=$build/bench
mkdir -p "$out"

say() {
	printf '\n%s\n' "$*"
}

table_head() {
	say "$(printf '%-34s %-14s %10s %10s %8s   %s' "case ($runs runs each)" "" xprof perf ratio 'ranges: xprof | perf')"
}

# NAME COMMAND :: PERF_COMMAND. With XPROF_BEFORE, another build of xprof does the same work, too; what it records goes into a
# file of its own.
compare() {
	local name=$1 ours=() before=()
	shift
	"$pair" "$name" "$runs" xprof perf :: "$@"
	[ -n "${XPROF_BEFORE:-}" ] || return 0
	while [ "$1" != :: ]; do
		ours+=("$1")
		[ "$1" = "$xprof" ] && before+=("$XPROF_BEFORE") || before+=("${1/%x.data/before.data}")
		shift
	done
	"$pair" "... now | before" "$runs" now before :: "${ours[@]}" :: "${before[@]}"
}

# The cost of profiling nothing.
case_startup() {
	table_head
	compare "record -- true" \
		"$xprof" record -q -o "$out/x.data" -- true :: perf record -q -o "$out/p.data" -- true
	compare "record -a -- true" \
		"$xprof" record -q -a -o "$out/x.data" -- true :: perf record -q -a -o "$out/p.data" -- true
	compare "record -a -g -- true" \
		"$xprof" record -q -a -g -o "$out/x.data" -- true :: perf record -q -a -g -o "$out/p.data" -- true
}

# Samples of a file, counted by perf in either case.
samples_in() {
	perf report -i "$1" --stats 2>/dev/null |
		awk '$1 == "SAMPLE" && $2 == "events:" && !counted { print $3; counted = 1 }'
}

# 100,000 samples with call chains, of a few stacks and of many. Without build-ids (-B): perf
# 6.1 may abort collecting them while another recorder runs (src/format/event.c says why).
record_inputs() {
	[ -s "$out/demo.data" ] || perf record -q -B -F 12500 -g -o "$out/demo.data" -- "$build/demo/workload" 4 >/dev/null
	[ -s "$out/compile.data" ] ||
		perf record -q -B -a -F 999 -g -o "$out/compile.data" -- make -s -B -j2 BUILD="$out/tree" >/dev/null
}

case_report() {
	local input
	record_inputs
	table_head
	for input in demo compile; do
		compare "report, $input, $(samples_in "$out/$input.data") samples" \
			"$xprof" report --no-inline -i "$out/$input.data" --no-pager :: \
			perf report -i "$out/$input.data" --no-inline --stdio -g none
		compare "report -g, $input" \
			"$xprof" report --no-inline -i "$out/$input.data" --no-pager -g :: \
			perf report -i "$out/$input.data" --no-inline --stdio -g caller
	done
	# Ten times the samples of the same stacks: memory must not grow with them.
	[ -s "$out/long.data" ] || perf record -q -B -F 12500 -g -o "$out/long.data" -- "$build/demo/workload" 40 >/dev/null
	compare "report, ten times the demo" \
		"$xprof" report --no-inline -i "$out/long.data" --no-pager :: \
		perf report -i "$out/long.data" --no-inline --stdio -g none
}

# LABEL COMMAND...: the speed that the command reports about itself, for each run.
speeds() {
	local label=$1
	shift
	printf '%-34s %s\n' "$label" "$("$@" | tail -1)"
	for ((run = 1; run < read_runs; run++)); do
		printf '%-34s %s\n' "" "$("$@" | tail -1)"
	done
}

# Reads READ_MB of plain samples (10000 for 10 GB) from the page cache. The readers are, from the least to the most work: a walk
# that decodes every sample and does nothing with it; dump --summary, which does the same and counts; report; script. perf does
# the same work on a tenth, because it takes so long.
case_read() {
	local megabytes=${READ_MB:-1000} read_runs=3 size
	for size in "$megabytes" "$((megabytes / 10))"; do
		"$build/bench/plain_samples" "${size}000000" "$out/plain-$size.data"
	done
	"$build/bench/plain_samples" "${megabytes}000000" "$out/zstd-$megabytes.data" 1
	say "reading $megabytes MB of plain samples, $read_runs runs each"
	speeds "walk" "$build/bench/read_walk" "$out/plain-$megabytes.data"
	speeds "walk, compressed with zstd" "$build/bench/read_walk" "$out/zstd-$megabytes.data"
	speeds "zstd alone" "$build/bench/decompress" "$out/zstd-$megabytes.data"
	rm "$out/zstd-$megabytes.data"
	say "$(printf '%-34s %-14s %10s %10s %8s   %s' "case ($read_runs runs each)" "" "$((megabytes / 10)) MB" \
		"$megabytes MB" ratio 'ranges')"
	for command in "dump --summary" report; do
		# shellcheck disable=SC2086 # a command and its option
		"$pair" "$command, ten times the file" "$read_runs" tenth all \
			:: "$xprof" $command --no-pager -i "$out/plain-$((megabytes / 10)).data" \
			:: "$xprof" $command --no-pager -i "$out/plain-$megabytes.data"
	done
	rm "$out/plain-$megabytes.data"
	runs=$read_runs table_head
	runs=$read_runs compare "report, $((megabytes / 10)) MB of samples" \
		"$xprof" report --no-pager -i "$out/plain-$((megabytes / 10)).data" :: \
		perf report --stdio --no-inline -g none -i "$out/plain-$((megabytes / 10)).data"
	runs=$read_runs compare "script, $((megabytes / 10)) MB of samples" \
		"$xprof" script --no-pager -i "$out/plain-$((megabytes / 10)).data" :: \
		perf script -i "$out/plain-$((megabytes / 10)).data"
	rm "$out/plain-$((megabytes / 10)).data"
}

# The unwinder alone: compiling large libraries' CFI, and a frame seen before.
case_unwind() {
	local files=()
	mapfile -t files < <(ldconfig -p | awk '/x86-64|AArch64/ && /libLLVM|libcrypto.so|libstdc..\.so/ && !seen[$NF]++ { print $NF }'
		gcc -print-prog-name=cc1plus)
	say "unwinding: CFI of whole files, then frames of a stack that was seen before"
	"$build/bench/unwind" "${files[@]}"
}

# COUNT: that many different stacks, 9 to 22 frames high, as folded text; the same ones each time.
folded_stacks() {
	awk -v count="$1" 'function random(n) { seed = (seed * 69069 + 1) % 4294967296; return int(seed / 4294967296 * n) }
		BEGIN {
			for (i = 0; i < count; i++) {
				stack = "program" i % 7; height = 8 + random(14); f = 0
				for (k = 0; k < height; k++) {
					f = (f * 7 + random(k < 9 ? 3 : 12) + k * 131) % 5000
					stack = stack ";function_" f "_of_some_length"
				}
				print stack, 1 + random(5)
			}
		}'
}

# flamegraph.pl, from PATH or from Debian's libdevel-nytprof-perl.
find_flamegraph_pl() {
	command -v flamegraph.pl || ls /usr/share/perl5/Devel/NYTProf/flamegraph.pl 2>/dev/null
}

# Turns folded stacks (a hundred thousand; then a million frames) into a file that a browser opens, and measures the browser
# with it. Each line ends at another function, so nearly all frames belong to one stack alone.
case_flame() {
	local count perl_script browser
	perl_script=$(find_flamegraph_pl) || true
	browser=$(command -v chromium || command -v chromium-browser) || true
	for count in 100000 155000; do
		[ -s "$out/stacks-$count.txt" ] || folded_stacks "$count" >"$out/stacks-$count.txt"
		say "$(printf '%-34s %-14s %10s %10s %8s   %s' "case ($runs runs each)" "" page picture ratio 'ranges: page | picture')"
		"$pair" "flame graph, $count stacks" "$runs" page picture \
			:: "$xprof" flamegraph -q --folded "$out/stacks-$count.txt" -o "$out/flame.html" \
			:: "$xprof" flamegraph -q --folded "$out/stacks-$count.txt" -o "$out/flame.svg"
		"$xprof" flamegraph --folded "$out/stacks-$count.txt" -o "$out/flame.html" 2>&1 | sed 's/^xprof: wrote [^:]*/page/'
		if [ -n "$perl_script" ]; then
			"$pair" "... and flamegraph.pl" 1 xprof .pl \
				:: "$xprof" flamegraph -q --folded "$out/stacks-$count.txt" -o "$out/flame.svg" \
				:: sh -c "perl '$perl_script' '$out/stacks-$count.txt' >'$out/pl.svg'"
			ls -s --block-size=1K "$out/flame.html" "$out/flame.svg" "$out/pl.svg"
		fi
		if [ -n "$browser" ] && [ -d build/npm/node_modules/playwright-core ]; then
			NODE_PATH=build/npm/node_modules node bench/flame_page.js "$browser" "$PWD/$out/flame.html" "$runs"
		fi
	done
}

# FILE: the cost of a frame, in CPU time of all threads and in wall time, and the ratio to perf's cost, from the table that
# compare has printed and the time for reading the file alone.
frame_costs() {
	local input=$1 reading
	reading=$("$pair" reading "$runs" cat cat :: cat "$input" :: cat "$input" |
		awk '$2 == "wall" { wall = $4 } $1 == "CPU" { print wall, $3; exit }')
	"$xprof" report -i "$input" --no-pager --no-inline --folded --weight samples |
		awk -v reading="$reading" -v table="$out/table" '
		function costs(what, read, xprof, perf) {
			printf "a frame, %s: xprof %.0f ns, %.0f beyond reading; perf %.0f ns; %.1f times as much, %.1f beyond reading\n",
				what, xprof / frames * 1e6, (xprof - read) / frames * 1e6, perf / frames * 1e6,
				perf / xprof, (perf - read) / (xprof - read)
		}
		{ frames += gsub(/;/, ";") * $NF; samples += $NF }
		END {
			split(reading, read)
			while ((getline line <table) > 0)
				if (match(line, /(wall|CPU) ms +[0-9.]+ +[0-9.]+/)) {
					split(substr(line, RSTART, RLENGTH), word)
					if (word[1] in xprof) break # rows of another build follow
					xprof[word[1]] = word[3]
					perf[word[1]] = word[4]
				}
			if (!("CPU" in xprof))
				exit # perf or xprof has failed, and pair has said so
			printf "%d samples, %d frames; reading the file takes %.0f ms\n", samples, frames, read[2]
			costs("CPU time", read[2], xprof["CPU"], perf["CPU"])
			costs("time", read[1], xprof["wall"], perf["wall"])
		}'
}

# Stack dumps of stock programs, sampled at two rates: the time beyond reading the file is spent on unwinding and, especially
# with few samples, on names.
case_dwarf() {
	local input rate
	for rate in 999 4999; do
		input=$out/mixed-$rate.data
		[ -s "$input" ] || perf record -q -B -m 16M -e cpu-clock -F "$rate" --call-graph dwarf,16384 -o "$input" -- demo/mixed.sh
		table_head
		compare "report -s comm, dumps at $rate Hz" \
			"$xprof" report -i "$input" --no-pager -s comm :: \
			perf report -i "$input" --no-inline --stdio -g none -s comm | tee "$out/table"
		frame_costs "$input"
	done
}

# INPUT OPTIONS...: report on one CPU and on all, the same output in less time.
compare_cpus() {
	local input=$1 cpu
	shift
	cpu=$(taskset -cp $$ | sed 's/.*: //; s/[-,].*//')
	say "$(printf '%-34s %-14s %10s %10s %8s   %s' "case ($runs runs each)" "" "all CPUs" "one CPU" ratio 'ranges: all | one')"
	"$pair" "report${*:+ $*}, $(nproc) CPUs" "$runs" all one \
		:: "$xprof" report -i "$input" --no-pager --no-inline "$@" \
		:: taskset -c "$cpu" "$xprof" report -i "$input" --no-pager --no-inline "$@"
}

# The same stock programs, LARGE_ROUNDS times: work that is done once, for names and unwind information, is a smaller part. The
# whole report, as a table and as a tree, beside perf's; then on one CPU and on all.
case_large() {
	local input=$out/large.data
	[ -s "$input" ] || perf record -q -B -m 16M -e cpu-clock -F 4999 --call-graph dwarf,8192 -o "$input" -- \
		sh -c "for i in \$(seq ${LARGE_ROUNDS:-4}); do demo/mixed.sh; done"
	say "$(($(stat -c %s "$input") / 1000000)) MB of stack dumps of 8 KB"
	table_head
	compare "report, large" \
		"$xprof" report -i "$input" --no-pager --no-inline :: \
		perf report -i "$input" --no-inline --stdio -g none | tee "$out/table"
	frame_costs "$input"
	table_head
	compare "report -g, large" \
		"$xprof" report -i "$input" --no-pager --no-inline -g :: \
		perf report -i "$input" --no-inline --stdio -g caller | tee "$out/table"
	frame_costs "$input"
	compare_cpus "$input"
	compare_cpus "$input" -g
}

# Every CPU is busy, with two processes of many calls and a stream of short ones.
start_load() {
	"$build/demo/workload" 3600 "$(nproc)" >/dev/null &
	load=("$!")
	(while :; do /bin/true; done) &
	load+=("$!")
}

stop_load() {
	kill "${load[@]}" 2>/dev/null || true
	wait "${load[@]}" 2>/dev/null || true
}

lost_in() {
	perf script -i "$1" --show-lost-events -F comm 2>/dev/null | awk '
		/PERF_RECORD_LOST/ { for (i = 1; i < NF; i++) if ($i ~ /^lost/) lost += $(i + 1) }
		END { print lost + 0 }'
}

# NAME XPROF_OPTIONS PERF_OPTIONS: the recorders' own CPU time, the bytes they write and the samples they lose.
record_busy() {
	# shellcheck disable=SC2086 # several options
	compare "record $1, 5 s, busy" \
		"$xprof" record -q $2 -o "$out/x.data" -- sleep 5 :: \
		perf record -q -B $3 -o "$out/p.data" -- sleep 5
	printf '%-34s %-14s %10s %10s\n' "" "samples" "$(samples_in "$out/x.data")" "$(samples_in "$out/p.data")" \
		"" "lost" "$(lost_in "$out/x.data")" "$(lost_in "$out/p.data")" \
		"" "file KiB" "$(($(stat -c %s "$out/x.data") / 1024))" "$(($(stat -c %s "$out/p.data") / 1024))"
	rm -f "$out/x.data" "$out/p.data" "$out/before.data"
}

# Without stacks, by frame pointers, and whole stacks: for those perf has to copy the stack with every sample.
case_busy() {
	local rate
	trap stop_load EXIT
	start_load
	table_head
	record_busy "-a -F 999" "-a -F 999" "-a -F 999"
	for rate in 999 3999; do
		record_busy "-a -F $rate --call-graph fp" "-a -F $rate --call-graph fp" "-a -F $rate --call-graph fp"
		record_busy "-a -F $rate -g | dwarf" "-a -F $rate -g" "-a -F $rate --call-graph dwarf,16384"
	done
	record_busy "-a -F 999 -g -z | dwarf -z" "-a -F 999 -g -z" "-a -F 999 --call-graph dwarf,16384 -z"
	record_busy "-a -F 999 -g --evidence=none | dwarf" "-a -F 999 -g --evidence=none" \
		"-a -F 999 --call-graph dwarf,16384"
	stop_load
	trap - EXIT
}

# Whole stacks of three programs at three rates.
case_cost() {
	BUILD=$build XPROF=$xprof RUNS=$runs bench/cost.sh
	BUILD=$build XPROF=$xprof RUNS=$runs COST_PROGRAMS="steady system" bench/cost.sh
}

case_scale() {
	BUILD=$build XPROF=$xprof bench/scale.sh
}

case_slowdown() {
	BUILD=$build XPROF=$xprof bench/slowdown.py
	BUILD=$build XPROF=$xprof SLOWDOWN_PROGRAMS=spin SLOWDOWN_SECONDS=2 bench/slowdown.py
}

# LIMIT COMMAND...: prints how long it takes, or that it was stopped after so many seconds.
limited() {
	local limit=$1 start=$EPOCHREALTIME status=0
	shift
	timeout "$limit" "$@" >/dev/null 2>&1 || status=$?
	if [ $status = 124 ]; then
		echo "stopped after $limit s: $*"
	else
		awk -v start="$start" -v end="$EPOCHREALTIME" -v command="$*" -v status=$status 'BEGIN {
			printf "%.2f s%s: %s\n", end - start, status ? " (failed)" : "", command }'
	fi
}

# FILE: 10,000 distinct random addresses of its code
code_addresses() {
	perl -e 'srand 1; open my $sections, "-|", "readelf", "-SW", $ARGV[0];
		/ \.text +PROGBITS +(\S+) +\S+ +(\S+) / and ($at, $size) = (hex $1, hex $2) while <$sections>;
		$chosen{$at + int rand $size} = 1 while keys %chosen < ($size < 20000 ? $size / 2 : 10000);
		printf "0x%x\n", $_ for sort keys %chosen' "$1"
}

# FILE DEBUG_DIRECTORY: lines and inlined functions of 10,000 addresses by the code that report uses, the first time, and once
# more from the cache that the first run has left.
source_cold_and_cached() {
	local source_of=$build/test/tools/source_of
	code_addresses "$1" >"$out/addresses"
	rm -rf "$out/source-cache"
	say "$(wc -l <"$out/addresses") addresses of $1, $runs runs each"
	printf '%-34s %-14s %10s %10s %8s\n' "" "" here other ratio
	# Files of less than 4 MB are read as fast as a cache, and not cached.
	SOURCE_CACHE=$out/source-cache "$source_of" "$1" "$2" <"$out/addresses" >/dev/null
	"$pair" "again, from the cache | cold" "$runs" cache cold :: \
		sh -c "SOURCE_CACHE=$out/source-cache '$source_of' '$1' '$2' <$out/addresses" :: \
		sh -c "'$source_of' '$1' '$2' <$out/addresses"
}

# 10,000 random addresses of a program's code (SOURCE_FILE: of another one's), beside eu-addr2line and addr2line.
case_source() {
	local file=${SOURCE_FILE:-$xprof} tool
	source_cold_and_cached "$file" /usr/lib/debug
	for tool in eu-addr2line addr2line; do
		command -v $tool >/dev/null || continue
		"$pair" "cold | $tool" "$runs" xprof $tool \
			:: sh -c "'$build/test/tools/source_of' '$file' <$out/addresses" \
			:: sh -c "$tool -a -f -i -e '$file' <$out/addresses || :"
	done
}

# A large program of the distribution and its debug information, which are not installed, and the debug information once more
# without compression, as nearly all other distributions have it.
fetch_large_program() {
	local large=$out/large debug
	[ ! -d "$large/plain" ] || return 0
	command -v apt-get >/dev/null && command -v dpkg-deb >/dev/null || return 1
	rm -rf "$large" && mkdir -p "$large/packages"
	(cd "$large/packages" && apt-get download ceph-mds ceph-mds-dbg) || return 1
	for package in "$large"/packages/*.deb; do
		dpkg-deb -x "$package" "$large"
	done
	rm -rf "$large/packages"
	debug=$(cd "$large/usr/lib/debug" && find . -name '*.debug')
	mkdir -p "$large/plain/$(dirname "$debug")"
	objcopy --decompress-debug-sections "$large/usr/lib/debug/$debug" "$large/plain/$debug"
}

# 10,000 addresses of a program with more than 200 MB of debug information, as it is and with compressed sections;
# eu-addr2line is stopped when it has taken LINES_LIMIT seconds (60).
case_lines() {
	local file=$out/large/usr/bin/ceph-mds kind debug
	fetch_large_program || { say "lines: needs apt-get, to download ceph-mds and ceph-mds-dbg"; return 0; }
	for kind in plain usr/lib/debug; do
		debug=$(find "$out/large/$kind" -name '*.debug')
		source_cold_and_cached "$file" "$out/large/$kind"
		say "$(($(stat -c %s "$debug") >> 20)) MiB of debug information"
		limited "${LINES_LIMIT:-60}" sh -c \
			"eu-addr2line --debuginfo-path=$PWD/$out/large/$kind -a -f -i -e '$file' <$out/addresses"
	done
}

# The whole system with several python3 programs, some 80,000 stack dumps, and inlined functions: perf without them, and with
# them, which is stopped when it has taken INLINE_LIMIT seconds (60).
case_inlines() {
	local input=$out/python.data
	[ -s "$input" ] || perf record -q -B -a -m 128M -e cpu-clock -F 3999 --call-graph dwarf -o "$input" -- \
		bench/pythons.sh 12
	rm -rf "$out/cache"
	table_head
	compare "report, $(samples_in "$input") dumps of python3" \
		env XDG_CACHE_HOME="$out/cache" "$xprof" report -i "$input" --no-pager :: \
		perf report -i "$input" --no-inline --stdio -g none
	"$pair" "... and without inlined functions" "$runs" inlines without \
		:: env XDG_CACHE_HOME="$out/cache" "$xprof" report -i "$input" --no-pager \
		:: "$xprof" report --no-inline -i "$input" --no-pager
	"$pair" "... the first time | without a cache" 1 first without \
		:: env XDG_CACHE_HOME="$out/new-cache" "$xprof" report -i "$input" --no-pager \
		:: env XDG_CACHE_HOME=/proc "$xprof" report -i "$input" --no-pager
	rm -rf "$out/new-cache"
	printf '%s rows of inlined functions\n' "$("$xprof" report -i "$input" --no-pager | grep -c '(inlined)')"
	limited "${INLINE_LIMIT:-60}" perf report -i "$input" --stdio -g none
}

say "$("$xprof" --version), $(perf --version), Linux $(uname -r), $(nproc) CPUs"
for name in "${@:-startup report read unwind dwarf large inlines source lines flame busy cost scale slowdown}"; do
	for one in $name; do
		"case_$one"
	done
done
