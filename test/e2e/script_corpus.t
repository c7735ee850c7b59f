#!/usr/bin/env bash
# `xprof script` against `perf script`, file by file, on recordings of other tools: a table.
#
# Byte for byte, with the first of the option lists below, with every third of the others (another third for the next file;
# CORPUS_WAYS=all, as in check-long: with all) and with every field that a file has; neither has the programs that were
# recorded. perf gets --no-inline and --no-itrace, which turn off things that xprof does not do here. If perf 6.1 is wrong,
# as_it_should_be() says how and corrects it; nothing else may differ.
#
# If perf fails on a file, xprof must read it to the last sample. For hostile files it must say why they are wrong.
set -u
# shellcheck source=test/e2e/lib.sh
. "$(dirname "$0")/lib.sh"
need_perf
corpus=${CORPUS:-$source_root/../shared/corpus}
mkdir "$tmp/empty"
[ -f "$corpus/INDEX.tsv" ] || skip_all "no corpus in $corpus (CORPUS names another folder)"

show_all="--show-task-events --show-mmap-events --show-switch-events --show-lost-events"
show_more="--show-namespace-events --show-cgroup-events --show-bpf-events --show-text-poke-events"
ways=(
	""
	"-F +pid" # the Firefox Profiler asks people for this
	"-F comm,pid,tid,cpu,time,event,ip,sym,dso,trace" # flamescope uses this
	"-F comm,tid,time,event,period,ip,sym,symoff,dso,flags,misc --reltime"
	"-F hw:comm,ip,sym -F sw:comm,time,period -F trace:trace,event"
	"-G --ns"
	"-F -period,-dso --deltatime --max-stack 3"
	"--time 10%-60%"
	"-C 0"
	"-S [unknown]"
	"$show_all"
	"$show_more"
	# In the order of the file, where the record of a thread's fork may come before that of its parent's: names and mappings may
	# differ.
	"$show_more --show-round-events -F -comm,-dso"
)

