#!/usr/bin/env bash
# The Firefox Profiler's markers: switches of --switch-events as time off the CPU, sampled waits, and losses, each on its
# thread.
set -u
# shellcheck source=test/e2e/lib.sh
. "$(dirname "$0")/lib.sh"
# shellcheck source=test/lib/played.sh
. "$(dirname "$0")/../lib/played.sh"
command -v python3 >/dev/null || skip_all "python3 is not installed"
cd "$tmp" || exit 1

cat >markers.py <<'END'
"""Prints a line for each marker of a processed profile: thread, name, start and end in ms, data; fails if a table is not well-formed."""
import gzip, json, sys
profile = json.loads(gzip.open(sys.argv[1]).read())
schemas = {s["name"]: {f["key"] for f in s["fields"]} for s in profile["meta"]["markerSchema"]}
assert all(s["display"] for s in profile["meta"]["markerSchema"])
names = profile["shared"]["stringArray"]
for thread in profile["threads"]:
    table = thread["markers"]
    assert all(len(column) == table["length"] for name, column in table.items() if name != "length")
    assert table["startTime"] == sorted(table["startTime"]), "time goes back"
    for name, start, end, phase, category, data in zip(*(table[c] for c in
            ("name", "startTime", "endTime", "phase", "category", "data"))):
        assert start >= 0 and category < len(profile["meta"]["categories"])
        assert (phase == 0 and end is None) or (phase == 1 and end >= start), "an interval without an end"
        assert set(data) - {"type"} <= schemas[data["type"]], "data that its schema does not have"
        print(thread["name"].rsplit(" ", 1)[0], names[name], start, end, json.dumps(data, sort_keys=True), sep="\t")
END

# --- switches ------------------------------------------------------------------------------------------

cat >naps.c <<'END_OF_C'
#include <time.h>
#include <unistd.h>
int main(void)
{
	for (int i = 0; i < 5; i++) {
		const clock_t begin = clock();
		while (clock() - begin < CLOCKS_PER_SEC / 100)
			;
		usleep(20000);
	}
	return 0;
}
END_OF_C
gcc -O1 -o naps naps.c || exit
"$xprof" record -q --switch-events -e cpu-clock -o switches.data -- ./naps 2>record.err
"$xprof" export -q --format=firefox -i switches.data -o switches.json.gz 2>export.err || diag "$(cat export.err)"
python3 markers.py switches.json.gz >switches.txt 2>python.err || diag "$(tail -1 python.err)"
is "$(tail -1 python.err)" "" "tables_of_markers_are_well_formed"
# On a busy machine the thread may also be preempted, for as long as a nap.
naps=$(awk -F '\t' '$1 == "naps" && $2 == "Off CPU" && $4 != "None" && $4 - $3 >= 19 && !/preempted/' switches.txt | wc -l)
ok "five_naps_of_20_ms_are_time_off_the_CPU_that_the_thread_chose: $naps" test "$naps" -ge 5
"$xprof" export -q --format=firefox --comms nosuch -i switches.data -o none.json.gz 2>/dev/null
is "$(python3 markers.py none.json.gz)" "" "threads_that_are_left_out_have_none"
"$xprof" export -q --format=firefox --per cpu -i switches.data -o cpu.json.gz 2>/dev/null
is "$(python3 markers.py cpu.json.gz | grep -c 'Off CPU')" 0 "CPUs_have_none"
"$xprof" record -q -e cpu-clock -o plain.data -- ./naps
"$xprof" export -q --format=firefox -i plain.data -o plain.json.gz
is "$(python3 markers.py plain.json.gz)" "" "what_is_not_recorded_is_not_shown"

# --- waits ---------------------------------------------------------------------------------------------

if "$xprof" record -q --off-cpu -g -e cpu-clock -o waits.data -- ./naps 2>probe.err; then
	"$xprof" export -q --format=firefox --event cpu-clock -i waits.data -o waits.json.gz
	python3 markers.py waits.json.gz >waits.txt 2>python.err || diag "$(tail -1 python.err)"
	naps=$(awk -F '\t' '$1 == "naps" && $2 == "Wait" && $4 - $3 >= 19' waits.txt | grep -c '"state": "sleeping", .*"wait": "timer"')
	ok "waits_lie_where_the_thread_slept: $naps" test "$naps" -ge 4
else
	skip "no waits here: $(head -1 probe.err)" "waits_lie_where_the_thread_slept"
fi

# --- losses --------------------------------------------------------------------------------------------

echo "machine none" >none.play
if [ "$(uname -m)" = x86_64 ] && "$player" none.play true 2>player.err; then
	make_walk
	{
		echo "machine pmu"
		walk_records
		echo "sample pid=4242 tid=4242 time=1000000 ip=0x401008 period=100"
		echo "lost pid=4242 tid=4242 time=4000000 count=7"
		echo "sample pid=4242 tid=4242 time=5000000 ip=0x401008 period=100"
	} >lost.play
	play lost.play "$xprof" record -o lost.data -e cycles true >play.out 2>&1
	"$xprof" export -q --format=firefox -i lost.data -o lost.json.gz 2>/dev/null
	like "$(python3 markers.py lost.json.gz)" $'\tLost records\t[0-9.]+\tNone\t.*"records": 7' "losses_are_told_when_the_kernel_told_them"
else
	skip "no kernel can be played here: $(head -1 player.err)" "losses_are_told_when_the_kernel_told_them"
fi

# --- the viewer's own program ------------------------------------------------------------------------------

export NODE_PATH=$source_root/build/npm/node_modules
profiler_cli=$NODE_PATH/@firefox-devtools/profiler-cli/dist/profiler-cli.js
if command -v node >/dev/null && [ -f "$profiler_cli" ]; then
	# Its background process must start within half a second, and may be tried again. It keeps its sessions in the home directory.
	export HOME=$tmp
	# shellcheck disable=SC2317 # wait_until calls it
	load_profile() {
		node "$profiler_cli" load "$tmp/switches.json.gz" >"$tmp/load.txt" 2>&1 ||
			node "$profiler_cli" thread info >/dev/null 2>&1
	}
	wait_until 60 load_profile || diag "$(cat "$tmp/load.txt")"
	like "$(node "$profiler_cli" profile markers --search 'Off CPU' 2>&1)" 'Off CPU' "the_Firefox_Profilers_program_reads_them"
	node "$profiler_cli" stop --all >/dev/null 2>&1
else
	skip "the profiler's program is not installed: scripts/setup.sh --for=test" "the_Firefox_Profilers_program_reads_them"
fi
done_testing
