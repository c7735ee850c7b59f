#!/usr/bin/env bash
# Branch stacks of recordings of other CPUs: every entry, its flags, cycles and type equal perf's, and the bytes of the records.
set -u
# shellcheck source=test/e2e/lib.sh
. "$(dirname "$0")/lib.sh"
need_perf
CORPUS=${CORPUS-}
files=(autofdo/test.lbr autofdo/propeller_sample_1.perfdata1 autofdo/perf-kernel.data quipper/perf.data.callgraph_and_branch-3.8 quipper/perf.data.branch_stack_spec
	quipper/perf.data.branch_stack_hw_index perfparser/vector_static_gcc/perf.lbr.data derived-be/branch-cg-3.8.be.data)
[ -d "$CORPUS/quipper" ] || skip_all "no corpus: set CORPUS"
cd "$tmp" || exit 1

# Sums up the branches on standard input (brstack) in a line: entries, mispredicted, predicted, cycles, distinct pairs of
# addresses.
summary() {
	grep -oE '0x[0-9a-f]+/0x[0-9a-f]+/[MP-]/[X-]/[A-]/[0-9]+' | awk -F/ '
		{ count++; mispredicted += $3 == "M"; predicted += $3 == "P"; cycles += $6
		  pairs[$1 "/" $2]++ }
		END { for (pair in pairs) distinct++
		      print count + 0, mispredicted + 0, predicted + 0, cycles + 0, distinct + 0 }'
}

for file in "${files[@]}"; do
	data=$CORPUS/$file
	[ -e "$data" ] || { skip "$file is not in the corpus" "$file"; continue; }
	PERF_CONFIG=/dev/null perf script --no-itrace --no-inline -G -i "$data" -F tid,ip,brstack >perf.txt 2>/dev/null
	"$xprof" script --no-inline -G -i "$data" -F tid,ip,brstack 2>err >speculated.txt
	without_speculation <speculated.txt >xprof.txt
	ok "branches of $file are perf's ($(wc -l <perf.txt) samples)" cmp perf.txt xprof.txt
	summary <xprof.txt >script.sum
	"$xprof" dump --records --type SAMPLE -i "$data" >dump.txt 2>err
	is "$(awk '
		$1 == "from" && $3 == "to" {
			count++; pairs[$2 "/" $4]++
			for (i = 5; i < NF; i++) {
				if ($i == "flags") { mispredicted += $(i + 1) ~ /mispredicted/; predicted += $(i + 1) ~ /(^|[|])predicted/ }
				if ($i == "cycles") cycles += $(i + 1)
			}
		}
		END { for (pair in pairs) distinct++
		      print count + 0, mispredicted + 0, predicted + 0, cycles + 0, distinct + 0 }' dump.txt)" \
		"$(cat script.sum)" "dump has the same entries of $file: $(cat script.sum)"
done

# As perf 7.2 prints it.
data=$CORPUS/quipper/perf.data.branch_stack_spec
[ -e "$data" ] && {
	"$xprof" script -i "$data" -F brstack >speculated.txt 2>err
	like "$(head -1 speculated.txt)" '0xffffffff9dd022c4/0xffffffff9dd022b2/P/-/-/0//NON_SPEC_CORRECT_PATH ' \
		"how_the_cpu_speculated_follows_the_type"
	is "$(grep -o '//[A-Z_]*' speculated.txt | sort | uniq -c | awk '{ print $1, $2 }')" \
		"$("$xprof" dump --records --type SAMPLE -i "$data" | grep -c 'spec 2') //NON_SPEC_CORRECT_PATH" \
		"of_each_branch_that_it_is_known_of"
}
done_testing
