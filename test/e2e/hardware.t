#!/usr/bin/env bash
# Branches and hardware events of a real CPU, which few test machines have; kernel_*.t play others.
set -u
# shellcheck source=test/e2e/lib.sh
. "$(dirname "$0")/lib.sh"
need_perf
[ -x "$demo" ] || skip_all "the demo workload was not built"
caps=$(cat /sys/bus/event_source/devices/*/caps/branches 2>/dev/null | sort -n | tail -1)
[ "${caps:-0}" -gt 0 ] || skip_all "no CPU here keeps branches"
need_recording -e cycles -b
cd "$tmp" || exit 1

# The demo calls its functions in loops: each of its samples has branches, and nearly all of them within the demo.
status_is 0 "branches_are_recorded" "$xprof" record -b -e cycles:u -F 999 -o branches.data -- "$demo" 1
"$xprof" script -i branches.data -F brstack 2>err | grep -o '0x[^ ]*' >branches.txt
entries=$(wc -l <branches.txt)
[ "$entries" -ge 1000 ]
tap_result $? "there_are_many ($entries)"
within=$("$xprof" script -i branches.data -F brstacksym 2>>err | grep -oE '[^ ]+/[^ /]+/[MP-]/' | grep -vc 'unknown')
[ $((within * 10)) -ge $((entries * 8)) ]
tap_result $? "and_their_ends_have_names ($within)" "$(head -3 branches.txt)"
ok "perf_reads_the_same_branches" cmp <(perf_quietly script -i branches.data -F ip,brstack) <("$xprof" script -i branches.data -F ip,brstack | without_speculation)
predicted=$(grep -c '/P/' branches.txt)
[ "$predicted" -ge $((entries / 2)) ]
tap_result $? "most_are_predicted ($predicted of $entries)"
longest=$("$xprof" script -i branches.data -F brstack 2>>err | awk '{ if (NF > most) most = NF } END { print most + 0 }')
[ "$longest" -le "$caps" ]
tap_result $? "no_sample_has_more_than_the_cpu_keeps ($longest of $caps)"

# Fields that this CPU lacks are left out with a message, not with an error.
status_is 0 "fields_are_recorded_as_far_as_they_go" "$xprof" record -j any,u,save_type,hw_index,priv,counter -e cycles:u -o fields.data -- "$demo" 1

if "$xprof" record -q --call-graph lbr -e cycles:u -o calls.data -- "$demo" 1 2>err; then
	like "$("$xprof" report -q --folded -i calls.data)" ';main;' "call_stacks_of_the_cpu_reach_main"
else
	like "$(cat err)" 'cannot be filtered by stack' "why_there_are_no_call_stacks_of_the_cpu_is_said"
fi
done_testing
