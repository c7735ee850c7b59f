#!/usr/bin/env bash
# A busy system at 999 Hz loses nothing; where rings are made too small, the loss is counted and said.
set -u
# shellcheck source=test/e2e/lib.sh
. "$(dirname "$0")/lib.sh"
need_perf
need_recording -a -e cpu-clock
data=$tmp/perf.data

# Field 19 of stat: how nice a process is.
nice_values() { # PROGRAM THAT STARTS IT...
	# shellcheck disable=SC2016 # the recorded shell's own variables
	"$@" "$xprof" record -q -e cpu-clock -o "$data" -- sh -c 'cut -d" " -f19 /proc/$PPID/stat /proc/$$/stat' | xargs
}
if nice -n -20 true 2>/dev/null && [ "$(nice)" -eq 0 ]; then
	is "$(nice_values env)" "-20 0" "the_recorder_is_served_before_others_and_what_it_runs_is_not"
	is "$(nice_values nice -n 5)" "5 5" "a_recorder_that_was_started_with_nice_stays_nice"
else
	skip "priorities cannot be raised here" "the_recorder_is_served_before_others"
fi

# Every CPU busy, and one more process that forks.
start "$demo" 60 "$(($(getconf _NPROCESSORS_ONLN) + 1))" >"$tmp/truth"
start sh -c 'while :; do /bin/true; done'
ok "a_busy_system_is_recorded" "$xprof" record -a -g -F 999 -e cpu-clock -o "$data" -- sleep 2
output=$("$xprof" record -a -g -F 999 -e cpu-clock -o "$data" -- sleep 2 2>&1)
like "$output" ", 0 lost," "nothing_is_lost_at_999_hz"
unlike "$(perf_quietly report -i "$data" --stats)" "LOST" "the_file_tells_of_no_loss"

output=$("$xprof" record -a -g -F 20000 -m 1 -e cpu-clock -o "$data" -- sleep 1 2>&1)
said=$(sed -nE 's/.* ([0-9,]+) lost, .*/\1/p' <<<"$output" | tr -d ,)
if [ "${said:-0}" -gt 0 ]; then
	like "$output" "larger ones \(-m\), a lower frequency \(-F\)" "the_remedy_for_a_loss_is_said"
	in_file=$(perf_quietly report -i "$data" --stdio | sed -n 's/^# Total Lost Samples: //p')
	ok "perf_reads_the_loss_from_the_file" test "${in_file:-0}" -gt 0
	ok "no_less_is_said_than_is_in_the_file" test "$said" -ge "${in_file:-0}"
else
	skip "even one page was enough" "losses_are_said"
fi
done_testing
