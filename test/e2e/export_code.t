#!/usr/bin/env bash
# Formats for compilers, from branches that a program really took, followed instruction by instruction: tools that are made for
# such profiles accept them, and find the program's branches in them.
set -u
# shellcheck source=test/e2e/lib.sh
. "$(dirname "$0")/lib.sh"
# shellcheck source=test/e2e/followed.sh
. "$(dirname "$0")/followed.sh"

# FORMAT
export_as() {
	"$xprof" export --format="$1" -q -i work.data -o "work.$1"
}
for format in autofdo llvm-sample llvm-profgen llvm-profgen-raw bolt bolt-preagg; do
	ok "${format}_is_written" export_as $format
done

# --- the formats' figures, compared with the followed program --------------------------------------------

# "FROM TO COUNT" of all branches.
awk '{ for (i = 2; i <= NF; i++) { split($i, end, "/"); n[end[1] " " end[2]]++ } }
	END { for (branch in n) print branch, n[branch] }' lines | sort >branches
is "$(awk '$1 == "B" { print $2, $3, $4 }' work.bolt-preagg | sort)" "$(cat branches)" "bolt-preagg_has_the_branches_that_were_taken"
# "FROM TO COUNT" of the code that ran between two branches in a row, the later one first.
awk '{ for (i = 3; i <= NF; i++) { split($i, end, "/"); split($(i - 1), later, "/"); n[end[2] " " later[1]]++ } }
	END { for (range in n) print range, n[range] }' lines | sort >ranges
is "$(awk '$1 == "F" { print $2, $3, $4 }' work.bolt-preagg | sort)" "$(cat ranges)" "and_what_ran_between_two"
is "$(awk '/->/ { sub(/.*:/, ""); n += $0 } END { print n }' work.llvm-profgen-raw)" \
	"$(awk '{ n += $3 } END { print n }' branches)" "llvm-profgen-raw_has_as_many"
is "$(sed -n 1p work.autofdo)" "$(wc -l <ranges)" "autofdo_has_as_many_ranges"
calls=$(nm work | awk '$3 == "odd" { print $1 }' | sed 's/^0*//')
is "$(awk '$4 == 1 && $5 == "odd/1" && $6 == 0 { n += $8 } END { print n }' work.bolt)" \
	"$(awk -v to="$calls" '$2 == to { n += $3 } END { print n }' branches)" "bolt_numbers_local_functions"
like "$("$xprof" export --format=bolt -i work.data -o - --comms nobody 2>&1)" "no sample is in a program" "filters_apply"
status_is 1 "functions_do_not_choose_branches" "$xprof" export --format=bolt -i work.data -o - -S hot
status_is 1 "a_binary_that_was_not_recorded_is_said" "$xprof" export --format=bolt -i work.data -o - --binary nothing
like "$output" "no sample is in 'nothing'" "with_its_name"

ran=$(awk '{ for (i = 2; i <= NF; i++) { split($i, end, "/"); n += end[2] == hot } } END { print n + 0 }' \
	hot="$(nm work | awk '$3 == "hot" { print $1 }' | sed 's/^0*//')" lines)
like "$(cat work.llvm-sample)" "hot:[0-9]+:$ran" "llvm-sample_says_how_often_functions_were_entered"
like "$(head -1 work.llvm-sample)" "^hot:" "its_first_function_is_the_heaviest"

# --- plain samples ---------------------------------------------------------------------------------------

sed 's/ .*//' lines >plain
python3 "$here/branch_data.py" plain.data work <plain || exit 1
"$xprof" export --format=bolt -q -i plain.data -o plain.fdata
is "$(sed -n 1p plain.fdata)" "no_lbr cycles" "without_branches_bolt_gets_samples"
is "$(awk 'NR > 1 { n += $4 } END { print n }' plain.fdata)" "$(wc -l <plain)" "all_of_them"
"$xprof" export --format=llvm-sample -q -i plain.data -o plain.prof
is "$(awk -F: '/^[a-z]/ { n += $2 } END { print n }' plain.prof)" "$(wc -l <plain)" "llvm-sample_has_all_of_them"
"$xprof" export --format=bolt-preagg -q -i plain.data -o plain.preagg
is "$(sort plain.preagg)" "$(sort plain | uniq -c | awk '{ print "S", $2, $1 } END { print "E cycles" }' | sort)" \
	"bolt-preagg_has_samples_then"
status_is 1 "what_is_made_of_branches_is_refused_without" "$xprof" export --format=llvm-profgen-raw -i plain.data -o -
like "$output" "no sample has branches" "with_the_reason"

# --- the tools --------------------------------------------------------------------------------------------