# SAMPLE_TYPES: further option lists for the fields of such samples.
ways_for() {
	local field fields=
	for field in ADDR:addr DATA_SRC:data_src WEIGHT:weight WEIGHT_STRUCT:weight WEIGHT_STRUCT:ins_lat \
		PHYS_ADDR:phys_addr REGS_INTR:iregs REGS_USER:uregs DATA_PAGE_SIZE:data_page_size \
		CODE_PAGE_SIZE:code_page_size RAW:bpf-output; do
		[[ ,$1, != *,${field%:*},* ]] || fields+=,+${field#*:}
	done
	[ -z "$fields" ] || printf -- '-F %s\n' "${fields#,}"
	[[ ,$1, != *,BRANCH_STACK,* ]] || printf -- '-F +%s\n' brstack brstacksym brstackoff
}

# FILE: perf's output, with perf 6.1's errors corrected.
as_it_should_be() {
	case $1 in
	perfparser/vector_static_gcc/perf.lbr.data)
		# Eight samples have branch stacks without entries. perf takes the first one all the same, which is any bytes that
		# follow; the user part of the chain is 0x7fb025ecd2fb.
		awk -v other="$tmp/xprof.txt" '
			(getline line <other) > 0 && line ~ /^\t    7fb025ecd2fb/ && /^\t/ && ++count <= 8 { print line; next }
			{ print }' "$tmp/perf.txt" ;;
	derived-be/*)
		# It does not bring an MMAP2's protection into this machine's order, nor pid and tid of a SWITCH (0x51170000 is 5969).
		awk -v other="$tmp/xprof.txt" '
			{ if ((getline line <other) <= 0) line = "" }
			/PERF_RECORD_MMAP2 / && match($0, /\]: ---p /) {
				$0 = substr($0, 1, RSTART + 2) substr(line, RSTART + 3, 4) substr($0, RSTART + 7)
			}
			/PERF_RECORD_SWITCH/ { sub(/^     :1360461824 1360461824 /, "           sleep  5969 ") }
			{ print }' "$tmp/perf.txt" ;;
	quipper-fuzz/*)
		# It prints mappings out of records that are too short to have any.
		sed '/PERF_RECORD_MMAP/d' "$tmp/perf.txt" ;;
	perfparser/contentsize.data | perfparser/parallel_static_gcc/* | perfparser/vector_static_* | \
		simpleperf/perf_with_ip_zero_in_callchain.data)
		# If it has none of the mapped files, it does not show the frames of a stack dump that need no unwind information: the
		# sampled user instruction, and in one sample its caller, by frame pointer. Two frames at most at the end of a chain.
		awk -v other="$tmp/xprof.txt" '
			{
				if ((getline line <other) <= 0) line = ""
				for (i = 0; i < 2 && line ~ /^\t/ && $0 !~ /^\t/; i++) { print line; getline line <other }
				print
			}' "$tmp/perf.txt" ;;
	simpleperf/* | simpleperf-scripts/*)
		# It does not read the names that simpleperf recordings contain.
		awk -v other="$tmp/xprof.txt" '
			{
				if ((getline line <other) <= 0) line = ""
				at = index($0, "[unknown]")
				front = substr($0, 1, at - 1)
				back = substr($0, at + length("[unknown]"))
				named = at && line ~ /[^]]/ && substr(line, 1, at - 1) == front &&
					substr(line, length(line) - length(back) + 1) == back
				print named ? line : $0
			}' "$tmp/perf.txt" ;;
	*) cat "$tmp/perf.txt" ;;
	esac
}

# Each sets rest to the differences, or to nothing.

same_in_one_way() { # FILE OPTION...
	local file=$1 perf_status status
	shift
	PERF_CONFIG=/dev/null timeout 120 perf script --max-stack 10000 --no-inline --no-itrace --symfs=/nonexistent -i "$corpus/$file" "$@" \
		>"$tmp/perf.txt" 2>"$tmp/perf.err" </dev/null
	perf_status=$?
	timeout 120 "$xprof" script --symfs="$tmp/empty" -i "$corpus/$file" "$@" >"$tmp/xprof.txt" 2>"$tmp/xprof.err" </dev/null
	status=$?
	rest=
	if [ $perf_status -ne 0 ]; then
		# A field that was not recorded. For CPUs, perf looks into the header, which may list none. It does not go through
		# hardware traces in the order of the file, nor through the samples of a recording whose header does not say when they
		# were taken.
		[ $status -eq 1 ] ||
			grep -q -e 'Requested CPU 0 too large' -e 'CoreSight ETM Trace requires ordered events' \
				-e "please set '--timestamp-boundary'" "$tmp/perf.err" ||
			rest="perf script $*: status $perf_status, $(tail -n 1 "$tmp/perf.err"); xprof: status $status"
		return
	fi
	# A hostile file may be refused, if perf finds nothing in it either.
	[[ $file == quipper-fuzz/* && $status -eq 1 && -s $tmp/xprof.err && ! -s $tmp/perf.txt ]] && return
	lines=$((lines + $(wc -l <"$tmp/xprof.txt")))
	if [ "$file" = quipper/perf.data.branch_stack_spec ]; then
		without_speculation <"$tmp/xprof.txt" >"$tmp/unspeculated.txt" && mv "$tmp/unspeculated.txt" "$tmp/xprof.txt"
	fi
	as_it_should_be "$file" >"$tmp/right.txt"
	[ $status -eq 0 ] || rest="xprof script $*: status $status, $(head -n 1 "$tmp/xprof.err")"
	cmp -s "$tmp/right.txt" "$tmp/xprof.txt" ||
		rest+="script $*, perf's and xprof's:"$'\n'$(diff "$tmp/right.txt" "$tmp/xprof.txt" | head -n 6)
}

# NUMBER: the option lists for the file of this number, in the array chosen.
choose_ways() {
	local i
	chosen=("${ways[0]}")
	for ((i = 1; i < ${#ways[@]}; i++)); do
		[ "${CORPUS_WAYS:-}" != all ] && [ $(((i + $1) % 3)) -ne 0 ] || chosen+=("${ways[i]}")
	done
}

same_in_these_ways() { # FILE NUMBER SAMPLE_TYPES
	local file=$1 way chosen more
	choose_ways "$2"
	mapfile -t more < <(ways_for "$3")
	for way in "${chosen[@]}" "${more[@]}"; do
		[[ $file == simpleperf* && $way == "-S [unknown]" ]] && continue # fewer are unknown
		# shellcheck disable=SC2086 # an option list is several words
		same_in_one_way "$file" $way
		[ -z "$rest" ] || return
	done
}

# perf fails on it: as many samples as there are, or a message.
read_all_the_same() { # FILE SAMPLES
	local status
	timeout 120 "$xprof" script --symfs="$tmp/empty" -G -i "$corpus/$1" >"$tmp/xprof.txt" 2>"$tmp/xprof.err" </dev/null
	status=$?
	lines=$(wc -l <"$tmp/xprof.txt")
	rest=
	if [ $status -gt 1 ]; then
		rest="status $status"
	elif [[ $1 == quipper-fuzz/* ]]; then
		[ -s "$tmp/xprof.err" ] || rest="no message"
	elif [ "$lines" -ne "$2" ]; then
		rest="$lines lines, there are $2 samples; $(head -n 1 "$tmp/xprof.err")"
	fi
}

perf_reads() { # FILE
	PERF_CONFIG=/dev/null timeout 120 perf script --max-stack 10000 --no-inline --no-itrace --symfs=/nonexistent -i "$corpus/$1" \
		>/dev/null 2>&1 </dev/null
}

number=0
while IFS=$'\t' read -r file samples sample_types; do
	lines=0 number=$((number + 1))
	# Both of the two events that are read with each sample of this file.
	[ "$file" != hotspot/perf.data.PerfFormatLost ] || samples=$((2 * samples))
	if perf_reads "$file" 2>/dev/null; then
		same_in_these_ways "$file" "$number" "$sample_types"
		verdict="$lines lines"
	else
		read_all_the_same "$file" "$samples"
		verdict="perf fails, xprof reads $lines samples"
	fi 2>/dev/null
	[ -z "$rest" ]
	tap_result $? "$file: $verdict" "$rest"
done < <(awk -F '\t' -v OFS='\t' 'NR > 1 { print $1, $11, $13 }' "$corpus/INDEX.tsv")
done_testing
