#!/usr/bin/env bash
# A recording of the whole system that is cut into files all the time is killed at random times, also between two files: perf
# and xprof can read every file that it leaves, and all of its samples have a mapping and a command. KILLS: how often, 100.
set -u
# shellcheck source=test/e2e/lib.sh
. "$(dirname "$0")/../e2e/lib.sh"
need_perf
need_recording -a -e cpu-clock
kills=${KILLS:-100}
switch=(--switch-output=64K -m 8)
# shellcheck disable=SC2016 # for the inner shell
start sh -c 'while :; do /bin/true; i=0; while [ $i -lt 2000 ]; do i=$((i+1)); done; done'

files=0 unreadable='' nameless=0 samples=0 empty=0
for number in $(seq "$kills"); do
	mkdir "$tmp/run"
	start "$xprof" record -q -a -e cpu-clock -F 2999 "${switch[@]}" -o "$tmp/run/perf.data"
	recorder=$pid
	wait_until 20 test -s "$tmp/run/perf.data"
	sleep "0.$((RANDOM % 9))$((RANDOM % 10))$((RANDOM % 10))"
	kill -9 "$recorder"
	wait "$recorder" 2>/dev/null
	for file in "$tmp"/run/*; do
		files=$((files + 1))
		"$xprof" report -i "$file" >/dev/null 2>"$tmp/said" || unreadable+=" $number:${file##*/}: $(head -1 "$tmp/said")"
		perf_quietly script -i "$file" -F comm,ip,dso >"$tmp/script" || unreadable+=" $number:${file##*/} by perf"
		found=$(wc -l <"$tmp/script")
		samples=$((samples + found))
		[ "$found" -gt 0 ] || empty=$((empty + 1))
		nameless=$((nameless + $(grep -cE '^ *:[0-9]+ |\(\[unknown\]\)' "$tmp/script")))
	done
	rm -rf "$tmp/run"
done
is "$unreadable" "" "every_file_of_a_killed_recording_can_be_read"
ok "there_were_many_files" test "$files" -gt $((kills * 2))
ok "which_have_samples" test "$samples" -gt $((kills * 100))
# A file from a recorder that was killed while a program started may lack records that the kernel had put into a ring but the
# recorder not yet into the file.
ok "of_which_nearly_all_have_a_mapping_and_a_command" test $((nameless * 1000)) -le "$samples"
figure "$kills kills, $files files ($empty without samples), $samples samples, $nameless without a mapping or a command"
done_testing
