#!/usr/bin/env bash
# A busy system at 999 Hz loses nothing; if rings are too small, the loss is counted and reported.
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

# OPTION... -- COMMAND...: records into rings of a page, which the recorder does not read for a while: its messages are in
# $output.
record_with_a_pause() {
	start "$xprof" record -F 20000 -m 1 -e cpu-clock -o "$data" "$@" 2>"$tmp/said"
	wait_until 20 test -e "$tmp/running"
	kill -STOP "$pid"
	sleep 0.3
	kill -CONT "$pid"
	wait "$pid"
	unset 'started[-1]'
	output=$(cat "$tmp/said")
	rm -f "$tmp/running"
}
record_with_a_pause -a -- sh -c ": >$tmp/running; sleep 0.5"
said=$(sed -nE 's/.* in [^,]*, ([0-9,]+) (samples? and .*)?lost, .*/\1/p' <<<"$output" | tr -d ,)
ok "losses_are_said" test "${said:-0}" -gt 0
like "$output" "larger ones \(-m\), a lower frequency \(-F\)" "the_remedy_for_a_loss_is_said"
in_file=$(perf_quietly report -i "$data" --stdio | sed -n 's/^# Total Lost Samples: //p')
ok "perf_reads_the_loss_from_the_file" test "${in_file:-0}" -gt 0
ok "no_less_is_said_than_is_in_the_file" test "${said:-0}" -ge "${in_file:-0}"
# Lost samples and other lost records are counted separately: of hundreds of processes in a ring of a page both are lost.
record_with_a_pause -- bash -c ": >$tmp/running; for ((i = 0; i < 400; i++)); do /bin/true; done"
if [[ $output =~ ([0-9,]+)\ samples?\ and\ ([0-9,]+)\ other\ records?\ lost ]]; then
	said_samples=${BASH_REMATCH[1]} said_others=${BASH_REMATCH[2]}
	header=$("$xprof" report -i "$data" --header 2>/dev/null | grep '^#')
	like "$header" "# lost samples: ${said_samples} .* and ${said_others} other records" \
		"the_reports_header_has_the_same_numbers"
	like "$output" "names may be missing" "what_other_records_are_for_is_said"
	is "$("$xprof" dump "$data" | awk '$2 == "LOST" { for (i = 1; i < NF; i++) if ($i == "lost") n += $(i + 1) } END { print n }')" \
		"$((${said_samples//,/} + ${said_others//,/}))" "the_files_lost_records_are_both"
else
	is "$output" "both lost" "samples_and_others_are_told_apart"
fi

kill "${started[@]}"

# Every hit of an event, which comes in bursts: the ends of 60 processes, and memory touched page by page.
cat >"$tmp/faults.py" <<'END'
for i in range(8):
    pages = [bytearray(4096 * 50) for j in range(40)]
END
bursts() {
	for ((i = 0; i < 60; i++)); do /bin/true; done
	python3 "$tmp/faults.py"
}
export -f bursts
export tmp # for bursts
for event in minor-faults sched:sched_switch; do
	if ! output=$("$xprof" record -q -e $event -c 1 -o "$data" -- true 2>&1); then
		skip "cannot record here: $(head -1 <<<"$output")" "nothing_is_lost_of_every_hit_of_$event"
		continue
	fi
	status_is 0 "every_hit_of_${event}_is_recorded" "$xprof" record --no-bpf -e $event -c 1 -g -o "$data" -- bash -c bursts
	like "$output" ", 0 lost," "nothing_is_lost_of_every_hit_of_$event"
	like "$output" "stack dumps of [0-9]+ bytes instead of 16384: samples of every hit may come too fast" \
		"the_shorter_dumps_of_${event}_are_said"
done

# A ring of a page holds no sample with the usual dump; the dump is shortened to fit.
for pages in 1 4; do
	output=$("$xprof" record --no-bpf -g -F 499 -m $pages -e cpu-clock -o "$data" -- "$demo" 0.5 2>&1)
	like "$output" "stack dumps of [0-9]+ bytes instead of 16384: rings of [0-9]+ KiB have no room" \
		"shorter_dumps_in_rings_of_$pages pages_are_said"
	samples=$(perf_samples "$data")
	ok "and_there_are_samples" test "${samples:-0}" -gt 0
done

# A second recorder of a user whose first one has used up the locked memory: its rings are small, its samples are there.
one_user() {
	(cd / && exec setpriv --reuid=$user --regid=$user --clear-groups "$@")
}
user=$((61000 + RANDOM % 1000))
chmod 755 "$tmp"
mkdir "$tmp/theirs"
cp "$xprof" "$demo" "$tmp/theirs"
chmod 755 "$tmp/theirs/"*
chown $user "$tmp/theirs"
if one_user "$tmp/theirs/xprof" record -q -e cpu-clock -o "$tmp/theirs/probe.data" -- true 2>/dev/null; then
	# shellcheck disable=SC2317 # called by wait_until
	first_records() { [ -s "$tmp/theirs/first.data" ]; }
	# Not in the function, in whose subshell the recorder would be left behind: it would keep the test's output open.
	start env -C / setpriv --reuid=$user --regid=$user --clear-groups "$tmp/theirs/xprof" record -q -g -e cpu-clock -o "$tmp/theirs/first.data" -- sleep 60
	wait_until 10 first_records
	ulimit -S -l $((32 * $(getconf _NPROCESSORS_ONLN)))
	output=$(one_user "$tmp/theirs/xprof" record --no-bpf -g -F 499 -e cpu-clock -o "$tmp/theirs/second.data" -- \
		"$tmp/theirs/workload" 0.5 2>&1)
	like "$output" "rings of [0-9]+ KiB per CPU instead of" "the_second_recorder_says_that_its_rings_are_small"
	like "$output" "stack dumps of [0-9]+ bytes instead of 16384: rings of" "and_that_its_dumps_are_short"
	cp "$tmp/theirs/second.data" "$data"
	samples=$(perf_samples "$data")
	ok "and_it_has_samples" test "${samples:-0}" -gt 0
	ulimit -S -l 0
	status_is 1 "without_any_ring_it_fails" one_user "$tmp/theirs/xprof" record -g -e cpu-clock \
		-o "$tmp/theirs/third.data" -- true
	like "$output" "memory that this user may lock is used up.*kernel.perf_event_mlock_kb=.*ulimit -l" \
		"and_says_what_to_do"
	kill "$pid"
	wait "$pid"
else
	skip "cannot record as another user" "the_second_recorder_of_a_user_has_samples"
fi

done_testing