if command -v clang >/dev/null; then
	clang -O2 -g -fdebug-info-for-profiling -fprofile-sample-use=work.llvm-sample -S -emit-llvm -o work.ll \
		"$here/programs/branch_workload.c" 2>err
	like "$(cat work.ll 2>&1)" '"ProfileFormat", !"SampleProfile"' "clang_takes_llvm-sample"
	like "$(cat work.ll)" '@hot\(.*!prof' "and_hot_is_entered_as_often_as_it_says"
else
	skip "clang is not installed" "clang_takes_llvm-sample"
fi

if find_tool llvm-profgen llvm-profgen-19 llvm-profgen-16 llvm-profgen-14; then
	ok "llvm-profgen_takes_the_script" "$tool" --perfscript=work.llvm-profgen --binary=work --output=script.prof
	ok "and_the_raw_profile" "$tool" --unsymbolized-profile=work.llvm-profgen-raw --binary=work --output=raw.prof
	ok "which_are_the_same" cmp script.prof raw.prof
	"$tool" --perfscript=work.llvm-profgen --binary=work --skip-symbolization --output=own.raw 2>/dev/null
	ok "its_own_raw_profile_of_the_script_is_ours" diff <(sort own.raw) <(sort work.llvm-profgen-raw)
	if find_tool llvm-profdata llvm-profdata-19 llvm-profdata-16 llvm-profdata-14; then
		"$tool" merge --sample --text script.prof -o script.txt
		is "$(grep -o '^[a-z_]*:' script.txt | head -1)" "hot:" "its_hottest_function_is_hot"
		ok "llvm-profdata_takes_llvm-sample" "$tool" merge --sample --text work.llvm-sample -o sample.txt
		# Our file has no lines that never ran.
		is "$(grep -v ': 0$' sample.txt)" "$(grep -v ': 0$' script.txt)" "which_is_what_llvm-profgen_makes_of_the_branches"
	fi
else
	skip "llvm-profgen is not installed" "llvm-profgen_takes_branches"
fi
if find_tool create_llvm_prof; then
	ok "create_llvm_prof_takes_autofdo" "$tool" --profiler=text --profile=work.autofdo --binary=work --format=text --out=autofdo.txt
	is "$(grep -o '^[a-z_]*:' autofdo.txt | head -1)" "hot:" "and_its_hottest_function_is_hot"
	"$xprof" export --format=autofdo -q -i plain.data -o plain.autofdo
	ok "and_samples_without_branches" "$tool" --use_lbr=false --profiler=text --profile=plain.autofdo --binary=work --format=text --out=plain.txt
	is "$(grep -o '^[a-z_]*:' plain.txt | head -1)" "hot:" "in_which_it_is_hot_too"
else
	skip "create_llvm_prof is not installed" "create_llvm_prof_takes_autofdo"
fi
# Under another name than perf2bolt the program is llvm-bolt.
if find_tool perf2bolt /usr/lib/llvm-19/bin/perf2bolt /usr/lib/llvm-16/bin/perf2bolt; then
	ok "perf2bolt_takes_bolt-preagg" "$tool" -pa -p work.bolt-preagg -o preagg.fdata work
	is "$("$tool" -pa -p work.bolt-preagg -o preagg.fdata work 2>&1 | grep -c 'mismatching disassembled function contents: 0 ')" \
		1 "no_trace_is_against_the_code"
	# Its output has our branches, and those that were not taken. Newer versions (23) leave out returns, which lead behind the
	# beginning of another function.
	if awk '$2 != $5 && $6 != 0 { found = 1 } END { exit !found }' preagg.fdata; then
		cp work.bolt kept.bolt
	else
		awk '$2 == $5 || $6 == 0' work.bolt >kept.bolt
	fi
	is "$(awk '$1 == 1 && $4 == 1' kept.bolt | grep -vxFf preagg.fdata)" "" "its_branches_are_those_of_bolt"
	if "$tool" --help 2>&1 | grep -q basic-events; then
		ok "perf2bolt_-ba_takes_bolt-preagg_of_samples" "$tool" -pa -ba -p plain.preagg -o basic.fdata work
		ok "which_makes_bolt_of_samples" diff <(sort basic.fdata) <(sort plain.fdata)
	else
		skip "this perf2bolt does not know basic events" "perf2bolt_-ba_takes_bolt-preagg_of_samples"
	fi
	bolt=$(dirname "$tool")/llvm-bolt
	ok "llvm-bolt_takes_bolt" "$bolt" work -data work.bolt -o work.bolted -reorder-blocks=ext-tsp -reorder-functions=hfsort
	ok "llvm-bolt_takes_samples_without_branches" "$bolt" work -data plain.fdata -o work.plain -reorder-blocks=ext-tsp
	ok "the_program_still_runs" ./work.bolted
else
	skip "perf2bolt is not installed" "perf2bolt_takes_bolt-preagg"
fi
done_testing
