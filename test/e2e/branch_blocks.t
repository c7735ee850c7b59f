#!/usr/bin/env bash
# `xprof report --blocks --loops --indirect` of a program that was followed instruction by instruction: its figures equal those
# of the recorded code between branches, added up here independently.
set -u
# shellcheck source=test/e2e/lib.sh
. "$(dirname "$0")/lib.sh"
# shellcheck source=test/e2e/followed.sh
. "$(dirname "$0")/followed.sh"

"$xprof" report --blocks -q -i work.data >blocks || exit 1

# How often each instruction ran between two recorded branches in a row.
awk '
	FNR == NR { address[FNR] = $1; number[$1] = FNR; count = FNR; next }
	{
		for (i = 3; i <= NF; i++) {
			split($i, end, "/"); split($(i - 1), later, "/")
			for (n = number[end[2]]; n <= number[later[1]]; n++) ran[n]++
		}
	}
	END { for (n in ran) print address[n], ran[n] }' instructions lines | sort >ran
is "$(awk '{ n += $2 * $3 } END { print n }' blocks)" "$(awk '{ n += $2 } END { print n }' ran)" \
	"blocks_have_each_instruction_as_often_as_it_ran"

# The address of each block's beginning: FUNCTION+0xOFFSET.
awk 'FNR == NR { start[$3] = $1; next } { split($6, place, /[+]0x/); print start[place[1]], place[2], $2 }' <(nm work) blocks |
	while read -r start offset executions; do
		printf '%x %s\n' $((0x$start + 0x$offset)) "$executions"
	done | sort >begins
is "$(comm -12 begins ran | wc -l)" "$(wc -l <blocks)" "each_ran_as_often_as_its_first_instruction"
# The recording counts one cycle for each instruction.
is "$(awk '$5 != "1.00" || $4 != $3 ".00"' blocks)" "" "cycles_are_divided_by_instructions"
like "$(head -1 blocks)" "(hot|odd)\+0x.*branch_workload.c:[0-9]+" "the_heaviest_has_a_line"
is "$("$xprof" report --blocks -q --top 3 -i work.data | wc -l)" 3 "top_limits_the_rows"

"$xprof" report --loops -q -i work.data >loops
is "$(wc -l <loops)" 2 "both_loops_are_found"
is "$(awk '/ hot\+/ { print ($3 > 18 && $3 < 22) }' loops)" 1 "one_of_20_trips"
is "$(awk '/ run\+/ { print ($2 > 0 && $3 > 20) }' loops)" 1 "and_one_of_40"

"$xprof" report --indirect -q -i work.data >indirect
is "$(awk '{ print $1 }' indirect | head -1)" "$(awk '/to (add|twice)\+0x0/ { n += $1 } END { print n }' indirect)" \
	"the_indirect_call_leads_to_add_and_twice"
is "$(awk '/ to add/ { print ($3 + 0 > 65 && $3 + 0 < 85) }' indirect)" 1 "three_times_of_four_to_add"
is "$(grep -c 'run+0x[^ ]*  branch_workload.c' indirect)" 1 "returns_and_direct_calls_are_none"
# Every seventh branch is recorded as mispredicted.
is "$(awk 'NR == 1 { print ($2 + 0 > 3 && $2 + 0 < 40) }' indirect)" 1 "some_were_mispredicted"

# Cycles since the branch before, by the place that a branch comes from, as perf writes them.
awk '
	{ for (i = 2; i <= NF; i++) { split($i, part, "/"); cycles[part[1]] += part[4]; number[part[1]]++; all += part[4] } }
	END {
		for (from in cycles)
			printf("%.2f%% %s %d\n", cycles[from] * 100 / all,
				(cycles[from] < 1000 ? cycles[from] : sprintf("%.1fK", cycles[from] / 1000)), cycles[from] / number[from])
	}' lines | sort >cycles
"$xprof" report --total-cycles -q -i work.data >total
is "$(awk '{ print $1, $2, $4 }' total | sort)" "$(cat cycles)" "total-cycles_has_the_cycles_before_each_branch"
is "$(awk '{ n += $3 } END { print (n > 99.5 && n < 100.5) }' total)" 1 "averages_are_shares_of_their_sum"
like "$(head -1 total)" "\[branch_workload.c:[0-9]+ -> branch_workload.c:[0-9]+\]  work" "lines_say_what_ran"
gcc -O1 -fcf-protection=none -fno-ipa-cp -nostdlib -static -o work "$here/programs/branch_workload.c"
like "$("$xprof" report --total-cycles -q -i work.data)" "\[(hot|odd)\+0x[0-9a-f]+ -> \+0x[0-9a-f]+\]" "or_offsets_where_there_are_none"

status_is 2 "they_are_another_report_than_json" "$xprof" report --blocks --json -i work.data
sed 's/ .*//' lines >plain
python3 "$here/branch_data.py" plain.data work <plain || exit 1
status_is 1 "without_branches_they_are_refused" "$xprof" report --loops -i plain.data
like "$output" "branches are recorded with 'xprof record -b'" "with_the_option_that_records_them"
like "$("$xprof" report --blocks -i work.data --binary '[kernel.kallsyms]' 2>&1)" "no sample is in '\[kernel" "a_binary_without_samples_is_said"
done_testing
